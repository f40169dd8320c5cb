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
        try Self.check(configurations)
    }

    /// Refuses providers that can't be told apart, and reserved ids. `siwa serve --check` calls it, too.
    /// - Throws: ``AccountError/Code/configuration``.
    package static func check(_ configurations: [ProviderConfiguration]) throws(AccountError) {
        do throws(OpenIDConnectError) {
            try ProviderConfiguration.requireDistinct(configurations)
        } catch {
            throw AccountError(.configuration, error.reason, cause: error)
        }
        for (index, configuration) in configurations.enumerated() {
            let id = configuration.id
            guard !reservedIDs.contains(id.rawValue) else {
                throw AccountError(.configuration, "a provider can't have the id \(id), which the service uses itself")
            }
            // The id is a part of the key of an identity, so one person would be two.
            if let other = configurations[..<index].first(where: { $0.sharesPeople(with: configuration) }) {
                throw AccountError(.configuration, "the providers \(other.id) and \(id) have the same issuer")
            }
        }
    }

    /// The names of all providers, by their ids.
    var names: [String: String] {
        Dictionary(configurations.map { ($0.id.rawValue, $0.button.name) }) { first, _ in first }
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
    /// get a new account. As long as nobody would, a setting can be corrected.
    /// - Throws: ``AccountError/Code/configuration`` for an id that stands for another issuer, and for an issuer that
    ///   has another id, if there are people whose key would change.
    func bind(_ providers: [ProviderConfiguration], at moment: Timestamp) async throws {
        guard !providers.isEmpty else { return }
        try await write { connection in
            for provider in providers {
                try connection.requireKeptKeys(of: provider)
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

extension SQLConnection {
    /// Forgets what an earlier start has noted of a provider's id or issuer, unless it knows people by it who would get new
    /// accounts.
    fileprivate func requireKeptKeys(of provider: ProviderConfiguration) throws {
        let (id, issuer) = (provider.id.rawValue, provider.issuer)
        let known = try query(.allProviders, []) { try (id: $0.text(), issuer: $0.text()) }
        for other in known where other.id != id || other.issuer != issuer {
            let isRenamed = other.id == id || other.issuer == issuer
            // Two issuers at Microsoft can have the same people.
            guard isRenamed || provider.keepsKeys(ofIssuer: other.issuer) else { continue }
            let issuers = try query(.issuersOfPeople, [.text(other.id)]) { try $0.text() }
            let losesPeople = issuers.contains { team in
                other.id == id ? !provider.keepsKeys(ofIssuer: team) : provider.takesPeople(ofIssuer: team)
            }
            guard !losesPeople else {
                throw AccountError(
                    .configuration,
                    "this database knows people of \(other.issuer) as those of provider \(other.id), and the server is "
                        + "configured with \(issuer) as \(id)")
            }
            if isRenamed { try execute(.forgetProvider, [.text(other.id)]) }
        }
    }
}

extension AccountTransactions {
    /// The issuers of the providers that a server on this database was configured with, by the providers' ids.
    package func knownProviders() async throws -> [String: String] {
        let rows = try await read { connection in
            try connection.query(.allProviders, []) { try (id: $0.text(), issuer: $0.text()) }
        }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.issuer) })
    }
}

extension SQLStatement {
    fileprivate static let issuersOfPeople: Self = """
        SELECT DISTINCT team FROM identities WHERE provider = ?1 AND removed_at IS NULL
        """
    fileprivate static let forgetProvider: Self = "DELETE FROM providers WHERE id = ?1"
    fileprivate static let allProviders: Self = "SELECT id, issuer FROM providers"
    fileprivate static let noteProvider: Self = """
        INSERT INTO providers (id, issuer, first_seen_at) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING
        """
    fileprivate static let providers: Self = "SELECT id, issuer FROM providers WHERE id = ?1 OR issuer = ?2"
}
