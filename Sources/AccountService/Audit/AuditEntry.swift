public import AppleIDTypes

/// A record of who did what, when and from where: written in the transaction that did it, and never changed.
///
/// All but ``AuditActor/caller`` is identifiers and codes, so that an entry can stay when its person is gone: then a
/// store empties the caller's address and device alone.
public struct AuditEntry: Hashable, Sendable {
    /// The entry's identifier, which begins with its time.
    package var id: AuditID
    /// When it happened.
    public var at: Timestamp
    /// The kind of event.
    public var event: AuditEvent
    /// The actor of the event, and where they acted from.
    public var actor: AuditActor
    /// The account that the entry concerns; nil for what concerns the server.
    public var account: AccountID?
    /// The identifier of what it is about, where that is not the account: a session, a key, an entry of a queue.
    public var subject: String?
    /// A code that says more; each event says which.
    public var detail: String?

    /// A new entry.
    ///
    /// Its id is made of what it tells, so that a transaction which runs again writes the same, and needs no
    /// randomness: twice the same about one subject in one microsecond is one entry.
    package init(
        _ event: AuditEvent, at: Timestamp, by actor: AuditActor, account: AccountID?, subject: String? = nil,
        detail: String? = nil
    ) {
        let told = [
            event.rawValue, "\(at.microseconds)", actor.kind.rawValue, actor.session?.rawValue ?? "",
            account?.rawValue ?? "", subject ?? "", detail ?? "",
        ]
        self.init(
            id: AuditID(at: at, randomness: Array(TokenHash(of: told.joined(separator: " ")).bytes.prefix(10))), at: at,
            event: event, actor: actor, account: account, subject: subject, detail: detail)
    }

    /// Makes an entry from the values that a store gives back.
    package init(
        id: AuditID, at: Timestamp, event: AuditEvent, actor: AuditActor, account: AccountID?, subject: String?,
        detail: String?
    ) {
        self.id = id
        self.at = at
        self.event = event
        self.actor = actor
        self.account = account
        self.subject = subject
        self.detail = detail
    }
}

/// The actor of an event that the audit tells of.
public struct AuditActor: Hashable, Sendable {
    /// The kinds of actors that the audit tells apart.
    @nonexhaustive
    public enum Kind: String, Hashable, Sendable {
        /// The person whose account it is.
        case account
        /// The operator, who holds this server's database and keys.
        case `operator`
        case apple
        /// This service by itself, by a rule of its own.
        case service
    }

    /// The kind of actor.
    public var kind: Kind
    /// The session through which a person acts.
    public var session: SessionID?
    /// The address and device that the request came from.
    public var caller: Caller

    package init(_ kind: Kind, session: SessionID? = nil, caller: Caller = .unknown) {
        self.kind = kind
        self.session = session
        self.caller = caller
    }

    /// The person whose account it is, through one of their sessions.
    package static func account(through session: SessionID?, from caller: Caller) -> Self {
        Self(.account, session: session, caller: caller)
    }

    /// The operator, by a command or by a program that embeds the service.
    package static let `operator` = Self(.operator)
    /// Apple, by a notification or by what it answers about a token.
    package static let apple = Self(.apple)

    /// The service by a rule of its own.
    /// - Parameter caller: whose request it was that the rule met.
    package static func service(meeting caller: Caller = .unknown) -> Self {
        Self(.service, caller: caller)
    }
}

/// The network address and device that a request comes from, as far as they are known.
///
/// Personal data. The service writes it to the audit, to the session that it opens, to the records of consents, and to
/// mails about new devices. An app's authorization keeps the address, too, and rate limits count its network.
public struct Caller: Hashable, Sendable, Redacted {
    /// The network address, as text.
    public var address: String?
    /// The person's own word for the device, as the app tells it.
    public var device: DeviceName?
    /// The person's languages (BCP 47), the favorite first, for the mails that the request causes: at most 8, of at most 35
    /// bytes each. The audit doesn't have them.
    public let languages: [String]

    /// Names an address, a device and languages, each as far as it is known.
    /// - Parameter languages: BCP 47, the favorite first. The first 8 are kept, without those of more than 35 bytes.
    public init(address: String? = nil, device: DeviceName? = nil, languages: [String] = []) {
        self.address = address
        self.device = device
        self.languages = LanguageLookup.kept(of: languages)
    }

    /// No address and no device: for what no request causes, and where nothing is known.
    public static let unknown = Self()
}
