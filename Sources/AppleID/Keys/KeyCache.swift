package import AppleIDTypes
public import Logging
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Apple's public keys, fetched when they are first needed and kept.
///
/// A known key is answered at once. A set older than an hour is refreshed in the background while it still serves, for at
/// most seven days if Apple fails. An unknown key asks Apple, at most once a minute. However many ask, one request is
/// under way, and it belongs to no caller: a caller that is cancelled leaves it to the others.
public final class KeyCache: Sendable {
    /// Where the keys come from; absent for a fixed set.
    private struct Source {
        let server: AppleServer
        let transport: any AppleTransport
        let archive: KeySetArchive?
        let environment: AppleIDEnvironment
        let instrumentation: AppleIDInstrumentation
        let logger: Logger
    }

    private let source: Source?
    private let fixed: [KeyID: ApplePublicKey]
    private let state = Mutex(KeyCacheState())

    /// - Parameter archive: asked once, before Apple is; given every set that Apple answers.
    public init(
        server: AppleServer, transport: any AppleTransport, archive: KeySetArchive? = nil,
        environment: AppleIDEnvironment = .live, instrumentation: AppleIDInstrumentation = .system, logger: Logger
    ) {
        source = Source(
            server: server, transport: transport, archive: archive, environment: environment,
            instrumentation: instrumentation, logger: logger)
        fixed = [:]
    }

    /// A fixed set, never refreshed and never too old: for diagnostics and test vectors.
    /// - Parameter json: a key set as Apple publishes it.
    /// - Throws: ``AppleIDError/Code/malformedAnswer`` when it is no key set or has no usable key.
    public init(fixed json: [UInt8]) throws(AppleIDError) {
        source = nil
        fixed = try KeySet(json, fetchedAt: .distantPast).keys
    }

    /// The key of this name, waiting for Apple where that is needed.
    /// - Throws: ``AppleIDError/Code/unknownKey`` when Apple was asked just now and has no such key;
    ///   ``AppleIDError/Code/keysUnavailable`` when it could not be asked, when the last time is too short ago, and when
    ///   the calling task was cancelled.
    package func key(_ id: KeyID) async throws(AppleIDError) -> ApplePublicKey {
        if let key = cachedKey(id) { return key }
        guard let source else {
            throw AppleIDError(.unknownKey, "the key set has no key of this name")
        }
        let waiterID = state.withLock { $0.makeWaiterID() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                perform(
                    state.withLock { $0.wait(continuation, id: waiterID, for: id, at: source.environment.now()) },
                    from: source)
                // The handler below finds nobody when it runs before the line above.
                if Task.isCancelled { perform(state.withLock { $0.cancel(waiterID) }, from: source) }
            }
        } onCancel: {
            perform(state.withLock { $0.cancel(waiterID) }, from: source)
        }
        return try result.get()
    }

    /// Waits for Apple where there are no keys at all yet; which key will be needed is not known.
    /// - Throws: ``AppleIDError/Code/keysUnavailable``.
    func requireAnyKey() async throws(AppleIDError) {
        guard !hasKeys else { return }
        do throws(AppleIDError) {
            // No key has this name; asking for it while there are none brings the set, and costs nobody the request a
            // minute that an unknown key may cause.
            _ = try await key("")
        } catch {
            guard hasKeys else { throw error }
        }
    }

    private var hasKeys: Bool {
        guard let source else { return true }
        return state.withLock { $0.hasKeys(at: source.environment.now()) }
    }

    /// Whether the archive or Apple is being asked.
    var isWorking: Bool { state.withLock { $0.isWorking } }

    /// Fetches the set in the background when it is older than an hour.
    ///
    /// The cache does so by itself when a key is asked for; a server calls this every few minutes, so that a quiet one
    /// meets an outage of Apple's with young keys too.
    public func refreshIfOld() {
        guard let source else { return }
        perform(state.withLock { $0.refreshIfOld(at: source.environment.now()) }, from: source)
    }

    /// A key that is there already; nil leaves open whether Apple has it.
    func cachedKey(_ id: KeyID) -> ApplePublicKey? {
        guard let source else { return fixed[id] }
        let now = source.environment.now()
        guard let (key, action) = state.withLock({ $0.known(id, at: now) }) else { return nil }
        if action.work != nil { perform(action, from: source) }
        return key
    }

    private func perform(_ action: KeyCacheState.Action, from source: Source) {
        for (waiter, result) in action.answers {
            waiter.resume(returning: result)
        }
        guard let work = action.work else { return }
        // Unstructured, because it belongs to every caller that waits and must outlive each of them. It ends by itself:
        // a transport answers within a bounded time.
        Task { await self.run(work, from: source) }
    }

    private func run(_ work: KeyCacheState.Work, from source: Source) async {
        if case .load = work {
            let archived = await load(from: source)
            var action = state.withLock { $0.loaded(archived, at: source.environment.now()) }
            let mustFetch = action.work != nil
            action.work = nil
            perform(action, from: source)
            guard mustFetch else { return }
        }
        do throws(AppleIDError) {
            let (json, keySet) = try await source.instrumentation.call(.keys) {
                () async throws(AppleIDError) -> (json: [UInt8], keySet: KeySet) in
                try await fetch(from: source)
            }
            perform(state.withLock { $0.fetched(keySet) }, from: source)
            source.logger.debug("fetched Apple's keys", metadata: ["keys": "\(keySet.keys.count)"])
            await save(json, keySet.fetchedAt, to: source)
        } catch {
            perform(state.withLock { $0.failed(error, at: source.environment.now()) }, from: source)
            source.logger.info("could not fetch Apple's keys", metadata: ["error": "\(error.code)"])
        }
    }

    private func fetch(from source: Source) async throws(AppleIDError) -> (json: [UInt8], keySet: KeySet) {
        let response: AppleResponse
        do {
            response = try await source.transport.send(.get(source.server.keysURL))
        } catch {
            throw AppleIDError(.appleUnavailable, "the request for Apple's keys was not answered", cause: error)
        }
        guard response.status == 200 else {
            throw AppleIDError(.appleUnavailable, "the request for Apple's keys was answered with \(response.status)")
        }
        return (response.body, try KeySet(response.body, fetchedAt: source.environment.now()))
    }

    private func load(from source: Source) async -> KeySet? {
        guard let archive = source.archive else { return nil }
        do {
            guard let archived = try await archive.load() else { return nil }
            return try KeySet(archived.json, fetchedAt: archived.fetchedAt)
        } catch {
            source.logger.info(
                "could not read the archived key set", metadata: ["error": "\(Self.nameOnly(error))"])
            return nil
        }
    }

    private func save(_ json: [UInt8], _ fetchedAt: Date, to source: Source) async {
        guard let archive = source.archive else { return }
        do {
            try await archive.save(json, fetchedAt)
        } catch {
            source.logger.info("could not archive the key set", metadata: ["error": "\(Self.nameOnly(error))"])
        }
    }

    /// Of an error from outside only the type is logged: its description may hold anything.
    private static func nameOnly(_ error: any Error) -> String {
        (error as? AppleIDError)?.description ?? String(reflecting: type(of: error))
    }
}
