#if PostgreSQL
    import AccountSQL
    import AccountService
    import Foundation
    import Logging

    /// What one thread of the pool does: it has a connection, makes a new one when that is lost, and runs transactions.
    final class PostgresWorker {
        private let parameters: PostgresParameters
        private let limits: PostgresLimits
        private let logger: Logger
        private var link: PostgresLink?

        init(_ parameters: PostgresParameters, _ limits: PostgresLimits, logger: Logger) {
            self.parameters = parameters
            self.limits = limits
            self.logger = logger
        }

        func close() {
            link = nil
        }

        /// Runs a body as a transaction, again where nothing is kept of it and it may succeed the next time.
        ///
        /// - Throws: what the body throws; ``PostgresFailure``; `AccountError` when the outcome of a commit is unknown.
        func perform<Value>(_ kind: TransactionKind, _ body: (any SQLConnection) throws -> Value) throws -> Value {
            let deadline =
                ContinuousClock.now + (kind == .writingAlone ? limits.transactionAlone : limits.transaction)
            var repeats = 0
            while true {
                do {
                    return try performOnce(kind, body, deadline)
                } catch let failure as PostgresFailure
                    where kind == .writingAlone && failure.waitedForLock
                    && ContinuousClock.now + limits.restAlone < deadline
                {
                    logger.notice("The tables are in use by others. What runs alone is tried again.")
                    Thread.sleep(forTimeInterval: limits.restAlone / .seconds(1))
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
            // Whatever happens: a connection in an unknown state is not used again.
            defer { if !link.isIdle { self.link = nil } }
            _ = try link.run(kind.beginning, [], until: deadline)
            if kind == .writingAlone {
                try link.run(text: limits.settingsAlone, until: deadline)
                _ = try link.run(.lockOutOthers, [], until: deadline)
                try link.run(text: limits.settingsInTurn, until: deadline)
            }
            let connection = PostgresConnection(link, deadline: deadline)
            let outcome = Result { try body(connection) }
            // What failed in the body counts, even if the body hid it: the server has given the transaction up.
            if let failure = connection.end() {
                rollBack(link)
                throw failure
            }
            let value: Value
            do {
                value = try outcome.get()
            } catch {
                rollBack(link)
                throw error
            }
            try commit(link, deadline)
            return value
        }

        /// Never runs twice: when the answer is missing, nobody here knows whether the server has kept the transaction.
        private func commit(_ link: PostgresLink, _ deadline: ContinuousClock.Instant) throws {
            do {
                _ = try link.run("COMMIT", [], until: deadline)
            } catch {
                if case .refused = error.kind { throw error }
                throw AccountError(
                    .unavailable, "The database did not say whether it kept what was written.", cause: error)
            }
        }

        /// What fails here leaves the link unusable, which the caller looks at.
        private func rollBack(_ link: PostgresLink) {
            guard !link.isIdle else { return }
            do {
                _ = try link.run("ROLLBACK", [], until: .now + limits.connecting)
            } catch {
                logger.debug("A transaction was left to the server to undo.", metadata: ["error": "\(error)"])
            }
        }

        private func connected(_ deadline: ContinuousClock.Instant) throws -> PostgresLink {
            if let link, link.isIdle { return link }
            link = nil
            let new = try PostgresLink(parameters, until: min(deadline, .now + limits.connecting))
            for setting in limits.settings { try new.run(text: setting, until: deadline) }
            try checkDurability(new, deadline)
            link = new
            return new
        }

        /// A role or a database may have settings of its own, so each connection is asked.
        private func checkDurability(_ link: PostgresLink, _ deadline: ContinuousClock.Instant) throws {
            let answer = try link.run(.durability, [], until: deadline)
            var columns = SQLColumns(PostgresRow(result: answer, row: 0))
            let (commits, encoding) = try (columns.text(), columns.text())
            guard commits != "off" else {
                throw AccountError(
                    .configuration,
                    "The database has synchronous_commit=off: what it says it has kept could be lost. Switch it on.")
            }
            guard encoding == "UTF8" else {
                throw AccountError(.configuration, "The database's encoding is not UTF8.")
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
