// Exports `AccountStorage`, with which a program names its database.
@_exported public import AccountDatabase
public import AppleID
public import Logging
public import OpenIDConnect
public import ServiceLifecycle

/// The account service without its adapters: everything that a server, a command or an embedding program calls.
///
/// The domain is a `Service`. A program that answers its people in a way of its own runs the domain in a service group, and
/// calls the use cases. `AccountServer` of `AccountHTTP` runs the domain and an HTTP server.
public final class AccountDomain: Service, CustomStringConvertible {
    /// The configuration that the service was opened with.
    public let configuration: AccountConfiguration
    /// Signs people in, from apps and in browsers.
    public let signIn: SignIn
    /// Takes browsers back from Apple, whatever they went there for.
    public let callback: AppleCallback
    /// The other OpenID Providers with which people can sign in.
    public let providers: Providers
    /// Sends browsers to other providers than Apple, and takes them back.
    public let providerSignIn: ProviderWebSignIn
    /// Signs people in by e-mail address, with a password or a link in a mail; nil where the service takes no passwords.
    public let passwords: Passwords?
    /// Lets people who sign in by e-mail address go over to Sign in with Apple.
    public let upgrades: Upgrades
    /// Lets people have several ways in to one account.
    public let links: Links
    /// Makes one account of two that a person has.
    public let merges: Merges
    /// Takes a fresh proof of who uses a session.
    public let reauthentications: Reauthentications
    /// Authorizes apps on systems without Apple's framework, in a browser or on another device.
    public let authorizations: Authorizations
    /// Recognises, renews, lists and ends sessions.
    public let sessions: Sessions
    /// Ends Apple's authorization of a person on their wish.
    public let revocations: Revocations
    /// Changes what people say about themselves: name, contact address and phone number.
    public let profiles: Profiles
    /// Tells people what they agreed to, and lets them withdraw it.
    public let consents: Consents
    /// Deletes accounts, and says how far a deletion is.
    public let deletions: Deletions
    /// Exports all that is held about a person.
    public let exports: Exports
    /// Makes the nonces with which a fresh proof is asked for.
    public let challenges: Challenges
    /// The service's own keys, which sign access tokens and derive refresh tokens. ``run()`` keeps them up to date.
    package let serverKeys: ServerKeys
    /// Takes Apple's notifications about people.
    public let notifications: AppleNotifications
    /// Says whether a person still uses the app with their Apple Account.
    public let credentialStates: CredentialStates
    package let events: AccountEvents
    /// Notified when something happened to an account; features that write events notify it.
    package let bell: EventBell
    package let store: AccountTransactions
    /// The work that goes on although its request is over. At a shutdown, ``run()`` waits for it before it closes the store.
    package let finishing: FinishingWork
    /// Removes rows that have expired or are no longer needed. ``run()`` runs it.
    package let sweeper: Sweeper
    /// Fetches the keys of Apple and of other providers before they are needed. ``run()`` runs it.
    private let keyRefresher: KeyRefresher
    /// Asks Apple once a day about each refresh token. ``run()`` runs it.
    package let dailyCheck: DailyCheck
    /// Revokes tokens and redeems waiting codes at Apple. ``run()`` runs it, and ends it before ``finishing``.
    package let outbox: Outbox
    /// Calls the hooks. ``run()`` runs it.
    package let hookDelivery: HookDelivery
    /// Sends the mails in the queue. ``run()`` runs it.
    package let mailDelivery: MailDelivery
    /// Makes mails for the queue, where the service sends any.
    package let mailWriter: MailWriter
    /// The clock that the service goes by.
    package let environment: AppleIDEnvironment
    /// The instrumentation that receives counters, timers and spans: that of the client for Apple.
    package let instrumentation: AppleIDInstrumentation
    private let keyRing: KeyRingInUse
    private let logger: Logger

    /// Opens the service on the place where the accounts are kept, as `.sqlite(path)` or `.postgres(address)`.
    ///
    /// Run the domain in a service group, before the server that answers requests. As long as it doesn't run, nobody
    /// revokes tokens at Apple, calls hooks or sends mail.
    /// - Parameters:
    ///   - apple: the client for Apple. Counters, timers and spans of the service go where those of the client go.
    ///   - providers: the other OpenID Providers with which people can sign in, in the order in which pages show them.
    ///   - hooks: who hears of changes to accounts; servers on one database have the same ones.
    ///   - mail: how the service sends mail; nil sends none. Servers on one database have the same.
    ///   - environment: the clock and the randomness; nil for those of `apple`.
    /// - Throws: ``AccountError`` with the code ``AccountError/Code/unavailable`` when the database cannot be reached,
    ///   ``AccountError/Code/databaseTooNew`` when a newer program has opened it, ``AccountError/Code/issuerMismatch`` when
    ///   it belongs to another Apple, and ``AccountError/Code/configuration`` when the database cannot be opened as it
    ///   must be, the key ring does not open its keys, a configured client is unknown to `apple`, an app could never do
    ///   what it is configured for, or two hooks have one name.
    public static func open(
        configuration: AccountConfiguration, apple: AppleIDClient, providers: [ProviderClient] = [],
        storage: AccountStorage, hooks: [any AccountHook] = [], mail: MailSettings? = nil,
        environment: AppleIDEnvironment? = nil, logger: Logger
    ) async throws -> AccountDomain {
        let store = try await AccountTransactions.open(storage, logger: logger)
        do {
            return try await AccountDomain(
                configuration: configuration, apple: apple, providers: providers, store: store, hooks: hooks,
                mail: mail, environment: environment ?? apple.environment, logger: logger)
        } catch {
            try await store.close()
            throw error
        }
    }

    /// Makes the domain on a store: checks whose Apple the store belongs to, and opens or makes the server's own keys.
    ///
    /// - Parameters:
    ///   - hooks: who hears of changes to accounts; servers on one database have the same ones.
    ///   - mail: how the service sends mail; nil sends none.
    /// - Throws: ``AccountError/Code/issuerMismatch`` for a store of another Apple, ``AccountError/Code/configuration``
    ///   when the key ring does not open the store's keys, a configured client is unknown to `apple`, or an app could
    ///   never do what it is configured for, or hooks are not told apart by their names.
    package init(
        configuration: AccountConfiguration, apple: AppleIDClient, providers: [ProviderClient] = [],
        store: AccountTransactions, hooks: [any AccountHook] = [], mail: MailSettings? = nil,
        environment: AppleIDEnvironment = .live, logger: Logger
    ) async throws {
        let otherProviders = try Providers(providers)
        try Self.check(configuration, apple: apple, providers: otherProviders, hooks: hooks, mail: mail)
        let wanted = configuration.demoOwner ?? apple.server.name
        let owner = try await store.bind(toIssuer: wanted)
        guard owner == wanted else {
            throw AccountError(
                .issuerMismatch, "this database belongs to \(owner), and the server is configured for \(wanted)")
        }
        try await store.bind(otherProviders.configurations, at: Timestamp(environment.now()))
        let keyedFrom = try await store.userCodesKeyed(from: Timestamp(environment.now()) + UserCodeKeys.upgrade)
        let keyRing = KeyRingInUse(configuration.keyRing)
        let keys = try await ServerKeys.open(
            store: store, keyRing: keyRing, environment: environment, logger: logger)
        if !hooks.isEmpty { try await store.noteHooks(hooks.map(\.name), at: Timestamp(environment.now())) }

        // The statements below can't fail and don't wait. Each part is made before the parts that need it.
        self.configuration = configuration
        self.providers = otherProviders
        self.keyRing = keyRing
        self.store = store
        self.environment = environment
        self.logger = logger
        instrumentation = apple.instrumentation
        serverKeys = keys
        bell = EventBell()
        finishing = FinishingWork()
        challenges = Challenges(keyRing: keyRing, environment: environment)
        mailWriter = MailWriter(
            isConfigured: mail != nil,
            hasPageOfWaysIn: configuration.webClient != nil || configuration.passwords != nil
                || !otherProviders.inBrowsers.isEmpty,
            publicURL: configuration.publicURL, keyRing: keyRing, providerNames: otherProviders.names,
            environment: environment)
        sessions = Sessions(
            limits: configuration.sessionLimits,
            accessTokens: AccessTokens(
                issuer: configuration.publicURL.rawValue, audience: configuration.accessTokenAudience, keys: keys,
                environment: environment),
            store: store, keys: keys, environment: environment, logger: logger, bell: bell)

        let authorizationSeal = Seal(.authorization, keyRing: keyRing)
        let nameSeal = Seal(.pendingProfile, keyRing: keyRing)
        let tokenSeal = Seal(.appleRefreshToken, keyRing: keyRing)
        let codeSeal = Seal(.waitingCode, keyRing: keyRing)
        outbox = Outbox(
            apple: apple, store: store, tokenSeal: tokenSeal, codeSeal: codeSeal, signal: OutboxSignal(),
            finishing: finishing, environment: environment, instrumentation: instrumentation, logger: logger)
        let attempts = WebAttempts(
            apple: apple, configuration: configuration, store: store, environment: environment)
        let providerAttempts = ProviderAttempts(
            providers: otherProviders, configuration: configuration, seal: Seal(.providerAttempt, keyRing: keyRing),
            store: store, environment: environment)
        let vault = AppleTokenVault(
            apple: apple, store: store, tokenSeal: tokenSeal, codeSeal: codeSeal, finishing: finishing,
            environment: environment, instrumentation: instrumentation, logger: logger)
        let verifier = CredentialVerifier(
            configuration: configuration, apple: apple, providers: otherProviders, store: store,
            vault: vault,
            names: NameVault(
                store: store, seal: nameSeal, finishing: finishing, environment: environment, logger: logger),
            challenges: challenges, authorizationSeal: authorizationSeal, environment: environment)
        let teams = Set(apple.clients.values.map(\.team))
        let ways = UsableWaysIn(
            takesPasswords: configuration.passwords != nil, teams: teams, providers: otherProviders.ids)

        // The use cases: people's sign-ins, proofs, deletions, and changes to their accounts.
        signIn = SignIn(
            attempts: attempts, verifier: verifier, vault: vault, sessions: sessions, store: store,
            finishing: finishing, mail: mailWriter, environment: environment)
        reauthentications = Reauthentications(
            attempts: attempts, verifier: verifier, vault: vault, sessions: sessions, store: store,
            finishing: finishing)
        deletions = Deletions(
            attempts: attempts, verifier: verifier, vault: vault, sessions: sessions, store: store,
            finishing: finishing, signal: outbox.signal, mail: mailWriter, environment: environment)
        revocations = Revocations(
            configuration: configuration, apple: apple, verifier: verifier, vault: vault, sessions: sessions,
            store: store, finishing: finishing, signal: outbox.signal)
        if let settings = configuration.passwords {
            passwords = Passwords(
                settings, serviceName: mail?.serviceName, configuration: configuration, keyRing: keyRing,
                sessions: sessions, finishing: finishing, mail: mailWriter)
        } else {
            passwords = nil
        }
        upgrades = Upgrades(
            attempts: attempts, verifier: verifier, vault: vault, sessions: sessions, store: store,
            texts: configuration.consentTexts, finishing: finishing, signal: outbox.signal, mail: mailWriter,
            environment: environment)
        links = Links(
            attempts: attempts, verifier: verifier, vault: vault, sessions: sessions, store: store,
            texts: configuration.consentTexts, ways: ways, finishing: finishing, signal: outbox.signal,
            mail: mailWriter, environment: environment)
        merges = Merges(
            sessions: sessions, store: store, texts: configuration.consentTexts, finishing: finishing,
            mail: mailWriter, environment: environment)
        profiles = Profiles(
            store: store, texts: configuration.consentTexts, bell: bell, mail: mailWriter, environment: environment)
        consents = Consents(
            texts: configuration.consentTexts, store: store, ways: ways, signal: outbox.signal, bell: bell,
            mail: mailWriter, environment: environment)
        exports = Exports(store: store, nameSeal: nameSeal, logger: logger, environment: environment)
        credentialStates = CredentialStates(store: store, teams: teams)
        events = AccountEvents(store: store, bell: bell, environment: environment)

        // Authorizations of apps without Apple's framework, and the answers that browsers bring back from Apple and other
        // providers.
        authorizations = Authorizations(
            configuration: configuration, attempts: attempts, providerAttempts: providerAttempts, store: store,
            seal: authorizationSeal, userCodeKeys: UserCodeKeys(keyRing: keyRing, keyedFrom: keyedFrom),
            environment: environment)
        let completion = AuthorizationCompletion(
            configuration: configuration, verifier: verifier, vault: vault, store: store, seal: authorizationSeal,
            environment: environment, logger: logger)
        let endings = AttemptEndings(
            signIn: signIn, reauthentications: reauthentications, deletions: deletions, upgrades: upgrades,
            links: links)
        callback = AppleCallback(
            store: store, verifier: verifier, endings: endings, authorizations: completion, finishing: finishing,
            environment: environment)
        providerSignIn = ProviderWebSignIn(
            attempts: providerAttempts, store: store, endings: endings, authorizations: completion,
            finishing: finishing, environment: environment)

        // Apple's notifications, and the work that no person asks for: sweeping, checking, delivering.
        notifications = AppleNotifications(
            apple: apple, deletesOnConsentRevoked: configuration.deletesOnConsentRevoked, store: store,
            finishing: finishing, bell: bell, mail: mailWriter, environment: environment, logger: logger)
        sweeper = Sweeper(
            store: store, auditLifetime: configuration.auditLifetime, environment: environment,
            instrumentation: instrumentation, logger: logger)
        keyRefresher = KeyRefresher(keys: apple.keys, providers: otherProviders)
        dailyCheck = DailyCheck(
            apple: apple, store: store, tokenSeal: tokenSeal, bell: bell, environment: environment, logger: logger)
        hookDelivery = HookDelivery(
            hooks: hooks, store: store, environment: environment, instrumentation: instrumentation, logger: logger)
        mailDelivery = MailDelivery(
            settings: mail, publicURL: configuration.publicURL, store: store, keyRing: keyRing,
            environment: environment, instrumentation: instrumentation, logger: logger)
    }

    /// Refuses a configuration with which the service couldn't do what it is configured for. Asks neither Apple nor the store.
    /// - Throws: ``AccountError/Code/configuration``.
    private static func check(
        _ configuration: AccountConfiguration, apple: AppleIDClient, providers: Providers, hooks: [any AccountHook],
        mail: MailSettings?
    ) throws {
        for client in configuration.nativeClients.union(configuration.webClient.map { [$0] } ?? [])
        where apple.clients[client] == nil {
            throw AccountError(.configuration, "client `\(client)` has no key to ask Apple with")
        }
        guard configuration.passwords == nil || mail != nil else {
            throw AccountError(.configuration, "passwords need mail: no account is made before its address is proven")
        }
        try HookDelivery.check(hooks)
        try App.check(configuration.apps, clients: apple.clients, hasProviders: !providers.inBrowsers.isEmpty)
        guard configuration.demoOwner == nil || apple.server != .apple,
            configuration.demoOwner != AppleServer.apple.name
        else {
            throw AccountError(.configuration, "a demo never speaks for Apple")
        }
    }

    /// Does everything that must go on while the domain is used, until the service group stops it.
    ///
    /// The domain keeps keys fresh, removes what is over, asks Apple about its tokens once a day, revokes tokens at Apple, calls
    /// hooks and sends mail. At a graceful shutdown it finishes the sign-ins under way, and then closes the database.
    ///
    /// In a service group, the transport to Apple comes before the domain, and the server that answers requests after it:
    /// a group stops its services from the last to the first.
    public func run() async throws {
        try await ServiceGroup(services: services, logger: logger).run()
    }

    /// The address of the emulator that the domain asks in Apple's place; nil for Apple itself.
    package var emulatorURL: String? {
        let server = notifications.apple.server
        return server.isApple ? nil : server.name
    }

    /// `AccountDomain`, so that a service group's log doesn't have all that the domain holds.
    public var description: String { "AccountDomain" }

    /// The services of ``run()``, in order of need.
    private var services: [any Service] {
        [store, sweeper, keyRefresher, serverKeys, dailyCheck, finishing, outbox, hookDelivery, mailDelivery]
    }

    /// Finds, shows, disables and deletes accounts for an operator.
    public var directory: AccountDirectory {
        AccountDirectory(store: store, environment: environment, mail: mailWriter)
    }

    /// A warning for a service that takes no passwords while people sign in with email addresses. Nil where all is well.
    package func warningOfPasswords() async throws -> String? {
        guard passwords == nil, try await store.hasEmailIdentities() else { return nil }
        return "Passwords are off, but accounts with email addresses are there. Their people can't sign in, and can "
            + "neither delete their accounts nor export their data themselves."
    }

    /// Checks that a key ring opens the store's keys, as
    /// ``open(configuration:apple:providers:storage:hooks:mail:environment:logger:)`` does.
    /// - Throws: ``AccountError/Code/configuration`` when it doesn't.
    package func check(_ keyRing: KeyRing) async throws {
        try await serverKeys.check(keyRing)
    }

    /// Seals and opens with another key ring from now on, in all parts of the domain. ``check(_:)`` it before.
    package func replaceKeyRing(with keyRing: KeyRing) {
        self.keyRing.replace(with: keyRing)
    }
}
