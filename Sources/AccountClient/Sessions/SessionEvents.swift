import AccountAPI
import AccountConnection

/// The time of an event, and an attempt identifier that a refresh may use.
///
/// Events bring both along, so that ``SessionMachine`` needs neither clock nor random numbers.
struct Moment: Sendable {
    var instant: ContinuousClock.Instant
    var secondsSince1970: Int64
    /// A new, unguessable value.
    var attempt: String
}

/// The number of a session in its client. With it the machine recognizes answers to calls of an earlier session, and drops
/// them.
struct SessionEpoch: Hashable, Sendable {
    private var number = 0

    /// Whether this session is the given one or the next after it.
    func isAtMostOne(after other: SessionEpoch) -> Bool { number - other.number <= 1 }

    mutating func advance() {
        number += 1
    }
}

/// The number of answers about a session's account that the machine has adopted.
///
/// An answer to a call that began before a change may come after the change. So each call has the version from its
/// beginning.
struct AccountVersion: Hashable, Sendable {
    private var number = 0

    /// Whether this version is the next after the given one.
    func isNext(after other: AccountVersion) -> Bool { number - other.number == 1 }

    mutating func advance() {
        number += 1
    }
}

/// Names a caller who waits for the machine's reply.
struct RequestID: Hashable, Sendable {
    var number: Int
}

/// Names an authorization: the person is asked to sign in, or to prove that they are there.
struct AuthorizationID: Hashable, Sendable {
    var number: Int
}

/// An access token of the service, which is kept in memory only.
struct AccessToken: Hashable, Sendable {
    var token: String
    var expiresAt: ContinuousClock.Instant

    /// A call takes time, and clocks differ.
    private static let margin = Duration.seconds(30)

    init(token: String, expiresAt: ContinuousClock.Instant) {
        self.token = token
        self.expiresAt = expiresAt
    }

    init(_ session: SessionBody, at now: ContinuousClock.Instant) {
        self.init(token: session.accessToken, expiresAt: now + .seconds(session.expiresIn))
    }

    func isGood(at now: ContinuousClock.Instant) -> Bool {
        now + Self.margin <= expiresAt
    }
}

/// The machine's knowledge at one moment, as callers get it.
struct SessionSnapshot: Sendable {
    var record: StoredRecord
    var state: SessionState
    var epoch: SessionEpoch
    var accountVersion: AccountVersion
    var access: AccessToken?
    /// Whether storage could be read.
    var isRead: Bool
    /// The error for calls that need somebody to be signed in.
    var notSignedInError: AccountClientError

    /// The stored session; nil when nobody is signed in.
    var session: StoredSession? { record.session }
}

/// A call of the app, for which the machine has one reply.
enum SessionRequest: Sendable {
    /// Replies as soon as storage has been read.
    case read
    /// Replies as ``read`` does. A storage that cannot be read is a state, not an error.
    case state
    /// Reads storage again if nobody is signed in, because another process may have signed somebody in.
    case rereadIfSignedOut
    /// Replies when storage has the machine's record.
    case store
    /// Asks for an access token that is good for half a minute at least.
    case accessToken
    /// The service has answered a call of this session with a code that says that the session is over.
    case sessionRefused(ErrorCode, cause: ServiceError, SessionEpoch)

    /// Replies when a sign-in may begin. A stored record that cannot be read is replaced by an empty one.
    case prepareSignIn
    /// Stores a name that Apple tells once, until the service has it.
    case keepName(FullName, user: String)
    /// - Parameter user: Apple's identifier of the person; nil after a sign-in without Apple.
    case signIn(SignInAnswer, user: String?, AuthorizationID)
    /// Forgets the session. The reply comes at once, and has the session as it was before.
    case signOut

    /// The service was asked for the account. If another answer came meanwhile, nobody knows which is newer, and this one
    /// is dropped if it differs.
    case accountTold(AccountBody, SessionEpoch, AccountVersion)
    /// The service has changed the account at the person's wish. The caller asks for the account again if another answer
    /// came meanwhile.
    case accountChanged(AccountBody, SessionEpoch)
    case standingTold(AppleStanding, SessionEpoch)
    /// The service has answered for the session that ended last; nil when it does not know that session any more.
    case formerStandingTold(AppleStanding?, SessionEpoch)
    /// - Parameter user: Apple's identifier of the person; nil after a proof without Apple.
    case reauthenticated(ReauthenticationAnswer, user: String?, SessionEpoch)
    /// The person signs in with Apple from now on.
    case upgraded(AccountUpgrade, SessionEpoch)
    /// The account service has taken a credential of this person's as one more way in.
    case linked(user: String, SessionEpoch)
    /// Forgets Apple's identifier of the person, which may no longer open the account. The next proof at Apple brings one.
    case userForgotten(SessionEpoch)
    /// The person has ended this session through the list of sessions.
    case sessionEndedByPerson(SessionEpoch)
    case accountDeleted(user: String?, SessionEpoch)
}

/// The outcome of an upgrade to Sign in with Apple.
struct AccountUpgrade: Sendable {
    var account: AccountBody
    /// Apple's identifier of the person.
    var user: String
    /// nil when the answer that had the token was lost.
    var access: AccessToken?
}

/// An input of ``SessionMachine``.
enum SessionEvent: Sendable {
    case requested(SessionRequest, RequestID)
    /// The service has refused an access token in spite of its age.
    case accessTokenRefused(String)
    case authorizationBegan(AuthorizationID)
    case authorizationEnded(AuthorizationID)

    // Outcomes of effects.
    case loaded(Result<StoredRecord, AccountClientError>)
    case saved(Result<StoredRecord, AccountClientError>)
    case refreshed(Result<RefreshAnswer, ServiceError>, presented: String)
    /// The answer to a refresh was lost, and the request wasn't repeated, because storage doesn't have the token any more.
    case refreshAbandoned(presented: String)
    case endExplained(EndExplanation, of: String)
}

/// An output of ``SessionMachine``: what its runner has to do.
enum SessionEffect: Sendable {
    /// Read storage, then report ``SessionEvent/loaded(_:)``.
    case load
    /// Write storage, then report ``SessionEvent/saved(_:)``.
    case save(StoredRecord, lastSeen: String?, replacing: Bool)
    /// Exchange the refresh token, then report ``SessionEvent/refreshed(_:presented:)`` or
    /// ``SessionEvent/refreshAbandoned(presented:)``.
    case refresh(String, attempt: String, deviceName: String?)
    /// Ask who has ended the session of this refresh token, then report ``SessionEvent/endExplained(_:of:)``.
    case explainEnd(of: String)
    /// End a session at the service, after it was replaced or forgotten. No event follows.
    case endUnused(refreshToken: String, attempt: String?, AccessToken?)
    case cancelAuthorization(AuthorizationID)
    case publish(SessionState)
    /// Tell the process that the person has stopped using the app with their Apple Account.
    case announceAppleAccessEnded
    case reply(Result<SessionSnapshot, AccountClientError>, to: RequestID)
}

/// The service's answer to the question who has ended a session.
enum EndExplanation: Sendable {
    /// The person stopped using the app at Apple, or Apple says otherwise; this is how they stand now.
    case byApple(AppleStanding)
    case otherwise
    /// The service could not be asked.
    case unknown
}
