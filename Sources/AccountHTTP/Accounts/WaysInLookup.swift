import AccountService

/// Looks up the ways in which people sign in, for the controllers.
struct WaysInLookup: Sendable {
    private let domain: AccountDomain

    init(_ domain: AccountDomain) {
        self.domain = domain
    }

    /// Whether people can sign in other than with Apple.
    var hasSeveral: Bool { domain.passwords != nil || !domain.providers.configurations.isEmpty }

    /// The ways in which the person of an account signs in. An email address is among them even if the service takes no
    /// passwords any more.
    func waysIn(of account: AccountID) async throws -> WaysIn {
        try await domain.waysIn(of: account)
    }

    /// The way in that opened a session, without the others of the account.
    func waysIn(thatOpened session: Session) async throws -> WaysIn {
        try await domain.waysIn(thatOpened: session)
    }
}

extension WaysIn {
    /// Whether the person can sign in with their address and a password.
    var acceptsPassword: Bool { emailIdentity != nil && hasPassword && !isOff }
}
