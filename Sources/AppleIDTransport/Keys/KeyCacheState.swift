import AppleIDTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The state of a key cache: what it knows and what is under way. It does nothing itself; every event returns an
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
        /// Look into the archive, then fetch if that leaves anything open.
        case load
        case fetch
    }

    /// Between requests that an unknown key causes, and between refreshes while they fail.
    private static var pause: TimeInterval { 60 }
    /// Between requests while there is nothing to serve at all: a failure at the start should not cost a whole minute
    /// of sign-ins.
    private static var pauseWithoutKeys: TimeInterval { 5 }
    /// How many names of one answer are remembered at most: strangers invent them.
    private static var missingLimit: Int { 1_024 }

    let lifetime: KeySetLifetime

    private var keySet: KeySet<Key>?
    private(set) var isWorking = false
    private var hasAskedArchive = false
    private var lastAttempt: Date?
    /// When the issuer was last asked on account of unknown names alone.
    private var lastForcedAttempt: Date?
    /// Asked for a name while there were no keys at all: whether it is an unknown one turns out when they come.
    private var isForcePossible = false
    /// Names that somebody waited for and the last answer lacked. While the answer is young, these are known not to be
    /// the issuer's. Other names are not, because the issuer may have new keys since.
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

    /// A known key, at once. The action is a refresh in the background, when it is time for one.
    mutating func known(_ id: KeyID, at now: Date) -> (key: Key, action: Action)? {
        guard let key = servingSet(at: now)?.keys[id] else { return nil }
        guard !isWorking, !isFresh(at: now), !Self.isWithin(Self.pause, of: lastAttempt, at: now) else {
            return (key, Action())
        }
        return (key, begin(.fetch, at: now))
    }

    /// The keys that are there.
    func keys(at now: Date) -> [Key] { servingSet(at: now).map { Array($0.keys.values) } ?? [] }

    /// Whether anything can be verified without asking the issuer.
    func hasKeys(at now: Date) -> Bool { servingSet(at: now) != nil }

    /// Refreshes an old set although nobody waits. If there is none yet, the first who needs a key asks for it.
    mutating func refreshIfOld(at now: Date) -> Action {
        guard keySet != nil, !isWorking, !isFresh(at: now), !Self.isWithin(Self.pause, of: lastAttempt, at: now) else {
            return Action()
        }
        return begin(.fetch, at: now)
    }

    /// Somebody waits for a key that ``known(_:at:)`` did not have.
    mutating func wait(_ waiter: Waiter, id: UInt64, for wanted: Wanted, at now: Date) -> Action {
        let serving = servingSet(at: now)
        if let found = serving.flatMap({ Self.key(wanted, in: $0) }) {
            return Action(answers: [(waiter, .success(found))])
        }
        if !isWorking {
            if let refusal = refusal(of: wanted, hasKeys: serving != nil, at: now) {
                return Action(answers: [(waiter, .failure(refusal))])
            }
            if serving != nil { lastForcedAttempt = now }
        }
        waiters[id] = (wanted, waiter)
        guard !isWorking else { return Action() }
        let action = begin(keySet == nil && !hasAskedArchive ? .load : .fetch, at: now)
        isForcePossible = serving == nil
        return action
    }

    /// The task that waited was cancelled: it alone gets its answer now.
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
            // This fetch is for names that the archive does not know.
            if waitsForName { lastForcedAttempt = lastAttempt }
            isForcePossible = false
        }
        if waiters.isEmpty, isFresh(at: now) {
            isWorking = false
        } else {
            action.work = .fetch
        }
        return action
    }

    /// A key set came.
    mutating func fetched(_ set: KeySet<Key>) -> Action {
        if isForcePossible, waitsForName, !awaitedNames.contains(where: { set.keys[$0] != nil }) {
            lastForcedAttempt = lastAttempt
        }
        keySet = set
        lastFailure = nil
        missing = Set(awaitedNames.filter { set.keys[$0] == nil }.prefix(Self.missingLimit))
        return finish { wanted in
            if let found = Self.key(wanted, in: set) { return .success(found) }
            return .failure(KeySetError(.unknownKey, "the key set, just fetched, has no key of this name"))
        }
    }

    /// No key set came, or none that is usable. The last good set stays.
    mutating func failed(_ error: KeySetError, at now: Date) -> Action {
        lastFailure = (now, error)
        missing = []
        // Nothing younger replaced it, and it has to end some time.
        keySet = keySet.map { fromThePast($0, at: now) }
        return finish { _ in .failure(KeySetError(.keysUnavailable, "the keys could not be fetched", cause: error))
        }
    }

    private mutating func begin(_ work: Work, at now: Date) -> Action {
        isWorking = true
        isForcePossible = false
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

    /// How many names the last answer lacked that somebody waited for.
    var missingCount: Int { missing.count }

    /// The names of the keys that somebody waits for.
    private var awaitedNames: some Sequence<KeyID> {
        waiters.values.lazy.compactMap { entry in
            if case .named(let name) = entry.wanted { name } else { nil }
        }
    }

    /// Whether anybody waits for a certain key, and not for any.
    private var waitsForName: Bool { awaitedNames.contains { _ in true } }

    /// Ages a set whose time lies ahead, by an archive's mistake or because the clock was put back: it would serve for
    /// ever. From now on it counts as one that is to be refreshed.
    private func fromThePast(_ set: KeySet<Key>, at now: Date) -> KeySet<Key> {
        set.fetchedAt <= now ? set : set.dated(now.addingTimeInterval(-lifetime.freshness - 1))
    }

    private func refusal(of wanted: Wanted, hasKeys: Bool, at now: Date) -> KeySetError? {
        if hasKeys {
            guard Self.isWithin(Self.pause, of: lastForcedAttempt, at: now) else { return nil }
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

    /// A set from the future, after a clock was put back, is not fresh either.
    private func isFresh(at now: Date) -> Bool {
        guard let keySet else { return false }
        return (0...lifetime.freshness).contains(now.timeIntervalSince(keySet.fetchedAt))
    }

    private static func isWithin(_ interval: TimeInterval, of moment: Date?, at now: Date) -> Bool {
        guard let moment else { return false }
        return (0..<interval).contains(now.timeIntervalSince(moment))
    }
}
