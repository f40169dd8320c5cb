/// Something that happened to an account and that its clients may want to know: rows of ids and codes, nothing
/// personal.
///
/// Stores write one in the transaction that decides, and keep it for ``lifetime``, also when the account itself goes.
public struct AccountEvent: Hashable, Sendable {
    /// What happened; new kinds may be added.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Somebody signed in; ``AccountEvent/about`` is the new session.
        public static let signedIn = Self(rawValue: "signed_in")
        /// ``AccountEvent/about`` is the session, ``AccountEvent/reason`` its ``SessionEndReason``.
        public static let sessionEnded = Self(rawValue: "session_ended")
        /// The person stopped using the app at Apple: ``AccountEvent/about`` is the identity, whose sessions ended with
        /// it, and ``AccountEvent/reason`` the ``SessionEndReason`` of those.
        public static let appleAccessEnded = Self(rawValue: "apple_access_ended")
        /// This service ends Apple's authorization at the person's wish; sessions go on. ``AccountEvent/about`` is the
        /// identity.
        public static let appleAccessRevoked = Self(rawValue: "apple_access_revoked")
        /// ``AccountEvent/about`` is the identity, ``AccountEvent/reason`` `enabled` or `disabled`.
        public static let emailForwardingChanged = Self(rawValue: "email_forwarding_changed")
        /// The account is gone, or waits for nothing but Apple.
        public static let accountDeleted = Self(rawValue: "account_deleted")
    }

    /// For how long an event can be read.
    public static let lifetime: Duration = .days(30)

    /// The account's revision after what happened: rises from event to event of one account, with gaps.
    public var revision: Int64
    public var kind: Kind
    public var at: Timestamp
    /// The identifier of the session or identity that it is about; nil when it is about the account.
    public var about: String?
    /// A code that says why.
    public var reason: String?

    public init(revision: Int64, kind: Kind, at: Timestamp, about: String? = nil, reason: String? = nil) {
        self.revision = revision
        self.kind = kind
        self.at = at
        self.about = about
        self.reason = reason
    }
}
