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

/// An input of ``SessionMachine``.
enum SessionEvent: Sendable {
    case requested(SessionRequest, RequestID)
    /// The service has refused an access token that has not expired.
    case accessTokenRefused(String)
    case authorizationBegan(AuthorizationID)
    case authorizationEnded(AuthorizationID)
    /// The service has opened a session for a sign-in that was cancelled before the answer came.
    case cancelledSignInAnswered(SignInAnswer)

    // Outcomes of effects.
    case loaded(Result<StoredRecord, AccountClientError>)
    case saved(Result<StoredRecord, AccountClientError>)
    case refreshed(Result<RefreshAnswer, ServiceError>, presented: String)
    /// The answer to a refresh was lost, and the request wasn't repeated, because storage doesn't have the token any more.
    case refreshAbandoned(presented: String)
    case endExplained(EndExplanation, of: String)
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

    /// Replies when a sign-in may begin. A stored record that cannot be read is replaced by an empty one. If storage was read
    /// before, it is read again for the names that another process has stored since.
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

/// The service's answer to the question who has ended a session.
enum EndExplanation: Sendable {
    /// The person stopped using the app at Apple, or Apple says otherwise; this is how they stand now.
    case byApple(AppleStanding)
    case otherwise
    /// The service could not be asked.
    case unknown
}
