/// Who does something that the audit tells of.
public struct AuditActor: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        /// The person whose account it is.
        case account
        /// Whoever holds this server's database and keys.
        case `operator`
        case apple
        /// This service by itself, by a rule of its own.
        case service
    }

    public var kind: Kind
    /// The session through which a person acts.
    public var session: SessionID?
    public var caller: Caller

    public init(_ kind: Kind, session: SessionID? = nil, caller: Caller = .unknown) {
        self.kind = kind
        self.session = session
        self.caller = caller
    }

    public static func account(through session: SessionID?, from caller: Caller) -> Self {
        Self(.account, session: session, caller: caller)
    }

    public static let `operator` = Self(.operator)
    public static let apple = Self(.apple)

    /// - Parameter caller: whose request it was that the rule met.
    public static func service(meeting caller: Caller = .unknown) -> Self {
        Self(.service, caller: caller)
    }
}
