public import AppleIDTypes
public import Logging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A relying party's side of Sign in with Apple: where to send browsers, and what to make of what comes back.
public struct AppleIDClient: Sendable {
    public let server: AppleServer
    public let clients: [ClientID: AppleClient]
    public let keys: KeyCache
    public let identityVerifier: IdentityVerifier
    public let notificationVerifier: NotificationVerifier
    let transport: any AppleTransport
    let retries: RetryPolicy
    let environment: AppleIDEnvironment
    let instrumentation: AppleIDInstrumentation
    let logger: Logger
    private let secrets = ClientSecrets()

    /// - Parameters:
    ///   - clients: of two with the same identifier the last counts.
    ///   - issuers: whose tokens count; Apple has one issuer, and named another for a while.
    ///   - keySetArchive: where Apple's keys survive a restart.
    public init(
        server: AppleServer = .apple, clients: [AppleClient], issuers: AcceptedIssuers = .apple,
        transport: any AppleTransport, retries: RetryPolicy = .standard, keySetArchive: KeySetArchive? = nil,
        environment: AppleIDEnvironment = .live, instrumentation: AppleIDInstrumentation = .system, logger: Logger
    ) {
        self.server = server
        self.clients = Dictionary(clients.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        keys = KeyCache(
            server: server, transport: transport, archive: keySetArchive, environment: environment,
            instrumentation: instrumentation, logger: logger)
        identityVerifier = IdentityVerifier(
            keys: keys, issuers: issuers, environment: environment, instrumentation: instrumentation)
        notificationVerifier = NotificationVerifier(
            keys: keys, issuers: issuers, environment: environment, instrumentation: instrumentation)
        self.transport = transport
        self.retries = retries
        self.environment = environment
        self.instrumentation = instrumentation
        self.logger = logger
    }

    func client(_ id: ClientID) throws(AppleIDError) -> AppleClient {
        guard let client = clients[id] else {
            throw AppleIDError(.unknownClient, "no client \(id) is configured")
        }
        return client
    }

    func secret(for client: AppleClient) throws(AppleIDError) -> ClientSecret {
        try secrets.secret(for: client, at: environment.now().wholeSeconds)
    }
}
