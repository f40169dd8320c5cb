public import AppleIDTypes
public import Logging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A relying party's side of Sign in with Apple: where to send browsers, and what to make of what comes back.
public struct AppleIDClient: Sendable {
    /// Whom it asks, and whose tokens count.
    public let server: AppleServer
    /// Those that can be used: without any that were ambiguous.
    public var clients: [ClientID: AppleClient] { registry.clients }
    /// Apple's keys, shared by both verifiers.
    public let keys: KeyCache
    /// For tokens that an app or a browser brings; ``exchange(code:client:nonce:redirectURI:codeVerifier:)`` and
    /// ``refresh(_:client:subject:)`` verify theirs themselves.
    public let identityVerifier: IdentityVerifier
    /// For what Apple posts to the notification URL of the primary App ID.
    public let notificationVerifier: NotificationVerifier
    let transport: any AppleTransport
    let retries: RetryPolicy
    let environment: AppleIDEnvironment
    let instrumentation: AppleIDInstrumentation
    let logger: Logger
    private let ambiguousClients: Set<ClientID>
    private let registry: ClientRegistry

    /// - Parameters:
    ///   - clients: two different ones with the same identifier are both left out, since nothing says which is meant;
    ///     whoever uses them is told so (``AppleIDError/Code/unknownClient``).
    ///   - issuers: whose tokens count; Apple has one issuer, and named another for a while.
    ///   - keySetArchive: where Apple's keys survive a restart.
    ///   - logger: gets a warning with the cause when Apple cannot be reached, once a minute for each cause, and one
    ///     when this server's clock and Apple's differ by more than a minute.
    public init(
        server: AppleServer = .apple, clients: [AppleClient], issuers: AcceptedIssuers = .apple,
        transport: any AppleTransport, retries: RetryPolicy = .standard, keySetArchive: KeySetArchive? = nil,
        environment: AppleIDEnvironment = .live, instrumentation: AppleIDInstrumentation = .system, logger: Logger
    ) {
        self.server = server
        var known: [ClientID: AppleClient] = [:]
        var ambiguous: Set<ClientID> = []
        for client in clients {
            if let other = known.updateValue(client, forKey: client.id), !other.isSame(as: client) {
                ambiguous.insert(client.id)
            }
        }
        registry = ClientRegistry(known.filter { !ambiguous.contains($0.key) })
        ambiguousClients = ambiguous
        let watch = AppleWatch(now: environment.now, logger: logger)
        let transport = WatchedTransport(transport: transport, watch: watch)
        keys = KeyCache(
            server: server, transport: transport, archive: keySetArchive, environment: environment,
            instrumentation: instrumentation, logger: logger)
        identityVerifier = IdentityVerifier(
            keys: keys, issuers: issuers, environment: environment, instrumentation: instrumentation, watch: watch)
        notificationVerifier = NotificationVerifier(
            keys: keys, issuers: issuers, environment: environment, instrumentation: instrumentation, watch: watch)
        self.transport = transport
        self.retries = retries
        self.environment = environment
        self.instrumentation = instrumentation
        self.logger = logger
    }

    func client(_ id: ClientID) throws(AppleIDError) -> AppleClient {
        guard let client = clients[id] else {
            let name = id.rawValue.quotedForPeople
            throw AppleIDError(
                .unknownClient,
                ambiguousClients.contains(id)
                    ? "different clients with the identifier \(name) are configured" : "no client \(name) is configured"
            )
        }
        return client
    }

    func secret(for client: AppleClient) throws(AppleIDError) -> ClientSecret {
        try registry.secret(for: client, at: environment.now().wholeSeconds)
    }

    /// Signs client secrets with another key from now on. A request under way ends with the secret that it has.
    ///
    /// Copies of this client, and all that was made with it, use the key too.
    /// - Parameter key: For every client of its team. Clients of another team keep theirs.
    package func replaceKey(with key: AppleClientKey) {
        registry.replaceKey(with: key)
    }
}
