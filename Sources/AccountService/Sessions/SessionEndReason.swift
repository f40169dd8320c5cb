/// Why a session ended before its time.
public struct SessionEndReason: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let signedOut = Self(rawValue: "signed_out")
    /// Its person ended it from another session.
    public static let endedElsewhere = Self(rawValue: "ended_elsewhere")
    /// The operator has disabled the account.
    public static let accountDisabled = Self(rawValue: "account_disabled")
    /// The same browser signed in again.
    public static let replaced = Self(rawValue: "replaced")
    /// A refresh token came a second time, later than any lost answer explains.
    public static let refreshTokenReused = Self(rawValue: "refresh_token_reused")
    /// Its refresh token was exchanged 30,000 times. Former versions ended such a session; this one doesn't.
    public static let exhausted = Self(rawValue: "exhausted")
    /// Apple says that the person stopped using the app with their Apple Account.
    public static let appleConsentRevoked = Self(rawValue: "apple_consent_revoked")
    /// Apple says that the person's Apple Account is gone.
    public static let appleAccountDeleted = Self(rawValue: "apple_account_deleted")
    /// Apple no longer takes the refresh token that it gave for this person.
    public static let appleGrantDead = Self(rawValue: "apple_grant_dead")
}
