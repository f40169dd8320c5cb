import AppleIDTypes
import Logging
import TaskSignals

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The running emulator behind its endpoints: its state, its clock, and what it shares between requests.
///
/// An endpoint reads a request, takes a step of the state through the core, and encodes the outcome. The core knows form
/// fields and JSON, but no request and no response. It gets the form of a client as it came, because Apple reads some
/// fields before it checks the client, and others after.
final class EmulatorCore: Sendable {
    let configuration: EmulatorConfiguration
    let clock: EmulatorClock
    /// The environment with the emulator's own clock, which control calls can set.
    let environment: EmulatorEnvironment
    let outbox = Outbox()
    let faults = FaultInjector()
    let requests = RequestLog()
    let relayPort = RelayPort()
    /// Is delivered when a running server has made the keys beside the first one, or has stopped making them.
    let furtherKeys = OneShot<Void>()
    private let state: Lock<EmulatorState>
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
        state.behaviour = configuration.behaviour
        state.relay.takesMailForOthers = configuration.takesMailForOthers
        state.signingKeys = try await Self.signingKeys(saved, configuration, environment)
        self.state = Lock(state)
    }

    /// The published keys. The first one signs.
    var signingKeys: [SigningKey] { state.withLock { $0.signingKeys } }

    var registry: Registry { state.withLock { $0.registry } }

    var portal: Portal { registry.portal }

    /// Changes the portal. If the result isn't a valid portal, nothing changes.
    func changePortal(_ change: (inout Portal) throws(EmulatorError) -> Void) async throws(EmulatorError) {
        try state.withLock { (state) throws(EmulatorError) in
            var portal = state.registry.portal
            try change(&portal)
            state.setRegistry(try Registry(portal))
        }
        try await saveState()
    }

    /// The state as it is now.
    var current: EmulatorState { state.withLock { $0 } }

    /// Takes one step of the state. A step checks everything before it changes anything, so a refused step changes
    /// nothing. The state file has the change after ``saveState()``.
    func step<Value: Sendable>(
        _ body: (inout EmulatorState) throws(Refusal) -> Value
    ) throws(Refusal) -> Value {
        try state.withLock { (state) throws(Refusal) in try body(&state) }
    }

    /// Takes a step that can't be refused.
    func change<Value: Sendable>(_ body: (inout EmulatorState) -> Value) -> Value {
        state.withLock { body(&$0) }
    }

    var randomness: Randomness { Randomness(environment) }

    /// Writes the state file if there is one and it lacks a change.
    func saveState() async throws(EmulatorError) {
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
