import AccountDatabase
public import AppleIDTypes

/// The ways in which the person of an account signs in.
public struct WaysIn: Hashable, Sendable, Redacted {
    /// Whether the person signs in with Apple.
    public var apple: Bool
    /// The ids of the other providers with which the person signs in.
    public var providers: [String]
    /// The address with which the person signs in, as they typed it; nil if they don't.
    public var emailIdentity: String?
    /// Whether the person has a password. Without one, a link in a mail signs them in.
    public var hasPassword: Bool
    /// Whether the password was wrong too often, and is off until it is reset by mail.
    public var isOff: Bool

    /// Names the ways of an account.
    public init(
        apple: Bool, providers: [String] = [], emailIdentity: String? = nil, hasPassword: Bool = false,
        isOff: Bool = false
    ) {
        self.apple = apple
        self.providers = providers
        self.emailIdentity = emailIdentity
        self.hasPassword = hasPassword
        self.isOff = isOff
    }
}

extension AccountDomain {
    /// Returns the ways in which the person of an account signs in, also where the service takes no passwords any more.
    public func waysIn(of account: AccountID) async throws -> WaysIn {
        try await store.waysIn(of: account)
    }

    /// Returns the way in that opened a session: Apple's, or an address with or without a password.
    public func waysIn(thatOpened session: Session) async throws -> WaysIn {
        try await store.waysIn(thatOpened: session)
    }
}

extension AccountDirectory {
    /// Returns the ways in which the person of an account signs in.
    package func waysIn(of account: AccountID) async throws -> WaysIn {
        try await store.waysIn(of: account)
    }
}

extension AccountTransactions {
    /// The ways in which the person of an account signs in.
    package func waysIn(of account: AccountID) async throws -> WaysIn {
        try await read { connection in
            let email = try connection.emailIdentity(of: account)
            let found = try connection.identities(of: account).map(\.provider)
            return WaysIn(
                apple: found.contains(.apple),
                providers: found.filter { $0 != .apple && $0 != .email }.map(\.rawValue), emailIdentity: email?.address,
                hasPassword: email?.password != nil,
                isOff: email?.password?.isOff == true)
        }
    }

    /// The way in that opened a session, without the others of the account.
    func waysIn(thatOpened session: Session) async throws -> WaysIn {
        try await read { connection in
            guard let email = try connection.emailIdentity(session.identityID) else {
                let identity = try connection.identities(of: session.accountID).first { $0.id == session.identityID }
                let provider = identity?.provider ?? .apple
                return WaysIn(apple: provider == .apple, providers: provider == .apple ? [] : [provider.rawValue])
            }
            return WaysIn(
                apple: false, emailIdentity: email.address, hasPassword: email.password != nil,
                isOff: email.password?.isOff == true)
        }
    }
}
