/// Why a session ended before its time.
public struct SessionEndReason: RawRepresentable, Hashable, Sendable {
    /// The word that is stored and sent.
    public let rawValue: String

    /// Keeps any word, also one that this version doesn't know.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The person signed out.
    public static let signedOut = Self(rawValue: "signed_out")
    /// The person ended the session from another one.
    public static let endedElsewhere = Self(rawValue: "ended_elsewhere")
    /// The person said, by a link in a mail, that the sign-in was not theirs.
    public static let notMe = Self(rawValue: "not_me")
    /// The operator has disabled the account.
    public static let accountDisabled = Self(rawValue: "account_disabled")
    /// The browser that had the session signed in again.
    public static let replaced = Self(rawValue: "replaced")
    /// A refresh token came a second time, later than any lost answer explains.
    public static let refreshTokenReused = Self(rawValue: "refresh_token_reused")
    /// The session's refresh token was exchanged 30,000 times. Former versions ended such a session; this one doesn't.
    public static let exhausted = Self(rawValue: "exhausted")
    /// Apple says that the person stopped using the app with their Apple Account.
    public static let appleConsentRevoked = Self(rawValue: "apple_consent_revoked")
    /// Apple says that the person's Apple Account is gone.
    public static let appleAccountDeleted = Self(rawValue: "apple_account_deleted")
    /// A change of the contact address was taken back, and the session was opened after the change was asked for.
    public static let contactEmailTakenBack = Self(rawValue: "contact_email_taken_back")
    /// The password was reset by a link in a mail, which ends all sessions.
    public static let passwordReset = Self(rawValue: "password_reset")
    /// The person changed the password and ended all other sessions.
    public static let passwordChanged = Self(rawValue: "password_changed")
    /// The person went over to Sign in with Apple and ended all other sessions.
    public static let upgraded = Self(rawValue: "upgraded")
    /// The person removed the identity that opened the session.
    public static let unlinked = Self(rawValue: "unlinked")
    /// The account was merged into another one.
    public static let merged = Self(rawValue: "merged")
    /// Apple no longer takes the refresh token that it gave for this person.
    public static let appleGrantDead = Self(rawValue: "apple_grant_dead")
}

/// How a session ends before its time, for a store and its audit.
package struct SessionEnding: Hashable, Sendable {
    package var at: Timestamp
    package var reason: SessionEndReason
    package var actor: AuditActor

    package init(at: Timestamp, reason: SessionEndReason, by actor: AuditActor) {
        self.at = at
        self.reason = reason
        self.actor = actor
    }
}
