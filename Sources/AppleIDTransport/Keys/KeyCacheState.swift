import AppleIDTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The state of a key cache: its keys, and the work that is under way. It does nothing itself: every event returns an
/// action.
struct KeyCacheState<Key: PublicKey> {
    typealias Waiter = CheckedContinuation<Result<Key, KeySetError>, Never>

    /// The key that somebody waits for.
    enum Wanted {
        /// The key with this identifier.
        case named(KeyID)
        /// Any key: the caller wants the set to be there.
        case any
    }

    /// The work and the answers that an event leads to; both may be empty.
    struct Action {
        var work: Work?
        var answers: [(waiter: Waiter, result: Result<Key, KeySetError>)] = []
    }

    /// Work that is done for all callers at once.
    enum Work {
        /// Load the archive, then fetch if a waiter needs more than the archive has.
        case load
        case fetch
    }

    /// The minimum time between two requests for unknown keys, and between failed refreshes.
    private static var pause: TimeInterval { 60 }
    /// The minimum time between two requests while there are no keys. It is short, so that a failure at the start
    /// doesn't stop sign-ins for a whole minute.
    private static var pauseWithoutKeys: TimeInterval { 5 }
    /// The maximum number of missing names that are kept, because strangers invent them.
    private static var maximumMissingNames: Int { 1_024 }

    let lifetime: KeySetLifetime

    private var keySet: KeySet<Key>?
    private(set) var isWorking = false
    private var hasAskedArchive = false
    private var lastAttempt: Date?
    /// The time of the last request that was made only for unknown keys.
    private var lastUnknownKeyRequest: Date?
    /// Whether the request under way began without keys. If the key is missing from its result, the request counts as one
    /// for an unknown key.
    private var beganWithoutKeys = false
    /// The names that somebody waited for and that the last key set lacked. While that set is young, the issuer has no
    /// keys of these names. It may have new keys of other names.
    private var missing: Set<KeyID> = []
    private var lastFailure: (at: Date, error: KeySetError)?
    private var waiters: [UInt64: (wanted: Wanted, waiter: Waiter)] = [:]
    private var lastWaiter: UInt64 = 0

    init(lifetime: KeySetLifetime) {
        self.lifetime = lifetime
    }

    mutating func makeWaiterID() -> UInt64 {
        lastWaiter += 1
        return lastWaiter
    }

    /// Returns a known key. The action is a refresh in the background if the set is no longer fresh.
    mutating func known(_ id: KeyID, at now: Date) -> (key: Key, action: Action)? {
        guard let key = servingSet(at: now)?.keys[id] else { return nil }
        guard !isWorking, !isFresh(at: now), !Self.isWithin(Self.pause, of: lastAttempt, at: now) else {
            return (key, Action())
        }
        return (key, begin(.fetch, at: now))
    }

    /// The keys that are there.
    func keys(at now: Date) -> [Key] { servingSet(at: now).map { Array($0.keys.values) } ?? [] }

    /// Whether there are keys that verify tokens without a request to the issuer.
    func hasKeys(at now: Date) -> Bool { servingSet(at: now) != nil }

    /// Refreshes an old set although nobody waits. Without a set it does nothing: the first caller that needs a key asks
    /// for one.
    mutating func refreshIfOld(at now: Date) -> Action {
        guard keySet != nil, !isWorking, !isFresh(at: now), !Self.isWithin(Self.pause, of: lastAttempt, at: now) else {
            return Action()
        }
        return begin(.fetch, at: now)
    }

    /// Adds a waiter for a key that ``known(_:at:)`` did not have.
    mutating func wait(_ waiter: Waiter, id: UInt64, for wanted: Wanted, at now: Date) -> Action {
        let serving = servingSet(at: now)
        if let found = serving.flatMap({ Self.key(wanted, in: $0) }) {
            return Action(answers: [(waiter, .success(found))])
        }
        if !isWorking {
            if let refusal = refusal(of: wanted, hasKeys: serving != nil, at: now) {
                return Action(answers: [(waiter, .failure(refusal))])
            }
            if serving != nil { lastUnknownKeyRequest = now }
        }
        waiters[id] = (wanted, waiter)
        guard !isWorking else { return Action() }
        let action = begin(keySet == nil && !hasAskedArchive ? .load : .fetch, at: now)
        beganWithoutKeys = serving == nil
        return action
    }

    /// Removes the waiter of a cancelled task, and answers it.
    mutating func cancel(_ id: UInt64) -> Action {
        guard let cancelled = waiters.removeValue(forKey: id) else { return Action() }
        let error = KeySetError(
            .keysUnavailable, "the task was cancelled while it waited for the keys", cause: CancellationError())
        return Action(answers: [(cancelled.waiter, .failure(error))])
    }

    /// Takes the archive's answer. Waiters that it doesn't serve wait on; the action then is to fetch.
    mutating func loaded(_ archived: KeySet<Key>?, at now: Date) -> Action {
        hasAskedArchive = true
        keySet = archived.map { fromThePast($0, at: now) }
        var action = Action()
        if let serving = servingSet(at: now) {
            for (id, entry) in waiters {
                // A waiter for any key waits for Apple's own answer, which is younger.
                guard case .named(let name) = entry.wanted, let key = serving.keys[name] else { continue }
                waiters[id] = nil
                action.answers.append((entry.waiter, .success(key)))
            }
            // This fetch is for names that the archive doesn't have.
            if waitsForName { lastUnknownKeyRequest = lastAttempt }
            beganWithoutKeys = false
        }
        if waiters.isEmpty, isFresh(at: now) {
            isWorking = false
        } else {
            action.work = .fetch
        }
        return action
    }

    /// Takes a key set that was fetched.
    mutating func fetched(_ set: KeySet<Key>) -> Action {
        if beganWithoutKeys, waitsForName, !awaitedNames.contains(where: { set.keys[$0] != nil }) {
            lastUnknownKeyRequest = lastAttempt
        }
        keySet = set
        lastFailure = nil
        missing = Set(awaitedNames.filter { set.keys[$0] == nil }.prefix(Self.maximumMissingNames))
        return finish { wanted in
            if let found = Self.key(wanted, in: set) { return .success(found) }
            return .failure(KeySetError(.unknownKey, "the key set, just fetched, has no key of this name"))
        }
    }

    /// Takes the error of a failed fetch. The last good set stays.
    mutating func failed(_ error: KeySetError, at now: Date) -> Action {
        lastFailure = (now, error)
        missing = []
        // No younger set replaced it, and it must become too old some time.
        keySet = keySet.map { fromThePast($0, at: now) }
        return finish { _ in .failure(KeySetError(.keysUnavailable, "the keys could not be fetched", cause: error))
        }
    }

    private mutating func begin(_ work: Work, at now: Date) -> Action {
        isWorking = true
        beganWithoutKeys = false
        lastAttempt = now
        return Action(work: work)
    }

    private mutating func finish(_ answer: (Wanted) -> Result<Key, KeySetError>) -> Action {
        isWorking = false
        defer { waiters = [:] }
        return Action(answers: waiters.values.map { ($0.waiter, answer($0.wanted)) })
    }

    private static func key(_ wanted: Wanted, in set: KeySet<Key>) -> Key? {
        switch wanted {
        case .named(let name): set.keys[name]
        case .any: set.keys.values.first
        }
    }

    /// The number of names that somebody waited for and that the last key set lacked.
    var missingCount: Int { missing.count }

    /// The names of the keys that somebody waits for.
    private var awaitedNames: some Sequence<KeyID> {
        waiters.values.lazy.compactMap { entry in
            if case .named(let name) = entry.wanted { name } else { nil }
        }
    }

    /// Whether anybody waits for a certain key, and not for any.
    private var waitsForName: Bool { awaitedNames.contains { _ in true } }

    /// Returns the set with an earlier time if its time lies in the future, by an archive's mistake or because the clock
    /// was set back. It would serve for ever otherwise. Now it counts as one that needs a refresh.
    private func fromThePast(_ set: KeySet<Key>, at now: Date) -> KeySet<Key> {
        set.fetchedAt <= now ? set : set.dated(now.addingTimeInterval(-lifetime.freshness - 1))
    }

    private func refusal(of wanted: Wanted, hasKeys: Bool, at now: Date) -> KeySetError? {
        if hasKeys {
            guard Self.isWithin(Self.pause, of: lastUnknownKeyRequest, at: now) else { return nil }
            if case .named(let name) = wanted, missing.contains(name) {
                return KeySetError(.unknownKey, "the key set, fetched less than a minute ago, has no key of this name")
            }
            return KeySetError(
                .keysUnavailable, "no key of this name is known, and the keys were asked for less than a minute ago",
                cause: UnknownKeyName(lastFailure: lastFailure?.error))
        }
        guard Self.isWithin(Self.pauseWithoutKeys, of: lastFailure?.at, at: now) else { return nil }
        return KeySetError(.keysUnavailable, "the keys could not be fetched just now", cause: lastFailure?.error)
    }

    private func servingSet(at now: Date) -> KeySet<Key>? {
        guard let keySet, now.timeIntervalSince(keySet.fetchedAt) <= lifetime.maximumStaleness else { return nil }
        return keySet
    }

    /// Whether the set is young. A set from the future, after the clock was set back, isn't.
    private func isFresh(at now: Date) -> Bool {
        guard let keySet else { return false }
        return (0...lifetime.freshness).contains(now.timeIntervalSince(keySet.fetchedAt))
    }

    private static func isWithin(_ interval: TimeInterval, of moment: Date?, at now: Date) -> Bool {
        guard let moment else { return false }
        return (0..<interval).contains(now.timeIntervalSince(moment))
    }
}
