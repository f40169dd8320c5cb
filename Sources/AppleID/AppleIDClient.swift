// Transport and key archive are parts of this library's interface, so one import is enough for its users. StrictJWS has
// nothing public; the re-export is for this package's own targets.
@_exported public import AppleIDTransport
public import AppleIDTypes
public import Logging
@_exported public import StrictJWS

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A relying party's side of Sign in with Apple. It sends browsers to Apple, and exchanges, refreshes and revokes the
/// codes and tokens that Apple issues.
public struct AppleIDClient: Sendable {
    /// The server that it asks: Apple's, or an emulator.
    public let server: AppleServer
    /// The clients that can be used, without those that are ambiguous.
    public var clients: [ClientID: ClientRegistration] { registry.clients }
    /// Apple's keys, shared by both verifiers.
    public let keys: KeyCache
    /// The verifier of identity tokens that an app or a browser brings.
    ///
    /// ``exchange(code:client:nonce:redirectURI:codeVerifier:)`` and ``refresh(_:client:subject:)`` verify theirs
    /// themselves.
    public let identityVerifier: IdentityVerifier
    /// The verifier of notifications, which Apple posts to the notification URL of the primary App ID.
    public let notificationVerifier: NotificationVerifier
    let transport: any AppleTransport
    let retries: RetryPolicy
    /// The clock and the source of randomness. The account service uses them too.
    package let environment: AppleIDEnvironment
    /// The instrumentation that receives counters, timers and spans, those of the account service too.
    package let instrumentation: AppleIDInstrumentation
    let logger: Logger
    private let ambiguousClients: Set<ClientID>
    private let registry: ClientRegistry

    /// Creates a client. It asks Apple for nothing before it is used.
    /// - Parameters:
    ///   - clients: your registrations at Apple. The client leaves out two different registrations with the same
    ///     identifier, because it can't tell which one you mean. Calls with this identifier throw
    ///     ``AppleIDError/Code/unknownClient``.
    ///   - keySetArchive: the place where Apple's keys survive a restart.
    ///   - logger: gets a warning with the cause when Apple cannot be reached, once a minute for each cause, and one
    ///     when this server's clock and Apple's differ by more than a minute.
    public init(
        server: AppleServer = .apple, clients: [ClientRegistration], transport: any AppleTransport,
        retries: RetryPolicy = .standard, keySetArchive: KeySetArchive? = nil,
        environment: AppleIDEnvironment = .live, instrumentation: AppleIDInstrumentation = .system, logger: Logger
    ) {
        self.server = server
        var known: [ClientID: ClientRegistration] = [:]
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
            keys: keys, issuers: server.acceptedIssuers, environment: environment, instrumentation: instrumentation,
            watch: watch)
        notificationVerifier = NotificationVerifier(
            keys: keys, issuers: server.acceptedIssuers, environment: environment, instrumentation: instrumentation,
            watch: watch)
        self.transport = transport
        self.retries = retries
        self.environment = environment
        self.instrumentation = instrumentation
        self.logger = logger
    }

    func client(_ id: ClientID) throws(AppleIDError) -> ClientRegistration {
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

    func secret(for client: ClientRegistration) throws(AppleIDError) -> ClientSecret {
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
