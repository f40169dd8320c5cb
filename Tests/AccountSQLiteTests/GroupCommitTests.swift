import AccountDatabase
import AccountSQLite
import AccountService
import Dispatch
import InMemoryLogging
import Logging
import Testing

@Suite("Writes that share a transaction")
struct GroupCommitTests {
    @Test("A failing write does not affect its neighbours, and leaves nothing of its own")
    func neighbours() async throws {
        try await withTrial { trial in
            let answers = try await trial.inOneGroup(30) { number in
                try await trial.database.write { connection in
                    try connection.keep(number)
                    if number.isMultiple(of: 3) { throw Refusal() }
                }
            }
            for (number, answer) in answers.enumerated() {
                #expect((answer is Refusal) == number.isMultiple(of: 3))
                #expect((answer == nil) == !number.isMultiple(of: 3))
            }
            let expected = (0..<30).filter { !$0.isMultiple(of: 3) }
            #expect(try await trial.kept() == Set(expected))
            #expect(trial.warnings.isEmpty, "all went into one transaction")
        }
    }

    @Test("A statement that fails is undone to its savepoint")
    func failingStatement() async throws {
        try await withTrial { trial in
            let answers = try await trial.inOneGroup(10) { number in
                try await trial.database.write { connection in
                    try connection.keep(number)
                    if number == 4 { try connection.execute(.orphan) }
                }
            }
            #expect(answers.count { $0 == nil } == 9)
            #expect((answers[4] as? SQLiteFailure)?.code == 787)
            #expect(try await trial.kept() == Set(0..<10).subtracting([4]))
            #expect(trial.warnings.isEmpty)
        }
    }

    @Test("If the database is full and SQLite rolls everything back, each write gets its own outcome")
    func full() async throws {
        try await withTrial { trial in
            // SQLite takes this as the size that the file has now.
            _ = try await trial.database.write { try $0.query("PRAGMA max_page_count = 1", []) { try $0.int64() } }
            let large: Set = [5, 11, 17]
            let answers = try await trial.inOneGroup(20) { number in
                try await trial.database.write { connection in
                    try connection.keep(number, bytes: large.contains(number) ? 20_000 : 8)
                }
            }
            for (number, answer) in answers.enumerated() {
                #expect((answer == nil) == !large.contains(number))
                guard let answer else { continue }
                #expect((answer as? SQLDatabaseError)?.code == .unavailable)
                #expect(((answer as? SQLDatabaseError)?.cause as? SQLiteFailure)?.code == 13, "SQLITE_FULL")
            }
            #expect(try await trial.kept() == Set(0..<20).subtracting(large))
            #expect(
                trial.warnings == [
                    "A group of writes was rolled back; each runs again alone."
                ])

            _ = try await trial.database.write {
                try $0.query("PRAGMA max_page_count = 1000000", []) { try $0.int64() }
            }
            try await trial.database.write { try $0.keep(5, bytes: 20_000) }
            #expect(try await trial.kept().contains(5), "there is room again")
        }
    }

    @Test("If the commit fails, the write that caused it fails and the others are kept")
    func failingCommit() async throws {
        try await withTrial { trial in
            let answers = try await trial.inOneGroup(10) { number in
                try await trial.database.write { connection in
                    try connection.keep(number)
                    if number == 4 {
                        try connection.execute("PRAGMA defer_foreign_keys = ON")
                        try connection.execute(.orphan)
                    }
                }
            }
            #expect(answers.count { $0 == nil } == 9)
            #expect((answers[4] as? SQLiteFailure)?.code == 787)
            #expect(try await trial.kept() == Set(0..<10).subtracting([4]))
            #expect(trial.warnings == ["A group of writes could not be committed."])
        }
    }

    @Test("All writes are done, even if they are more than fit into a group")
    func manyGroups() async throws {
        try await withTrial { trial in
            let answers = try await trial.inOneGroup(300) { number in
                try await trial.database.write { try $0.keep(number) }
            }
            #expect(answers.allSatisfy { $0 == nil })
            #expect(try await trial.kept() == Set(0..<300))
        }
    }

    @Test("A write is answered once a concurrent read can see it")
    func answersAfterTheCommit() async throws {
        try await withTrial { trial in
            let answers = try await trial.inOneGroup(50) { number in
                try await trial.database.write { try $0.keep(number) }
                #expect(try await trial.kept().contains(number))
            }
            #expect(answers.allSatisfy { $0 == nil })
        }
    }

    @Test("A write waits for a lock that another process holds for a moment")
    func busy() async throws {
        try await withTrial { trial in
            let other = try await SQLiteDatabase.open(path: trial.path, logger: trial.logger)
            let order = AsyncStream.makeStream(of: String.self)
            async let holding: Void = other.write { connection in
                try connection.keep(1)
                order.continuation.yield("other has begun")
                // The lock is held for this long, while the write below waits for it.
                _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(300))
                order.continuation.yield("other is done")
            }
            var events = order.stream.makeAsyncIterator()
            #expect(await events.next() == "other has begun")
            try await trial.database.write { connection in
                order.continuation.yield("the write runs")
                try connection.keep(2)
            }
            try await holding
            #expect(await events.next() == "other is done")
            #expect(await events.next() == "the write runs")
            #expect(try await trial.kept() == [1, 2])
            try await other.close()
        }
    }

    @Test("A lock that is held for too long makes the database unavailable, without other effects")
    func tooBusy() async throws {
        try await withTrial { trial in
            let hasty = try await SQLiteDatabase.open(path: trial.path, logger: trial.logger, busyTimeout: 0.02)
            try await trial.holdingTheWriter {
                let error = await #expect(throws: SQLDatabaseError.self) { try await hasty.write { try $0.keep(1) } }
                #expect(error?.code == .unavailable)
                #expect((error?.cause as? SQLiteFailure)?.code == 5, "SQLITE_BUSY")
                _ = try await hasty.read { try $0.kept() }
            }
            try await hasty.write { try $0.keep(1) }
            #expect(try await trial.kept() == [1])
            try await hasty.close()
        }
    }
}

private struct Refusal: Error {}

/// A database on disk with a table of numbers, and what it logged.
private struct Trial: Sendable {
    let path: String
    let database: SQLiteDatabase
    let log: InMemoryLogHandler
    let logger: Logger

    var warnings: [String] { log.entries.filter { $0.level >= .warning }.map { "\($0.message)" } }

    func kept() async throws -> Set<Int> {
        try await database.read { try $0.kept() }
    }

    /// Runs the work while a transaction holds the writer.
    func holdingTheWriter(_ work: () async throws -> Void) async throws {
        let release = DispatchSemaphore(value: 0)
        let (held, holds) = AsyncStream.makeStream(of: Void.self)
        async let holding: Void = database.write { _ in
            holds.yield()
            release.wait()
        }
        for await _ in held { break }
        let result: Result<Void, any Error>
        do {
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
        release.signal()
        try await holding
        try result.get()
    }

    /// Starts writes while the writer is held, so that they wait together and are then taken as one group.
    /// - Returns: the error of each, or nil.
    func inOneGroup(
        _ count: Int, _ write: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> [(any Error)?] {
        try await withThrowingTaskGroup(of: (Int, (any Error)?).self) { group in
            try await holdingTheWriter {
                for number in 0..<count {
                    group.addTask {
                        do {
                            try await write(number)
                            return (number, nil)
                        } catch {
                            return (number, error)
                        }
                    }
                }
                while database.waitingWrites < count {
                    try Task.checkCancellation()
                    await Task.yield()
                }
            }
            var errors = [(any Error)?](repeating: nil, count: count)
            for try await (number, error) in group {
                errors[number] = error
            }
            return errors
        }
    }
}

private func withTrial(_ work: (Trial) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
        let log = InMemoryLogHandler()
        let logger = Logger(label: "test") { _ in log }
        let path = folder + "/numbers.sqlite"
        let database = try await SQLiteDatabase.open(path: path, logger: logger)
        _ = try await AccountTransactions(on: database)
        try await work(Trial(path: path, database: database, log: log, logger: logger))
        try await database.close()
    }
}

extension SQLConnection {
    fileprivate func keep(_ number: Int, bytes: Int = 8) throws {
        try execute(
            "INSERT INTO kept_names (team, subject, sealed, expires_at) VALUES ('team', ?3, ?2, ?1)",
            [.int64(Int64(number)), .bytes(Array(repeating: 7, count: bytes)), .text("person.\(number)")])
    }

    fileprivate func kept() throws -> Set<Int> {
        try Set(query("SELECT expires_at FROM kept_names", []) { try Int($0.int64()) })
    }
}
