/// What the audit tells of: a code that does not change once it was written. Each feature adds its own.
public struct AuditEvent: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A session was opened, which is the subject; the detail of an account's first one is `new_account`.
    public static let signedIn = Self(rawValue: "signed_in")
    /// The subject is the session, the detail a ``SessionEndReason``.
    public static let sessionEnded = Self(rawValue: "session_ended")
    /// A refresh token came again and got the same successor. The subject is the session; the detail is `late` where only
    /// the client's ``RefreshAttempt`` allowed it.
    public static let refreshRepeated = Self(rawValue: "refresh_repeated")
    /// Sign-ins to it are refused from then on.
    public static let accountDisabled = Self(rawValue: "account_disabled")
    public static let accountEnabled = Self(rawValue: "account_enabled")
    /// The subject is the key that is active from now on, the detail what it is for.
    public static let keysRotated = Self(rawValue: "keys_rotated")
    /// The subject is the name of the ring's first key.
    public static let keysResealed = Self(rawValue: "keys_resealed")
}
