/// Something that happened to an account and that the app's own backend wants to know: ids and codes, nothing personal.
///
/// A store writes one for each hook that it knows, in the transaction that does what it tells of.
public struct AccountNotice: Hashable, Sendable {
    /// What happened; new kinds may be added.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Somebody signed in for the first time.
        public static let accountCreated = Self(rawValue: "account.created")
        /// The account is gone. ``AccountNotice/reason``: nil for the person's own wish, `operator`, or
        /// `apple_consent_revoked`.
        public static let accountDeleted = Self(rawValue: "account.deleted")
        /// Apple lets this service do nothing more for the person: ``AccountNotice/identityID`` says through which
        /// identity, ``AccountNotice/reason`` is the ``SessionEndReason`` of its sessions. The account stays.
        public static let appleAccessEnded = Self(rawValue: "apple_access.ended")
        /// Apple forwards mail to the person's relay address, or does not: ``AccountNotice/reason`` is `enabled` or
        /// `disabled`.
        public static let emailForwardingChanged = Self(rawValue: "email_forwarding.changed")
    }

    /// The same at each delivery, by which a repeat is known.
    public var id: AccountNoticeID
    public var kind: Kind
    public var accountID: AccountID
    /// Rises from change to change of one account, with gaps: what has the greater one happened later.
    public var sequence: Int64
    public var happenedAt: Timestamp
    public var identityID: IdentityID?
    /// A code that says more.
    public var reason: String?

    public init(
        id: AccountNoticeID, kind: Kind, accountID: AccountID, sequence: Int64, happenedAt: Timestamp,
        identityID: IdentityID? = nil, reason: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.accountID = accountID
        self.sequence = sequence
        self.happenedAt = happenedAt
        self.identityID = identityID
        self.reason = reason
    }

    /// Its id follows from what it tells: a transaction that runs a second time makes no other notice of it.
    package init(
        _ kind: Kind, of account: AccountID, sequence: Int64, at moment: Timestamp, identityID: IdentityID? = nil,
        reason: String? = nil
    ) {
        let told = "\(kind.rawValue) \(account) \(sequence) \(moment.microseconds)"
        self.init(
            id: AccountNoticeID(at: moment, randomness: Array(TokenHash(of: told).bytes.prefix(10))), kind: kind,
            accountID: account, sequence: sequence, happenedAt: moment, identityID: identityID, reason: reason)
    }
}

extension AccountNotice.Kind {
    /// Nil for events that concern the account's own clients alone.
    package init?(_ event: AccountEvent.Kind) {
        switch event {
        case .accountDeleted: self = .accountDeleted
        case .appleAccessEnded: self = .appleAccessEnded
        case .emailForwardingChanged: self = .emailForwardingChanged
        default: return nil
        }
    }
}
