public import AppleID
public import Logging

/// The account service without its adapters: everything that a server, a command or an embedding program calls.
public struct AccountDomain: Sendable {
    public let configuration: AccountConfiguration
    public let signIn: SignIn
    public let authorizations: Authorizations
    public let sessions: Sessions
    public let revocations: Revocations
    public let deletions: Deletions
    public let exports: Exports
    public let challenges: Challenges
    /// To be run beside the server.
    public let serverKeys: ServerKeys
    public let notifications: AppleNotifications
    public let credentialStates: CredentialStates
    public let events: AccountEvents
    /// Rung when something happened to an account; features that write events ring it.
    public let bell: EventBell
    public let store: any AccountStore
    /// To be run beside the server; a shutdown must wait for it before the store is closed.
    public let finishing: FinishingWork
    /// To be run beside the server.
    public let sweeper: Sweeper
    /// To be run beside the server.
    public let keyRefresher: KeyRefresher
    /// To be run beside the server.
    public let dailyCheck: DailyCheck
    /// To be run beside the server, between ``finishing`` and the server.
    public let outbox: Outbox
    /// To be run beside the server.
    public let hookDelivery: HookDelivery
    /// The clock that the service goes by.
    public let environment: AppleIDEnvironment
    /// Where what is counted goes.
    public let instrumentation: AppleIDInstrumentation

    /// Opens the service on a store: checks whose Apple the store belongs to, and opens or makes the server's own keys.
    ///
    /// - Parameter hooks: who hears of changes to accounts; servers on one database have the same ones.
    /// - Throws: ``AccountError/Code/wrongApple`` for a store of another Apple, ``AccountError/Code/configuration``
    ///   when the key ring does not open the store's keys, a configured client is unknown to `apple`, or an app could
    ///   never do what it is configured for, or hooks are not told apart by their names.
    public static func open(
        configuration: AccountConfiguration, apple: AppleIDClient, store: any AccountStore,
        hooks: [any AccountHook] = [], environment: AppleIDEnvironment = .live,
        instrumentation: AppleIDInstrumentation = .system, logger: Logger
    ) async throws -> AccountDomain {
        for client in configuration.nativeClients.union(configuration.webClient.map { [$0] } ?? [])
        where apple.clients[client] == nil {
            throw AccountError(.configuration, "client `\(client)` has no key to ask Apple with")
        }
        try App.check(configuration.apps, clients: apple.clients)
        try HookDelivery.check(hooks)
        guard configuration.demoOwner == nil || apple.server != .apple,
            configuration.demoOwner != AppleServer.apple.name
        else {
            throw AccountError(.configuration, "a demo never speaks for Apple")
        }
        let wanted = configuration.demoOwner ?? apple.server.name
        let owner = try await store.claim(for: wanted)
        guard owner == wanted else {
            throw AccountError(
                .wrongApple, "this database belongs to \(owner), and the server is configured for \(wanted)")
        }
        let keyedFrom = try await store.userCodesKeyed(from: Timestamp(environment.now()) + UserCodeKeys.upgrade)
        let keyRing = KeyRingInUse(configuration.keyRing)
        let keys = try await ServerKeys.open(
            store: store, keyRing: keyRing, environment: environment, logger: logger)
        if !hooks.isEmpty { try await store.noteHooks(hooks.map(\.name), at: Timestamp(environment.now())) }
        let bell = EventBell()
        let sessions = Sessions(
            limits: configuration.sessionLimits,
            accessTokens: AccessTokens(
                issuer: configuration.publicURL.rawValue, audience: configuration.accessTokenAudience, keys: keys,
                environment: environment),
            store: store, keys: keys, environment: environment, logger: logger, bell: bell)
        let challenges = Challenges(keyRing: keyRing, environment: environment)
        let finishing = FinishingWork()
        let attempts = WebAttempts(apple: apple, publicURL: configuration.publicURL, environment: environment)
        let outbox = Outbox(
            apple: apple, store: store, tokenSeal: Seal(.appleRefreshToken, keyRing: keyRing),
            codeSeal: Seal(.waitingCode, keyRing: keyRing), signal: OutboxSignal(),
            finishing: finishing, environment: environment, instrumentation: instrumentation, logger: logger)
        let authorizationSeal = Seal(.authorization, keyRing: keyRing)
        let deletions = Deletions(
            store: store, finishing: finishing, signal: outbox.signal, bell: bell, environment: environment)
        let nameSeal = Seal(.keptName, keyRing: keyRing)
        let signIn = SignIn(
            configuration: configuration, apple: apple, attempts: attempts, store: store, sessions: sessions,
            deletions: deletions, challenges: challenges,
            tokenSeal: Seal(.appleRefreshToken, keyRing: keyRing), codeSeal: outbox.codeSeal,
            nameSeal: nameSeal, authorizationSeal: authorizationSeal, finishing: finishing,
            codeExchanges: CodeExchanges(), environment: environment, instrumentation: instrumentation, logger: logger)
        let authorizations = Authorizations(
            configuration: configuration, attempts: attempts, store: store, seal: authorizationSeal,
            userCodeKeys: UserCodeKeys(keyRing: keyRing, keyedFrom: keyedFrom), environment: environment)
        let notifications = AppleNotifications(
            apple: apple, deletesOnConsentRevoked: configuration.deletesOnConsentRevoked, store: store,
            finishing: finishing, bell: bell, environment: environment, logger: logger)
        return AccountDomain(
            configuration: configuration, signIn: signIn, authorizations: authorizations,
            sessions: sessions, revocations: Revocations(signIn: signIn, signal: outbox.signal),
            deletions: deletions, exports: Exports(store: store, nameSeal: nameSeal, logger: logger),
            challenges: challenges, serverKeys: keys, notifications: notifications,
            credentialStates: CredentialStates(store: store),
            events: AccountEvents(
                store: store, bell: bell, environment: environment),
            bell: bell, store: store, finishing: finishing,
            sweeper: Sweeper(
                store: store, auditLifetime: configuration.auditLifetime, environment: environment, logger: logger),
            keyRefresher: KeyRefresher(keys: apple.keys),
            dailyCheck: DailyCheck(
                apple: apple, store: store, tokenSeal: Seal(.appleRefreshToken, keyRing: keyRing),
                bell: bell, environment: environment, logger: logger),
            outbox: outbox,
            hookDelivery: HookDelivery(
                hooks: hooks, store: store, environment: environment, instrumentation: instrumentation,
                logger: logger),
            environment: environment, instrumentation: instrumentation, keyRing: keyRing)
    }

    private let keyRing: KeyRingInUse

    /// Checks that a key ring opens the store's keys, as ``open(configuration:apple:store:hooks:environment:instrumentation:logger:)``
    /// does.
    /// - Throws: ``AccountError/Code/configuration`` when it doesn't.
    package func check(_ keyRing: KeyRing) async throws {
        try await serverKeys.check(keyRing)
    }

    /// Seals and opens with another key ring from now on, in all parts of the domain. ``check(_:)`` it before.
    package func replaceKeyRing(with keyRing: KeyRing) {
        self.keyRing.replace(with: keyRing)
    }
}
