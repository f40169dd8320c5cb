/// Somebody who hears of changes to accounts: the app's own backend by a webhook, or a program that embeds the service.
///
/// A hook is told after the transaction, never within it: it can neither slow down a change to an account nor undo it.
/// The database holds each notice that a hook has not taken, and it is told again, also after a crash. So one notice
/// may come more than once, known by its id. The notices of one account come in their order, one after another. Any of
/// several servers on one database may tell a hook.
public protocol AccountHook: Sendable {
    /// The name by which the database knows for whom a notice waits: 1 to 40 lowercase letters, digits and `-`, another one for
    /// each hook. A hook with a new name gets the notices of what happens from then on. If no server has a hook for 30 days, the
    /// service forgets it, with the notices that wait for it.
    var name: String { get }

    /// Takes a notice. The service cancels the task after 30 seconds, and the hook then has to end soon. If it ignores
    /// the cancellation, its later notices and the server's shutdown wait for it.
    func receive(_ notice: AccountNotice) async -> HookAnswer
}

/// A hook's answer to a notice.
public enum HookAnswer: Hashable, Sendable {
    /// The hook has taken the notice, which is not told again.
    case taken
    /// The notice is told again, less and less often.
    /// - Parameter code: why, in one word for log and operator; never anything personal.
    case failed(code: String)
}

/// A hook in the process that embeds the service.
public struct InProcessHook: AccountHook {
    /// The hook's name, by which the database knows it.
    public let name: String
    private let body: @Sendable (AccountNotice) async throws -> Void

    /// - Parameters:
    ///   - name: see ``AccountHook/name``; not `webhook`, which `siwa serve` uses.
    ///   - body: what it throws is not told to anybody, because it may be personal; the notice comes again.
    public init(name: String, _ body: @escaping @Sendable (AccountNotice) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Calls the closure with the notice, and returns its answer.
    public func receive(_ notice: AccountNotice) async -> HookAnswer {
        do {
            try await body(notice)
            return .taken
        } catch {
            return .failed(code: "hook_failed")
        }
    }
}

/// Something that happened to an account and that the app's own backend wants to know: ids and codes, nothing personal.
///
/// A store writes one for each hook that it knows, in the transaction that does what it tells of.
public struct AccountNotice: Hashable, Sendable {
    /// The kind of change; new kinds may be added.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The word that is stored and sent.
        public let rawValue: String

        /// Keeps any word, also one that this version doesn't know.
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
        /// The person's profile has changed. ``AccountNotice/reason`` is the member: `name`, `contact_email` or `phone`.
        public static let accountProfileChanged = Self(rawValue: "account.profile_changed")
        /// The person gave a consent. ``AccountNotice/reason`` is its purpose: `contact_email` or `phone`.
        public static let consentGiven = Self(rawValue: "consent.given")
        /// The person withdrew a consent, and what it allowed is removed. ``AccountNotice/reason`` is its purpose.
        public static let consentWithdrawn = Self(rawValue: "consent.withdrawn")
        /// The person signs in with Apple from now on, and no more with a password. The account is the same.
        /// ``AccountNotice/identityID`` is Apple's identity.
        public static let accountUpgraded = Self(rawValue: "account.upgraded")
        /// The account has one more way in: ``AccountNotice/identityID``.
        public static let accountLinked = Self(rawValue: "account.linked")
        /// The account has lost a way in: ``AccountNotice/identityID``.
        public static let accountUnlinked = Self(rawValue: "account.unlinked")

        /// The app belongs to another team now, under which the person has another user id at Apple. The account is the
        /// same. ``AccountNotice/identityID`` is the identity, ``AccountNotice/reason`` `import` or `sign_in`.
        public static let identityTransferred = Self(rawValue: "identity.transferred")
        /// The account was merged into ``AccountNotice/mergedInto``, which its identities open from now on. It is the last
        /// notice of the account.
        public static let accountMerged = Self(rawValue: "account.merged")

        /// Whether ``AccountEvent/about`` of such an event is an identity.
        var isAboutIdentity: Bool {
            [
                .appleAccessEnded, .emailForwardingChanged, .accountUpgraded, .accountLinked, .accountUnlinked,
                .identityTransferred,
            ].contains(self)
        }
    }

    /// The notice's identifier, the same at each delivery: a repeat is known by it.
    public var id: AccountNoticeID
    /// The kind of event.
    public var kind: Kind
    /// The account that it happened to.
    public var accountID: AccountID
    /// Rises from change to change of one account, with gaps: what has the greater one happened later.
    public var sequence: Int64
    /// When it happened.
    public var happenedAt: Timestamp
    /// The identity that it concerns, if it concerns one.
    public var identityID: IdentityID?
    /// A code that says more.
    public var reason: String?
    /// The remaining account, with ``Kind/accountMerged``.
    public var mergedInto: AccountID?

    package init(
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
        case .profileChanged: self = .accountProfileChanged
        case .consentGiven: self = .consentGiven
        case .consentWithdrawn: self = .consentWithdrawn
        case .upgraded: self = .accountUpgraded
        case .linked: self = .accountLinked
        case .unlinked: self = .accountUnlinked
        case .identityTransferred: self = .identityTransferred
        default: return nil
        }
    }
}
