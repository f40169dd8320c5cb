import AccountService
import GRDB
import Logging

extension GroupCommit {
    /// Puts the intents into one transaction; if that fails as a whole, each into one of its own.
    func commitTogether(_ intents: [any WriteIntent], on database: Database) {
        do {
            try database.run("BEGIN IMMEDIATE")
        } catch {
            // Nothing was begun, and one by one they would wait as long again each.
            intents.forEach { $0.refuse(error) }
            return
        }
        do {
            for intent in intents {
                try runInSavepoint(intent, on: database)
            }
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
        intents.forEach { $0.answer() }
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
        intent.answer()
    }

    private func commitSingly(_ intents: [any WriteIntent], on database: Database) {
        for intent in intents {
            commitAlone(intent, on: database, begin: "BEGIN IMMEDIATE")
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
        let told = SQLiteFailure.told(error)
        return ["error": "\((told as? AccountError)?.cause ?? told)"]
    }
}

extension Database {
    /// Runs a statement that is prepared once.
    fileprivate func run(_ statement: String) throws {
        try cachedStatement(sql: statement).execute()
    }
}
