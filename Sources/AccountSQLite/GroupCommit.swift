import AccountDatabase
import Dispatch
import GRDB
import Logging
import TaskSignals

/// The one writer: all intents that wait go into one transaction, so that one flush to disk serves many.
///
/// An intent that fails doesn't undo the others of its transaction. No intent is answered before the commit, not even
/// with an error, because the error may depend on what another intent of the transaction wrote.
final class GroupCommit: Sendable {
    private struct State {
        var waiting: [any WriteIntent] = []
        var isDraining = false
        var isClosed = false
    }

    /// The maximum number of intents that wait. If more wait, the disk has been stuck for a while, and new intents are
    /// refused.
    static let maximumQueueLength = 8_192

    private let writer: any DatabaseWriter
    private let largestGroup: Int
    /// Nil where there is no log.
    let checkpoints: Checkpoints?
    let logger: Logger
    private let state = Lock(State())

    init(writer: any DatabaseWriter, checkpoints: Checkpoints?, largestGroup: Int, logger: Logger) {
        self.writer = writer
        self.checkpoints = checkpoints
        self.largestGroup = largestGroup
        self.logger = logger
    }

    /// The number of intents that wait for a transaction, without those of the transaction under way.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    func submit(_ intent: some WriteIntent) {
        let refusal: SQLDatabaseError? = state.withLock { state in
            guard !state.isClosed else { return .databaseIsClosed }
            guard state.waiting.count < Self.maximumQueueLength else { return .tooManyWrites }
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
            intent.refuse(SQLDatabaseError.databaseIsClosed)
        }
    }

    /// Refuses all writes from now on. Those that came before are on the writer's queue and are still done.
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

extension GroupCommit {
    /// Puts the intents into one transaction; if that fails as a whole, each into one of its own.
    /// - Parameter isUndoing: whether each intent can be undone by itself. For that SQLite copies every page before an
    ///   intent changes it, so a group is tried without first: an intent seldom fails, and hardly ever when it has
    ///   written already. When one does, the group begins again.
    func commitTogether(_ intents: [any WriteIntent], on database: Database, isUndoing: Bool = false) {
        do {
            try database.run("BEGIN IMMEDIATE")
        } catch {
            // No transaction has begun, and each intent alone would wait as long again.
            intents.forEach { $0.refuse(error) }
            return
        }
        do {
            for intent in intents {
                if isUndoing {
                    try runInSavepoint(intent, on: database)
                } else {
                    try runWithoutUndoing(intent, on: database)
                }
            }
        } catch is NeedsUndoing {
            rollBack(database)
            commitTogether(intents, on: database, isUndoing: true)
            return
        } catch {
            logger.warning("A group of writes was rolled back; each runs again alone.", metadata: metadata(of: error))
            rollBack(database)
            commitSingly(intents, on: database)
            return
        }
        do {
            try database.run("COMMIT")
        } catch {
            logger.warning("A group of writes could not be committed.", metadata: metadata(of: error))
            rollBack(database)
            if leavesOutcomeUnknown(error) {
                intents.forEach { $0.refuse(error) }
            } else {
                commitSingly(intents, on: database)
            }
            return
        }
        if intents.contains(where: { $0.erases }) { checkpoints?.erase() }
        // Waking so many callers takes as long as one of the intents did. Another thread does it, because other intents
        // wait.
        DispatchQueue.global(qos: .userInitiated).async { intents.forEach { $0.answer() } }
    }

    /// One intent, one transaction.
    func commitAlone(_ intent: any WriteIntent, on database: Database, begin: String) {
        do {
            try database.run(begin)
        } catch {
            intent.refuse(error)
            return
        }
        do {
            try intent.run(on: database)
        } catch {
            rollBack(database)
            intent.answer()
            return
        }
        do {
            try database.run("COMMIT")
        } catch {
            rollBack(database)
            intent.refuse(error)
            return
        }
        if intent.erases { checkpoints?.erase() }
        intent.answer()
    }

    private func commitSingly(_ intents: [any WriteIntent], on database: Database) {
        for intent in intents {
            commitAlone(intent, on: database, begin: "BEGIN IMMEDIATE")
        }
    }

    /// An intent that fails before it has changed a row leaves nothing to be undone. Changes to the schema are not
    /// counted; those belong into ``SQLiteDatabase/writeAlone(_:)``. Throws ``NeedsUndoing``, or when the transaction
    /// is lost, as below.
    private func runWithoutUndoing(_ intent: any WriteIntent, on database: Database) throws {
        let changes = database.totalChangesCount
        do {
            try intent.run(on: database)
        } catch {
            guard database.isInsideTransaction else { throw error }
            guard database.totalChangesCount == changes else { throw NeedsUndoing() }
        }
    }

    /// An intent that fails is undone by itself. Throws when the transaction is lost with it: SQLite rolls back all of
    /// it when disk, memory or an interrupt fails a statement, and what ran next would stand outside any transaction.
    private func runInSavepoint(_ intent: any WriteIntent, on database: Database) throws {
        try database.run("SAVEPOINT intent")
        do {
            try intent.run(on: database)
        } catch {
            guard database.isInsideTransaction else { throw error }
            try database.run("ROLLBACK TO intent")
        }
        try database.run("RELEASE intent")
    }

    /// Leaves no transaction open, whether or not SQLite has rolled back by itself.
    private func rollBack(_ database: Database) {
        do {
            try database.rollback()
        } catch {
            logger.error("A transaction could not be rolled back.", metadata: metadata(of: error))
        }
    }

    /// Whether a failed COMMIT may be found done after a crash: the flush failed, not the writing before it.
    private func leavesOutcomeUnknown(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.resultCode == .SQLITE_IOERR
    }

    private func metadata(of error: any Error) -> Logger.Metadata {
        let storeError = SQLiteFailure.storeError(for: error)
        return ["error": "\((storeError as? SQLDatabaseError)?.cause ?? storeError)"]
    }
}

/// An intent failed that had written already, in a transaction that can only be undone as a whole.
private struct NeedsUndoing: Error {}
