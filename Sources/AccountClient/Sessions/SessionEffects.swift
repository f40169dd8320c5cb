import AccountAPI
import AccountConnection

/// An output of ``SessionMachine``: what its runner has to do.
enum SessionEffect: Sendable {
    /// Read storage, then report ``SessionEvent/loaded(_:)``.
    case load
    /// Write storage, then report ``SessionEvent/saved(_:)``.
    case save(StoredRecord, lastSeen: StoredRecord, replacing: Bool)
    /// Exchange the refresh token, then report ``SessionEvent/refreshed(_:presented:)`` or
    /// ``SessionEvent/refreshAbandoned(presented:)``.
    case refresh(String, attempt: String, deviceName: String?)
    /// Ask who has ended the session of this refresh token, then report ``SessionEvent/endExplained(_:of:)``.
    case explainEnd(of: String)
    /// End a session at the service, after it was replaced or forgotten, or because nobody wants it. No event follows.
    case endUnused(refreshToken: String, attempt: String?, AccessToken?)
    case cancelAuthorization(AuthorizationID)
    case publish(SessionState)
    /// Tell the process that the person has stopped using the app with their Apple Account.
    case announceAppleAccessEnded
    case reply(Result<SessionSnapshot, AccountClientError>, to: RequestID)
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

/// An answer of the service with an access token.
protocol AccessTokenAnswer: Sendable {
    /// The seconds until the access token is refused.
    var expiresIn: Int { get set }
}

extension SignInAnswer: AccessTokenAnswer {
    var expiresIn: Int {
        get { session.expiresIn }
        set { session.expiresIn = newValue }
    }
}

extension RefreshAnswer: AccessTokenAnswer {
    var expiresIn: Int {
        get { session.expiresIn }
        set { session.expiresIn = newValue }
    }
}

extension ReauthenticationAnswer: AccessTokenAnswer {}

extension AccountUpgradeAnswer: AccessTokenAnswer {}

extension ClientEnvironment {
    /// Makes one call whose answer has an access token, and subtracts the time of the call from the token's lifetime. The
    /// service makes the token before the answer arrives, and the device may sleep in between.
    func countingFromRequest<Answer: AccessTokenAnswer>(
        _ call: () async throws(ServiceError) -> Answer
    ) async throws(ServiceError) -> Answer {
        let start = now()
        var answer = try await call()
        let (seconds, attoseconds) = (now() - start).components
        answer.expiresIn = max(0, answer.expiresIn) - Int(seconds) - (attoseconds > 0 ? 1 : 0)
        return answer
    }
}
