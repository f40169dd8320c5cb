import AccountDatabase
import AppleIDTypes
public import OpenIDConnect

/// The OpenID Providers beside Apple with which people can sign in.
public struct Providers: Sendable {
    /// The texts that stand in the place of a provider's id in paths of this service, or name something else in the
    /// database. No provider can have one of them as its id.
    package static let reservedIDs: Set<String> = ["apple", "callback", "email", "handle", "link", "password"]

    let clients: [ProviderClient]

    /// The configurations of all providers, in the order in which pages show them.
    public var configurations: [ProviderConfiguration] { clients.map(\.configuration) }

    /// The providers with which people can sign in in a browser. The others are for apps alone.
    public var inBrowsers: [ProviderConfiguration] { configurations.filter { $0.credential != nil } }

    /// - Throws: ``AccountError/Code/configuration`` for providers that can't be told apart, and for a reserved id.
    init(_ clients: [ProviderClient]) throws(AccountError) {
        self.clients = clients
        do throws(OpenIDConnectError) {
            try ProviderConfiguration.requireDistinct(configurations)
        } catch {
            throw AccountError(.configuration, error.reason, cause: error)
        }
        var issuers: [String: ProviderID] = [:]
        for configuration in configurations {
            let id = configuration.id
            guard !Self.reservedIDs.contains(id.rawValue) else {
                throw AccountError(.configuration, "a provider can't have the id \(id), which the service uses itself")
            }
            // The id is a part of the key of an identity, so one person would be two.
            if let other = issuers.updateValue(id, forKey: configuration.issuer) {
                throw AccountError(.configuration, "the providers \(other) and \(id) have the same issuer")
            }
        }
    }

    /// The ids of all providers.
    var ids: Set<String> { Set(configurations.map(\.id.rawValue)) }

    /// Finds the client of a provider.
    /// - Throws: ``AccountError/Code/providerUnknown``.
    func client(_ id: String) throws(AccountError) -> ProviderClient {
        guard let client = clients.first(where: { $0.configuration.id.rawValue == id }) else {
            throw AccountError(.providerUnknown, "no provider with this id is configured")
        }
        return client
    }

    /// Finds the client of a provider with which people can sign in in a browser.
    /// - Throws: ``AccountError/Code/providerUnknown``, also for a provider that is for apps alone.
    func clientForBrowsers(_ id: String) throws(AccountError) -> ProviderClient {
        let client = try client(id)
        guard client.configuration.credential != nil else {
            throw AccountError(.providerUnknown, "this provider is for apps alone")
        }
        return client
    }

    /// Fetches the documents and keys in the background that are older than an hour.
    func refreshIfOld() {
        for client in clients { client.refreshIfOld() }
    }
}

extension IdentityProvider {
    /// The provider of identities that an OpenID Provider vouches for.
    init(_ id: ProviderID) {
        self.init(rawValue: id.rawValue)
    }
}

extension AccountTransactions {
    /// Notes which issuer each provider stands for, unless an earlier start has.
    ///
    /// An identity's key has the id and the issuer. If one of them changed without the other, everybody would silently
    /// get a new account.
    /// - Throws: ``AccountError/Code/configuration`` for an id that stands for another issuer, and for an issuer that
    ///   has another id.
    func bind(_ providers: [ProviderConfiguration], at moment: Timestamp) async throws {
        guard !providers.isEmpty else { return }
        try await write { connection in
            for provider in providers {
                let (id, issuer) = (provider.id.rawValue, provider.issuer)
                try connection.execute(.noteProvider, [.text(id), .text(issuer), .time(moment)])
                let known = try connection.query(.providers, [.text(id), .text(issuer)]) { columns in
                    try (id: columns.text(), issuer: columns.text())
                }
                if let other = known.first(where: { $0.id != id || $0.issuer != issuer }) {
                    throw AccountError(
                        .configuration,
                        "this database knows \(other.issuer) as provider \(other.id), and the server is configured with "
                            + "\(issuer) as \(id)")
                }
            }
        }
    }
}

extension SQLStatement {
    fileprivate static let noteProvider: Self = """
        INSERT INTO providers (id, issuer, first_seen_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING
        """
    fileprivate static let providers: Self = "SELECT id, issuer FROM providers WHERE id = ?1 OR issuer = ?2"
}
