import AccountService
import GRDB
import Logging
import Synchronization

/// The one writer: whatever waits goes into one transaction, so that one flush to disk serves many.
///
/// An intent that fails undoes nothing of its neighbours', and none is answered before the commit: not even with an
/// error, because it may rest on what a neighbour wrote in the same transaction.
final class GroupCommit: Sendable {
    private struct State {
        var waiting: [any WriteIntent] = []
        var isDraining = false
        var isClosed = false
    }

    /// With more than that waiting, the disk has been stuck for a while, and it is better to say so than to take more
    /// in.
    static let longestQueue = 8_192

    private let writer: any DatabaseWriter
    private let largestGroup: Int
    /// Nil where there is no log.
    let checkpoints: Checkpoints?
    let logger: Logger
    private let state = Mutex(State())

    init(writer: any DatabaseWriter, checkpoints: Checkpoints?, largestGroup: Int, logger: Logger) {
        self.writer = writer
        self.checkpoints = checkpoints
        self.largestGroup = largestGroup
        self.logger = logger
    }

    /// How many intents wait for a transaction, without those of the one under way.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    func submit(_ intent: some WriteIntent) {
        let refusal: AccountError? = state.withLock { state in
            guard !state.isClosed else { return .databaseIsClosed }
            guard state.waiting.count < Self.longestQueue else { return .tooManyWrites }
            state.waiting.append(intent)
            if !state.isDraining {
                state.isDraining = true
                // GRDB's own async writes throw when the calling task is cancelled; this does not know of tasks.
                writer.asyncWriteWithoutTransaction { self.drain($0) }
            }
            return nil
        }
        if let refusal {
            intent.refuse(refusal)
        }
    }

    /// Runs an intent alone, in an exclusive transaction.
    func submitAlone(_ intent: some WriteIntent) {
        let isTaken = state.withLock { state in
            guard !state.isClosed else { return false }
            writer.asyncWriteWithoutTransaction { self.commitAlone(intent, on: $0, begin: "BEGIN EXCLUSIVE") }
            return true
        }
        if !isTaken {
            intent.refuse(AccountError.databaseIsClosed)
        }
    }

    /// Refuses what comes from now on. What came before is on the writer's queue and is still done.
    func stop() {
        state.withLock { $0.isClosed = true }
    }

    private func drain(_ database: Database) {
        while let group = nextGroup() {
            if group.count == 1 {
                commitAlone(group[0], on: database, begin: "BEGIN IMMEDIATE")
            } else {
                commitTogether(group, on: database)
            }
            checkpoints?.committed(on: database)
        }
    }

    private func nextGroup() -> [any WriteIntent]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isDraining = false
                return nil
            }
            let group = Array(state.waiting.prefix(largestGroup))
            state.waiting.removeFirst(group.count)
            return group
        }
    }
}
