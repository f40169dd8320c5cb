import AppleIDTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the key cache knows and what it has under way. Does nothing itself: every event returns what is to be done.
struct KeyCacheState<Key: PublicKey> {
    typealias Waiter = CheckedContinuation<Result<Key, AppleIDError>, Never>

    /// What to do after an event; both parts may be empty.
    struct Action {
        var work: Work?
        var answers: [(waiter: Waiter, result: Result<Key, AppleIDError>)] = []
    }

    /// What is done for everybody at once.
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
    /// Names that somebody waited for and the last answer lacked. Of these it is known that they are none of the
    /// issuer's, as long as the answer is young; of others it is not, because the issuer may have new keys since.
    private var missing: Set<KeyID> = []
    private var lastFailure: (at: Date, error: AppleIDError)?
    private var waiters: [UInt64: (key: KeyID, waiter: Waiter)] = [:]
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

    /// Whether anything can be verified without asking the issuer.
    func hasKeys(at now: Date) -> Bool { servingSet(at: now) != nil }

    /// Nobody waits, but the set should not grow old. Where there is none yet, the first who needs a key asks for it.
    mutating func refreshIfOld(at now: Date) -> Action {
        guard keySet != nil, !isWorking, !isFresh(at: now), !Self.isWithin(Self.pause, of: lastAttempt, at: now) else {
            return Action()
        }
        return begin(.fetch, at: now)
    }

    /// Somebody waits for a key that ``known(_:at:)`` did not have.
    mutating func wait(_ waiter: Waiter, id: UInt64, for key: KeyID, at now: Date) -> Action {
        let serving = servingSet(at: now)
        if let found = serving?.keys[key] {
            return Action(answers: [(waiter, .success(found))])
        }
        if !isWorking {
            if let refusal = refusal(of: key, hasKeys: serving != nil, at: now) {
                return Action(answers: [(waiter, .failure(refusal))])
            }
            if serving != nil { lastForcedAttempt = now }
        }
        waiters[id] = (key, waiter)
        guard !isWorking else { return Action() }
        let action = begin(keySet == nil && !hasAskedArchive ? .load : .fetch, at: now)
        isForcePossible = serving == nil
        return action
    }

    /// The task that waited was cancelled: it alone gets its answer now.
    mutating func cancel(_ id: UInt64) -> Action {
        guard let cancelled = waiters.removeValue(forKey: id) else { return Action() }
        let error = AppleIDError(
            .keysUnavailable, "the task was cancelled while it waited for the keys", cause: CancellationError())
        return Action(answers: [(cancelled.waiter, .failure(error))])
    }

    /// The archive answered. Whoever is not served by that waits on; the action then is to fetch.
    mutating func loaded(_ archived: KeySet<Key>?, at now: Date) -> Action {
        hasAskedArchive = true
        keySet = archived.map { fromThePast($0, at: now) }
        var action = Action()
        if let serving = servingSet(at: now) {
            for (id, entry) in waiters {
                guard let key = serving.keys[entry.key] else { continue }
                waiters[id] = nil
                action.answers.append((entry.waiter, .success(key)))
            }
            // What is fetched now is fetched for names that the archive does not know.
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
        if isForcePossible, waitsForName, !waiters.values.contains(where: { set.keys[$0.key] != nil }) {
            lastForcedAttempt = lastAttempt
        }
        keySet = set
        lastFailure = nil
        let unknown = waiters.values.lazy.map(\.key).filter { !$0.rawValue.isEmpty && set.keys[$0] == nil }
        missing = Set(unknown.prefix(Self.missingLimit))
        return finish { key in
            if let found = set.keys[key] { return .success(found) }
            return .failure(AppleIDError(.unknownKey, "the key set, just fetched, has no key of this name"))
        }
    }

    /// None came, or nothing usable. The last good set stays.
    mutating func failed(_ error: AppleIDError, at now: Date) -> Action {
        lastFailure = (now, error)
        missing = []
        // Nothing younger replaced it, and it has to end some time.
        keySet = keySet.map { fromThePast($0, at: now) }
        return finish { _ in .failure(AppleIDError(.keysUnavailable, "the keys could not be fetched", cause: error))
        }
    }

    private mutating func begin(_ work: Work, at now: Date) -> Action {
        isWorking = true
        isForcePossible = false
        lastAttempt = now
        return Action(work: work)
    }

    private mutating func finish(_ answer: (KeyID) -> Result<Key, AppleIDError>) -> Action {
        isWorking = false
        defer { waiters = [:] }
        return Action(answers: waiters.values.map { ($0.waiter, answer($0.key)) })
    }

    /// How many names the last answer lacked that somebody waited for.
    var missingCount: Int { missing.count }

    /// Whether anybody waits for a certain key, and not for any.
    private var waitsForName: Bool { waiters.values.contains { !$0.key.rawValue.isEmpty } }

    /// A set whose time lies ahead, by an archive's mistake or because the clock was put back, would serve for ever.
    /// From now on it counts as one that is to be refreshed.
    private func fromThePast(_ set: KeySet<Key>, at now: Date) -> KeySet<Key> {
        set.fetchedAt <= now ? set : set.dated(now.addingTimeInterval(-lifetime.freshness - 1))
    }

    private func refusal(of key: KeyID, hasKeys: Bool, at now: Date) -> AppleIDError? {
        if hasKeys {
            guard Self.isWithin(Self.pause, of: lastForcedAttempt, at: now) else { return nil }
            if missing.contains(key) {
                return AppleIDError(.unknownKey, "the key set, fetched less than a minute ago, has no key of this name")
            }
            return AppleIDError(
                .keysUnavailable, "no key of this name is known, and the keys were asked for less than a minute ago",
                cause: UnknownKeyName(lastFailure: lastFailure?.error))
        }
        guard Self.isWithin(Self.pauseWithoutKeys, of: lastFailure?.at, at: now) else { return nil }
        return AppleIDError(.keysUnavailable, "the keys could not be fetched just now", cause: lastFailure?.error)
    }

    private func servingSet(at now: Date) -> KeySet<Key>? {
        guard let keySet, now.timeIntervalSince(keySet.fetchedAt) <= lifetime.endurance else { return nil }
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

/// Why a key cannot be had although there are keys: its name is none of theirs, and the issuer is not asked for every
/// name that somebody invents.
struct UnknownKeyName: Error, CustomStringConvertible {
    /// Why the issuer could not be asked the last time, if that was so.
    let lastFailure: AppleIDError?

    var description: String { lastFailure.map { "unknown key; \($0)" } ?? "unknown key" }
}

extension AppleIDError {
    /// Whether keys are there, and the token names none of them: as good as an unknown key, until the issuer can be
    /// asked again. Such an error is the sender's and no outage.
    package var isAboutUnknownKeyName: Bool { cause is UnknownKeyName }
}
