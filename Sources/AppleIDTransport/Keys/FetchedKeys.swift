package import AppleIDTypes
package import Logging
import TaskSignals

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Public keys, fetched when they are first needed and kept.
///
/// A known key is answered at once. A set that is no longer fresh is refreshed in the background while it still serves.
/// An unknown key causes a request, at most once a minute. However many ask, one request is under way, and it belongs
/// to no caller: a caller that is cancelled leaves it to the others.
package final class FetchedKeys<Key: PublicKey>: Sendable {
    /// The source of the keys; absent for a fixed set.
    private struct Source {
        let fetch: @Sendable () async throws(KeySetError) -> KeySet<Key>
        let archive: KeySetArchive?
        let archiveLimit: Duration
        let provider: String
        let now: @Sendable () -> Date
        let logger: Logger
    }

    private let source: Source?
    private let fixed: [KeyID: Key]
    private let state: Lock<KeyCacheState<Key>>

    /// - Parameters:
    ///   - provider: the issuer of the keys, as the log names it: `apple`, for example.
    ///   - archive: asked once, before anything is fetched. It is given every key set that was fetched.
    ///   - archiveLimit: the time limit for the archive's answer.
    ///   - fetch: ends within a bounded time.
    package init(
        of provider: String, lifetime: KeySetLifetime, archive: KeySetArchive? = nil,
        archiveLimit: Duration = .seconds(2), now: @escaping @Sendable () -> Date, logger: Logger,
        fetch: @escaping @Sendable () async throws(KeySetError) -> KeySet<Key>
    ) {
        source = Source(
            fetch: fetch, archive: archive, archiveLimit: archiveLimit, provider: provider, now: now, logger: logger)
        fixed = [:]
        state = Lock(KeyCacheState(lifetime: lifetime))
    }

    /// Makes a fixed set, which is never refreshed and never too old.
    package init(fixed set: KeySet<Key>) {
        source = nil
        fixed = set.keys
        state = Lock(KeyCacheState(lifetime: .apple))
    }

    /// Returns the key of this name, and waits for a request where that is needed.
    /// - Throws: ``KeySetError/Code/unknownKey`` when the set was fetched just now and has no such key;
    ///   ``KeySetError/Code/keysUnavailable`` when it could not be fetched, when the last time is too short ago, and
    ///   when the calling task was cancelled.
    package func key(_ id: KeyID) async throws(KeySetError) -> Key {
        if let key = cachedKey(id) { return key }
        guard let source else {
            throw KeySetError(.unknownKey, "the key set has no key of this name")
        }
        return try await wait(for: .named(id), from: source)
    }

    /// Waits for a key set if there is none yet. The caller doesn't know yet which key it will need.
    ///
    /// It doesn't count against the limit for unknown keys.
    /// - Throws: ``KeySetError/Code/keysUnavailable``.
    package func requireAnyKey() async throws(KeySetError) {
        guard let source, !hasKeys else { return }
        do throws(KeySetError) {
            _ = try await wait(for: .any, from: source)
        } catch {
            // The archive's keys serve although the issuer did not answer.
            guard hasKeys else { throw error }
        }
    }

    private func wait(for wanted: KeyCacheState<Key>.Wanted, from source: Source) async throws(KeySetError) -> Key {
        let waiterID = state.withLock { $0.makeWaiterID() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                perform(
                    state.withLock { $0.wait(continuation, id: waiterID, for: wanted, at: source.now()) },
                    from: source)
                // The handler below finds nobody when it runs before the line above.
                if Task.isCancelled { perform(state.withLock { $0.cancel(waiterID) }, from: source) }
            }
        } onCancel: {
            perform(state.withLock { $0.cancel(waiterID) }, from: source)
        }
        return try result.get()
    }

    /// Whether there are keys that verify tokens without a request to the issuer.
    package var hasKeys: Bool {
        guard let source else { return true }
        return state.withLock { $0.hasKeys(at: source.now()) }
    }

    /// The keys that are there, for a token that names none. An empty array doesn't say that the issuer has no keys.
    package var cachedKeys: [Key] {
        guard let source else { return Array(fixed.values) }
        return state.withLock { $0.keys(at: source.now()) }
    }

    /// Whether a request to the archive or to the issuer is under way.
    package var isWorking: Bool { state.withLock { $0.isWorking } }

    /// Fetches the set in the background when it is no longer fresh. ``key(_:)`` does so too.
    package func refreshIfOld() {
        guard let source else { return }
        perform(state.withLock { $0.refreshIfOld(at: source.now()) }, from: source)
    }

    /// Returns a key that is there already. Nil doesn't say that the issuer has no such key.
    package func cachedKey(_ id: KeyID) -> Key? {
        guard let source else { return fixed[id] }
        let now = source.now()
        guard let (key, action) = state.withLock({ $0.known(id, at: now) }) else { return nil }
        if action.work != nil { perform(action, from: source) }
        return key
    }

    private func perform(_ action: KeyCacheState<Key>.Action, from source: Source) {
        for (waiter, result) in action.answers {
            waiter.resume(returning: result)
        }
        guard let work = action.work else { return }
        // The task is unstructured, because it belongs to every caller that waits and must outlive each of them. It ends
        // by itself: the archive has a time limit, and `fetch` ends within a bounded time.
        Task { await self.run(work, from: source) }
    }

    private func run(_ work: KeyCacheState<Key>.Work, from source: Source) async {
        if case .load = work {
            let archived = await load(from: source)
            var action = state.withLock { $0.loaded(archived, at: source.now()) }
            let mustFetch = action.work != nil
            action.work = nil
            perform(action, from: source)
            guard mustFetch else { return }
        }
        // The lines are logged after the state has changed, and before the waiters go on: a caller that gets a failure
        // finds the reason in the log.
        do throws(KeySetError) {
            let keySet = try await source.fetch()
            let (action, missing) = state.withLock { ($0.fetched(keySet), $0.missingCount) }
            if missing > 0 {
                // This line is logged at most once a minute, because unknown keys aren't requested more often.
                source.logger.info(
                    "a token names an unknown key", metadata: ["provider": "\(source.provider)", "names": "\(missing)"])
            }
            source.logger.debug(
                "fetched the key set",
                metadata: ["provider": "\(source.provider)", "keys": "\(keySet.keys.count)"])
            perform(action, from: source)
            await save(keySet, to: source)
        } catch {
            let action = state.withLock { $0.failed(error, at: source.now()) }
            let code = (error.cause as? any CodedError)?.codeWord ?? error.codeWord
            var metadata: Logger.Metadata = ["provider": "\(source.provider)", "error": "\(code)"]
            if let failure = TransportFailure(in: error) {
                metadata["cause"] = "\(failure.cause)"
                metadata["host"] = "\(failure.host)"
            }
            source.logger.info("could not fetch the key set", metadata: metadata)
            perform(action, from: source)
        }
    }

    private func load(from source: Source) async -> KeySet<Key>? {
        guard let archive = source.archive else { return nil }
        do {
            let answer = try await withTimeLimit(source.archiveLimit) { try await archive.load() }
            guard let archived = answer else { return nil }
            return try KeySet(archived.json, fetchedAt: archived.fetchedAt)
        } catch {
            source.logger.info(
                "could not read the archived key set", metadata: ["error": "\(Self.loggedName(of: error))"])
            return nil
        }
    }

    private func save(_ keySet: KeySet<Key>, to source: Source) async {
        guard let archive = source.archive else { return }
        do {
            try await archive.save(keySet.json, keySet.fetchedAt)
        } catch {
            source.logger.info("could not archive the key set", metadata: ["error": "\(Self.loggedName(of: error))"])
        }
    }

    /// Returns the name of an error for the log. An error from outside is logged by its type alone: its description may
    /// hold anything.
    private static func loggedName(of error: any Error) -> String {
        (error as? KeySetError)?.description ?? String(reflecting: type(of: error))
    }
}

extension FetchedKeys where Key == ApplePublicKey {
    /// ``cachedKey(_:)`` for Apple's keys.
    ///
    /// Every verification calls it. The compiler specializes generic code for a type that it knows, and does so in the
    /// generic code's own module alone; hence this method, with nothing generic left for other modules.
    package func cachedAppleKey(_ id: KeyID) -> ApplePublicKey? { cachedKey(id) }
}
