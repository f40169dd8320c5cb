import AppleIDTypes
import Logging
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The running emulator behind its endpoints: state, keys, clock. What the endpoints do, they do through it.
final class Authority: Sendable {
    let configuration: EmulatorConfiguration
    let clock: EmulatorClock
    /// With the emulator's own clock, which can be set.
    let environment: EmulatorEnvironment
    let outbox = Outbox()
    let faults = FaultDesk()
    let requests = RequestLog()
    let relayPort = RelayPort()
    /// Ends when a running server has made the keys beside the first one.
    let furtherKeys = AsyncStream<Void>.makeStream()
    private let state: Mutex<EmulatorState>
    private let file: StateFile?

    init(
        configuration: EmulatorConfiguration, portal: Portal?, environment: EmulatorEnvironment
    ) async throws(EmulatorError) {
        try Self.check(configuration)
        let file = configuration.stateFile.map { StateFile(path: $0) }
        let saved = try await file?.load()
        self.configuration = configuration
        let clock = EmulatorClock(environment)
        self.clock = clock
        var ownEnvironment = environment
        ownEnvironment.now = { clock.now }
        self.environment = ownEnvironment
        self.file = file

        var current =
            saved?.portal ?? portal ?? Portal.seeded(configuration: configuration, environment: environment)
        current.baseURL = configuration.baseURL
        current.issuer = configuration.issuer
        if saved != nil, portal == nil {
            // The service under test may have moved to another port since the file was written.
            for url in configuration.returnURLs { current.register(returnURL: url, for: Portal.seededService) }
            if let url = configuration.notificationURL {
                current.register(notificationURL: url, for: Portal.seededApp)
            }
        }
        let registry = try Registry(current)
        var state = EmulatorState(registry: registry)
        if let saved { state = try EmulatorState(registry: registry, saved: saved) }
        state.quirks = configuration.quirks
        state.signingKeys = try await Self.signingKeys(saved, configuration, environment)
        self.state = Mutex(state)
    }

    /// The first one signs; all are published.
    var signingKeys: [SigningKey] { state.withLock { $0.signingKeys } }

    var registry: Registry { state.withLock { $0.registry } }

    var portal: Portal { registry.portal }

    /// Changes the portal, if what comes out is a portal still.
    func changePortal(_ change: (inout Portal) throws(EmulatorError) -> Void) async throws(EmulatorError) {
        try state.withLock { (state) throws(EmulatorError) in
            var portal = state.registry.portal
            try change(&portal)
            state.replace(try Registry(portal))
        }
        try await keep()
    }

    /// One look at the state.
    var current: EmulatorState { state.withLock { $0 } }

    /// One step of the state, whole or not at all. What it changes is in the state file after ``keep()``.
    func step<Value: Sendable>(
        _ body: (inout EmulatorState) throws(Refusal) -> Value
    ) throws(Refusal) -> Value {
        try state.withLock { (state) throws(Refusal) in try body(&state) }
    }

    /// A step that nothing can stop, and that no state file needs to hold.
    func change<Value: Sendable>(_ body: (inout EmulatorState) -> Value) -> Value {
        state.withLock { body(&$0) }
    }

    // MARK: The sheet

    var rules: AuthorizationRules {
        let state = current
        return AuthorizationRules(
            registry: state.registry, strictURLs: configuration.strictURLs, quirks: state.quirks)
    }

    /// Remembers a request until a person has decided, and names it.
    func begin(_ request: AuthorizationRequest) -> String {
        let id = randomness.pageID()
        state.withLock { $0.begin(request, id: id, at: environment.seconds) }
        return id
    }

    func pendingRequest(_ id: String) throws(Refusal) -> AuthorizationRequest {
        try state.withLock { $0 }.pendingRequest(id, at: environment.seconds)
    }

    func takePending(_ id: String) throws(Refusal) -> AuthorizationRequest {
        try step { (state) throws(Refusal) in try state.takePending(id, at: environment.seconds) }
    }

    func person(_ id: String?) throws(Refusal) -> Portal.Person {
        try current.person(id)
    }

    func check(_ consent: Consent, of person: Portal.Person) throws(Refusal) {
        try consent.check(for: person, quirks: current.quirks)
    }

    /// What the client gets when a person cancels: the one refusal that travels.
    func cancelled(_ request: AuthorizationRequest) -> AuthorizationAnswer {
        AuthorizationAnswer(
            request,
            [("error", AppleErrorCode.userCancelledAuthorize.rawValue), ("state", request.state)])
    }

    /// What the client gets when a person continues. The grant is safe on disk when this returns.
    func answer(
        _ request: AuthorizationRequest, by person: Portal.Person, _ consent: Consent
    ) async throws -> AuthorizationAnswer {
        let authorization = try await authorize(request, by: person, consent)
        return AuthorizationAnswer(
            request,
            [
                ("code", authorization.code.rawValue), ("id_token", try authorization.claims.map(sign)),
                ("state", request.state), ("user", authorization.user),
            ])
    }

    /// The same before it is put into fields. The grant is safe on disk when this returns.
    func authorize(
        _ request: AuthorizationRequest, by person: Portal.Person, _ consent: Consent
    ) async throws -> Authorization {
        let code = AuthorizationCode(randomness.token("c"))
        let now = environment.seconds
        let authorization = try step { (state) throws(Refusal) in
            try state.authorize(request, by: person.id, consent: consent, code: code, at: now)
        }
        try await keep()
        return authorization
    }

    // MARK: Inside

    var randomness: Randomness { Randomness(environment) }

    /// Writes the state file, if there is one and it is behind.
    func keep() async throws(EmulatorError) {
        guard let file, file.isBehind(state.withLock { $0.revision }) else { return }
        try await file.write { [self] in current }
    }

    private static func check(_ configuration: EmulatorConfiguration) throws(EmulatorError) {
        guard WebAddress(configuration.issuer) != nil else {
            throw EmulatorError(.invalidConfiguration, "issuer must be an http or https URL: \(configuration.issuer)")
        }
        if let port = configuration.mailPort, !(0...65_535).contains(port) {
            throw EmulatorError(.invalidConfiguration, "the mail port must be between 0 and 65535: \(port)")
        }
        for host in configuration.allowedHosts {
            guard let parts = WebAddress.split(host), parts.port == nil else {
                throw EmulatorError(
                    .invalidConfiguration, "an allowed host is a name without scheme and port: \(host)")
            }
        }
        if let token = configuration.controlToken, token.utf8.count < 16 {
            throw EmulatorError(.invalidConfiguration, "the control token must have at least 16 characters")
        }
    }

    private static func signingKeys(
        _ saved: SavedState?, _ configuration: EmulatorConfiguration, _ environment: EmulatorEnvironment
    ) async throws(EmulatorError) -> [SigningKey] {
        do {
            if let saved, !saved.signingKeys.isEmpty {
                return try saved.signingKeys.map { try SigningKey(id: $0.id, pem: $0.privateKey) }
            }
            let id = KeyID(Randomness(environment).portalID())
            if let pem = configuration.signingKey { return [try SigningKey(id: id, pem: pem)] }
            return [try await SigningKey.make(id: id)]
        } catch {
            throw EmulatorError(.unreadableState, "a signing key cannot be read or made", cause: error)
        }
    }
}
