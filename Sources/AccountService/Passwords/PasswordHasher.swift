import Foundation
import TaskSignals

/// Hashes passwords on a few threads of its own, with a short queue before them.
///
/// A hash takes 32 MiB and a third of a second, so many at once would take the machine away from everybody else. The
/// threads make way for all others (``HasherThread``), and exist only while there is work: nobody has to stop them. A
/// caller waits as a task, without a thread.
package final class PasswordHasher: Sendable {
    /// The most passwords that wait for a thread.
    package static let maximumQueueLength = 16

    private typealias Waiter = CheckedContinuation<[UInt8], any Error>

    private struct Job {
        let password: Password
        let task: HashTask
        let waiter: Waiter
    }

    private struct State {
        var queue: HashQueue<Job>
        var lastID: UInt64 = 0
        var computed = 0
        var work = 0
        /// The time of the last hash, by which a refused caller is told when to come again.
        var duration = Duration.zero
        /// The time for which the last hash of the present cost used the processor; nil until there was one.
        var presentProcessorTime: Duration?
    }

    /// The cost of new hashes.
    package let cost: PasswordCost
    private let makesWay: Bool
    private let randomBytes: @Sendable (Int) -> [UInt8]
    private let willHash: (@Sendable (Password) -> Void)?
    private let state: Lock<State>

    /// Makes a hasher.
    /// - Parameters:
    ///   - randomBytes: makes salts.
    ///   - cores: The machine's cores. At most half of them hash.
    package init(
        _ settings: PasswordSettings, randomBytes: @escaping @Sendable (Int) -> [UInt8],
        cores: Int = ProcessInfo.processInfo.activeProcessorCount
    ) {
        cost = settings.cost
        makesWay = settings.makesWay
        self.randomBytes = randomBytes
        willHash = settings.willHash
        let threads = max(1, min(settings.hashers, cores / 2))
        state = Lock(State(queue: HashQueue(threads: threads, maximumLength: Self.maximumQueueLength)))
    }

    /// How many passwords are hashed at once, at most.
    package var threads: Int { state.withLock { $0.queue.threads } }
    /// How many passwords wait for a thread.
    package var waiting: Int { state.withLock { $0.queue.waiting } }
    /// How many passwords are hashed at this moment.
    package var running: Int { state.withLock { $0.queue.running } }
    /// The work of all hashes that were computed so far; see ``PasswordCost/work``.
    package var work: Int { state.withLock { $0.work } }
    /// How many hashes were computed so far.
    package var computed: Int { state.withLock { $0.computed } }

    /// Hashes a password with the present cost and a new salt.
    /// - Parameter network: the network that asks, which has no more places in a full queue than others.
    /// - Throws: ``AccountError/Code/tooBusy`` when the queue is full; `CancellationError` when the caller is cancelled
    ///   before a thread takes the password.
    package func hash(_ password: Password, of network: CountedNetwork? = nil) async throws -> PasswordHash {
        let salt = randomBytes(PasswordHash.saltLength)
        let bytes = try await bytes(of: password, .new(salt: salt), network)
        return PasswordHash(cost: cost, salt: salt, bytes: bytes)
    }

    /// Returns whether a hash is this password's. A wrong password takes as long for every hash.
    ///
    /// A hash of a former, lower cost takes less. If it isn't the password's, the rest of the present cost is used on
    /// a dummy, so that nobody can tell accounts with such a hash from addresses without an account. That takes no
    /// second turn in the queue: in a full one the answer would come without the count of a wrong password.
    /// - Parameters:
    ///   - hash: nil where there is none. Then a dummy is computed all the same, and the answer is no.
    ///   - network: the network that asks, which has no more places in a full queue than others.
    /// - Throws: as ``hash(_:of:)``.
    package func verify(
        _ password: Password, _ hash: PasswordHash?, of network: CountedNetwork? = nil
    ) async throws -> Bool {
        try await check(password, hash.map(StoredPasswordHash.own), of: network)
    }

    /// Returns whether a stored hash, of this or another service, is this password's, as ``verify(_:_:of:)`` does.
    func check(
        _ password: Password, _ hash: StoredPasswordHash?, of network: CountedNetwork? = nil
    ) async throws -> Bool {
        let expected = hash ?? .own(.dummy(cost))
        let bytes = try await bytes(of: password, .check(expected), network)
        return expected.hasBytes(bytes) && hash != nil
    }

    private func bytes(
        of password: Password, _ task: HashTask, _ network: CountedNetwork?
    ) async throws -> [UInt8] {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                enqueue(Job(password: password, task: task, waiter: waiter), as: id, of: network)
            }
        } onCancel: {
            let job = state.withLock { $0.queue.withdraw(id) }
            job?.waiter.resume(throwing: CancellationError())
        }
    }

    private func enqueue(_ job: Job, as id: UInt64, of network: CountedNetwork?) {
        // Nil: the task was cancelled before the handler above could find a job.
        let admission = state.withLock { state in
            Task.isCancelled ? nil : state.queue.admit(job, as: id, of: network)
        }
        switch admission {
        case .starts: startThread(with: job)
        case .waits: break
        case .replaces(let former): refuse(former)
        case .isFull: refuse(job)
        case nil: job.waiter.resume(throwing: CancellationError())
        }
    }

    private func refuse(_ job: Job) {
        job.waiter.resume(
            throwing: AccountError(.tooBusy, "too many passwords wait to be checked", retryAfter: timeUntilPlace))
    }

    /// The time that those who wait now need, in whole seconds.
    private var timeUntilPlace: Duration {
        state.withLock { state in
            let wait = state.duration * state.queue.waiting / state.queue.threads
            return .seconds(max(1, (wait / .seconds(1)).rounded(.up)))
        }
    }

    private func startThread(with first: Job) {
        HasherThread.start(makingWay: makesWay) { [self] in
            var job: Job? = first
            while let current = job {
                if makesWay {
                    HasherThread.thenPause(after: { perform(current) })
                } else {
                    perform(current)
                }
                job = state.withLock { $0.queue.next() }
            }
        }
    }

    private func perform(_ job: Job) {
        willHash?(job.password)
        let (start, processorStart) = (ContinuousClock.now, HasherThread.processorTime)
        var costs: [PasswordCost?] = []
        let result = Result<[UInt8], any Error> {
            do {
                switch job.task {
                case .new(let salt):
                    costs = [cost]
                    return try PasswordHash.bytes(of: job.password, salt: salt, cost: cost)
                case .check(let expected):
                    costs = [expected.cost]
                    let bytes = try expected.bytes(of: job.password)
                    let used = HasherThread.processorTime - processorStart
                    guard !expected.hasBytes(bytes), let rest = rest(of: expected, after: used) else { return bytes }
                    costs.append(rest)
                    _ = try PasswordHash.bytes(of: job.password, salt: PasswordHash.dummy(rest).salt, cost: rest)
                    return bytes
                }
            } catch {
                throw AccountError(.unavailable, "a password could not be hashed", cause: error)
            }
        }
        let (duration, used) = (ContinuousClock.now - start, HasherThread.processorTime - processorStart)
        let work = costs.reduce(0) { $0 + ($1?.work ?? 0) }
        state.withLock { [count = costs.count, isPresent = costs == [cost]] state in
            state.computed += count
            state.work += work
            state.duration = duration
            if isPresent { state.presentProcessorTime = used }
        }
        job.waiter.resume(with: result)
    }

    /// The cost of the dummy that, together with a check, takes as long as a check of the present cost; nil for none.
    /// - Parameter used: the time for which the check used the processor. The two times are compared where the work of
    ///   both can't be. The time that passed would also depend on the other programs of the machine.
    private func rest(of hash: StoredPasswordHash, after used: Duration) -> PasswordCost? {
        if let former = hash.cost { return former.rest(of: cost) }
        guard let whole = state.withLock({ $0.presentProcessorTime }), whole > .zero else { return cost }
        return cost.rest(after: used / whole)
    }
}

/// The work of a thread for one password.
private enum HashTask: Sendable {
    /// A hash of the present cost.
    case new(salt: [UInt8])
    /// The hash that a stored one is compared with.
    case check(StoredPasswordHash)
}

extension PasswordHash {
    /// A hash that is computed only for its time.
    fileprivate static func dummy(_ cost: PasswordCost) -> Self {
        Self(
            cost: cost, salt: [UInt8](repeating: 0, count: saltLength), bytes: [UInt8](repeating: 0, count: length))
    }
}
