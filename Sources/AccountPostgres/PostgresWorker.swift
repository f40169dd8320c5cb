#if PostgreSQL
    import AccountDatabase
    import Foundation
    import Logging

    /// The work of one thread of the pool: it has a connection, makes a new one when that is lost, and runs
    /// transactions.
    final class PostgresWorker {
        private let hosts: PostgresHosts
        private let limits: PostgresLimits
        private let logger: Logger
        private var link: PostgresLink?

        init(_ hosts: PostgresHosts, _ limits: PostgresLimits, logger: Logger) {
            self.hosts = hosts
            self.limits = limits
            self.logger = logger
        }

        func close() {
            link = nil
        }

        /// Runs a body as a transaction. It runs the body again if the transaction left no trace and may succeed now.
        ///
        /// - Throws: the body's error; ``PostgresFailure``; `SQLDatabaseError` when the outcome of a commit is unknown.
        func perform<Value>(_ kind: TransactionKind, _ body: (any SQLConnection) throws -> Value) throws -> Value {
            let isAlone = kind == .writingAlone
            return try repeating(isAlone: isAlone, limits.duration(of: kind)) { deadline in
                do {
                    return try performOnce(kind, body, deadline)
                } catch let failure as PostgresFailure where failure.endsConnection {
                    link = nil
                    throw failure
                }
            }
        }

        /// Runs one statement that only reads, as a transaction of its own, in one round trip. It runs the statement again
        /// if it may succeed now.
        func lookUp<Value>(
            _ statement: SQLStatement, _ values: [SQLValue], decode: (inout SQLColumns) throws -> Value
        ) throws -> [Value] {
            try repeating(limits.transaction) { deadline in
                let link = try connected(deadline)
                defer { if !link.isIdle { self.link = nil } }
                var rows: [Value] = []
                try link.run(statement, values, until: deadline).eachRow { try rows.append(decode(&$0)) }
                return rows
            }
        }

        private func repeating<Value>(
            isAlone: Bool = false, _ duration: Duration, _ work: (ContinuousClock.Instant) throws -> Value
        ) throws -> Value {
            let deadline = ContinuousClock.now + duration
            var repeats = 0
            while true {
                do {
                    return try work(deadline)
                } catch let failure as PostgresFailure
                    where isAlone && failure.waitedForLock && ContinuousClock.now + limits.pauseAlone < deadline
                {
                    logger.notice("The tables are in use by others. What runs alone is tried again.")
                    Thread.sleep(forTimeInterval: limits.pauseAlone / .seconds(1))
                } catch let failure as PostgresFailure
                    where failure.mayPassOnRepeat && repeats < limits.repeats && ContinuousClock.now < deadline
                {
                    repeats += 1
                    logger.debug("A transaction runs again.", metadata: ["error": "\(failure)"])
                }
            }
        }

        private func performOnce<Value>(
            _ kind: TransactionKind, _ body: (any SQLConnection) throws -> Value, _ deadline: ContinuousClock.Instant
        ) throws -> Value {
            let link = try connected(deadline)
            // A connection in an unknown state is not used again, whether or not an error is thrown.
            defer { if !link.isIdle { self.link = nil } }
            if kind == .writingAlone { try beginAlone(link, deadline) }
            let connection = PostgresConnection(
                link, beginning: kind == .writingAlone ? nil : kind.beginning, deadline: deadline)
            let outcome = Result { try body(connection) }
            let value: Value
            let last: [SQLStep]
            do {
                // A failure in the body counts, even if the body hid it: the server has aborted the transaction.
                last = try connection.end().get()
                value = try outcome.get()
            } catch {
                rollBack(link, after: error)
                throw error
            }
            if connection.hasBegun || !last.isEmpty { try commit(kind, link, with: last, deadline) }
            return value
        }

        private func beginAlone(_ link: PostgresLink, _ deadline: ContinuousClock.Instant) throws {
            _ = try link.run(TransactionKind.writingAlone.beginning, until: deadline)
            try link.run(text: limits.settingsAlone, until: deadline)
            _ = try link.run(.lockOutOthers, until: deadline)
            try link.run(text: limits.settingsInTurn, until: deadline)
        }

        /// Sends a transaction's last statements together with COMMIT, in one round trip.
        ///
        /// If the server refuses one of them, it does not run COMMIT, and the transaction may run again. If the answer is
        /// missing, the transaction never runs again, because the server may have committed it. One that only reads has
        /// nothing to keep, so its body's value stands whatever became of COMMIT.
        private func commit(
            _ kind: TransactionKind, _ link: PostgresLink, with last: [SQLStep], _ deadline: ContinuousClock.Instant
        ) throws {
            guard case .failed(let failure, let mayBeKept) = link.run(last + [SQLStep("COMMIT")], until: deadline)
            else {
                return
            }
            guard mayBeKept else {
                rollBack(link, after: failure)
                throw failure
            }
            if kind == .reading { return }
            throw SQLDatabaseError(
                .unavailable, "The database did not say whether it kept what was written.", cause: failure)
        }

        /// Undoes the transaction. If that fails, the link isn't idle any more, which the caller checks.
        /// - Parameter error: the error that ended the transaction. If it ends the connection, this sends nothing:
        ///   ``perform(_:_:)`` closes the link, and the server undoes the transaction.
        private func rollBack(_ link: PostgresLink, after error: any Error) {
            if let failure = error as? PostgresFailure, failure.endsConnection { return }
            guard !link.isIdle else { return }
            do {
                _ = try link.run("ROLLBACK", until: .now + limits.connecting)
            } catch {
                logger.debug("A transaction was left to the server to undo.", metadata: ["error": "\(error)"])
            }
        }

        private func connected(_ deadline: ContinuousClock.Instant) throws -> PostgresLink {
            if let link, link.isIdle { return link }
            link = nil
            let new = try hosts.connect(within: limits, until: deadline)
            for setting in limits.settings { try new.run(text: setting, until: deadline) }
            try checkDurability(new, deadline)
            link = new
            return new
        }

        /// A role or a database may have settings of its own, so each connection is asked.
        private func checkDurability(_ link: PostgresLink, _ deadline: ContinuousClock.Instant) throws {
            let answer = try link.run(.durability, until: deadline)
            var columns = SQLColumns(PostgresRow(result: answer, row: 0))
            let (commits, encoding) = try (columns.text(), columns.text())
            guard commits != "off" else {
                throw SQLDatabaseError(
                    .configuration,
                    "The database has synchronous_commit=off: what it says it has kept could be lost. Switch it on.")
            }
            guard encoding == "UTF8" else {
                throw SQLDatabaseError(.configuration, "The database's encoding is not UTF8.")
            }
        }
    }

    extension SQLStatement {
        /// The number is this program's own, "siwa" in ASCII.
        fileprivate static let lockOutOthers: Self = "SELECT pg_advisory_xact_lock(1936291713)"
        fileprivate static let durability: Self =
            "SELECT current_setting('synchronous_commit'), current_setting('server_encoding')"
    }
#endif
