/// A kind of event that the audit log records: a code that does not change once it was written.
///
/// `Docs/operations-records.md` lists them with their subjects and details.
public struct AuditEvent: RawRepresentable, Hashable, Sendable {
    /// The word that is stored and sent.
    public let rawValue: String

    /// Keeps any word, also one that this version doesn't know.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    // MARK: Sessions

    /// A session was opened, which is the subject; the detail of an account's first one is `new_account`.
    public static let signedIn = Self(rawValue: "signed_in")
    /// A person has proven again who they are; the subject is the session that is fresh now.
    public static let reauthenticated = Self(rawValue: "reauthenticated")
    /// A refresh token came again and got the same successor. The subject is the session; the detail is `late` where only
    /// the client's attempt allowed it.
    public static let refreshRepeated = Self(rawValue: "refresh_repeated")
    /// A session ended. The subject is the session, the detail is a ``SessionEndReason``.
    public static let sessionEnded = Self(rawValue: "session_ended")

    /// A person reported that an ended session was not theirs. The subject is the session.
    public static let sessionDisowned = Self(rawValue: "session_disowned")

    // MARK: Accounts and identities

    /// An operator disabled the account. The service refuses sign-ins to it from then on.
    public static let accountDisabled = Self(rawValue: "account_disabled")
    /// The operator takes sign-ins to the account again.
    public static let accountEnabled = Self(rawValue: "account_enabled")
    /// Apple is to end its authorization of the person; the subject is the identity.
    public static let appleRevocationOrdered = Self(rawValue: "apple_revocation_ordered")
    /// A person's Apple Account is gone, and with it what was known of the identity, which is the subject.
    public static let identityRemoved = Self(rawValue: "identity_removed")
    /// The person has added a way in: the subject is the identity, the detail its provider.
    public static let identityLinked = Self(rawValue: "identity_linked")
    /// The person has removed a way in: the subject is the identity, the detail its provider.
    public static let identityUnlinked = Self(rawValue: "identity_unlinked")
    /// A person tried to add an identity to an account, and it opens another one. Both accounts get an entry.
    public static let credentialConflict = Self(rawValue: "credential_conflict")
    /// The app has moved to another team, and the identity, which is the subject, with it. The detail is `import`, or
    /// `sign_in` where the person came first.
    public static let identityTransferred = Self(rawValue: "identity_transferred")
    /// Two accounts have become one. Each of them gets an entry, whose subject is the other one.
    public static let accountMerged = Self(rawValue: "account_merged")
    /// The account was deleted.
    public static let accountDeleted = Self(rawValue: "account_deleted")

    // MARK: Passwords

    /// An email identity, which is the subject, has its first password.
    public static let passwordSet = Self(rawValue: "password_set")
    /// The person has changed the password of the identity that is the subject.
    public static let passwordChanged = Self(rawValue: "password_changed")
    /// Somebody with the mail of the identity that is the subject has set a new password; all sessions ended.
    public static let passwordReset = Self(rawValue: "password_reset")
    /// The operator has removed the password of the identity that is the subject.
    public static let passwordRemoved = Self(rawValue: "password_removed")
    /// The password of the identity that is the subject was wrong too often: it is off until it is reset by mail.
    public static let passwordOff = Self(rawValue: "password_off")
    /// The person signs in with Apple from now on, by the identity that is the subject, and no more with a password.
    public static let upgraded = Self(rawValue: "upgraded")

    // MARK: Profiles and consents

    /// A person's profile has changed; the detail is the member: `name`, `contact_email` or `phone`.
    public static let profileChanged = Self(rawValue: "profile_changed")
    /// A person asked for a new contact address, which waits for its link to be opened.
    public static let contactEmailRequested = Self(rawValue: "contact_email_requested")
    /// Somebody with the former address has taken a change of the contact address back.
    public static let contactEmailTakenBack = Self(rawValue: "contact_email_taken_back")
    /// The person gave a consent. The subject is the consent, the detail is its purpose.
    public static let consentGiven = Self(rawValue: "consent_given")
    /// The person withdrew a consent. The subject is the consent, the detail is its purpose.
    public static let consentWithdrawn = Self(rawValue: "consent_withdrawn")

    // MARK: The server

    /// The daily check of a client was stopped, because too many of its tokens died: the client is the subject.
    package static let dailyCheckStopped = Self(rawValue: "daily_check_stopped")
    /// An operator resumed the daily check of a client, which is the subject.
    package static let dailyCheckResumed = Self(rawValue: "daily_check_resumed")
    /// An operator has a parked entry tried again, which is the subject.
    package static let outboxRetried = Self(rawValue: "outbox_retried")
    /// An operator has a parked mail tried again, which is the subject.
    package static let mailRetried = Self(rawValue: "mail_retried")
    /// An operator has removed a mail from the queue, which is the subject.
    package static let mailRemoved = Self(rawValue: "mail_removed")
    /// An operator has put an announcement into the queue, for the entry's account or for all. Its name is the subject.
    package static let announced = Self(rawValue: "announced")
    /// An operator has begun to import people from the service that is the subject.
    package static let peopleImported = Self(rawValue: "people_imported")
    /// A key of the server was changed. The subject is the key that is active from now on, the detail is its use.
    package static let keysRotated = Self(rawValue: "keys_rotated")
    /// The sealed values were sealed anew. The subject is the name of the ring's first key.
    package static let keysResealed = Self(rawValue: "keys_resealed")
}
