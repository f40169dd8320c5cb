import AccountDatabase
import AccountSQLite
import AccountService
import Dispatch
import Logging
import TaskSignals
import Testing

@Suite("Reads that share a snapshot")
struct SharedReadTests {
    @Test(
        "Concurrent reads get their own results, and one failure doesn't affect the others", arguments: [true, false])
    func many(isOnDisk: Bool) async throws {
        try await withDatabase(isOnDisk: isOnDisk) { database in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<2_000 {
                    group.addTask {
                        do {
                            let answer = try await database.read { connection in
                                if number.isMultiple(of: 7) { throw Refusal(number: number) }
                                let statement: SQLStatement = number.isMultiple(of: 5) ? "SELECT nothing" : "SELECT ?1"
                                return try connection.query(statement, [.int64(Int64(number))]) { try $0.int64() }
                            }
                            #expect(answer == [Int64(number)])
                            #expect(!number.isMultiple(of: 7) && !number.isMultiple(of: 5))
                        } catch let refusal as Refusal {
                            #expect(refusal.number == number && number.isMultiple(of: 7))
                        } catch is SQLiteFailure {
                            #expect(number.isMultiple(of: 5))
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("Long reads delay no other read")
    func longOnes() async throws {
        try await withDatabase(isOnDisk: true) { database in
            let release = DispatchSemaphore(value: 0)
            let (begun, begins) = AsyncStream.makeStream(of: Void.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        try await database.read { _ in
                            begins.yield()
                            release.wait()
                        }
                    }
                }
                var beginnings = begun.makeAsyncIterator()
                for _ in 0..<3 { await beginnings.next() }
                // Alone behind them: no later read sends for a thread.
                #expect(try await database.read { try $0.query("SELECT 1", []) { try $0.int64() } } == [1])
                for _ in 0..<3 { release.signal() }
                try await group.waitForAll()
            }
        }
    }

    @Test("Reads of some milliseconds don't wait for one another, even if some always wait in the queue")
    func middlingOnes() async throws {
        try await withDatabase(isOnDisk: true) { database in
            let meeting = Meeting()
            // Fewer than a long queue, and always one that waits.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<200 where !meeting.hasTakenPlace {
                            try await database.read { _ in meeting.wait(.milliseconds(3)) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(meeting.hasTakenPlace)
        }
    }

    @Test("A read sees what was written before it was asked for, and nothing that is written while it runs")
    func snapshots() async throws {
        try await withDatabase(isOnDisk: true) { database in
            let count: SQLStatement = "SELECT count(*) FROM numbers"
            let insert: SQLStatement = "INSERT INTO numbers VALUES (?1)"
            for number in 0..<50 {
                try await database.write { _ = try $0.execute(insert, [.int64(Int64(number))]) }
                let written = DispatchSemaphore(value: 0)
                let (begun, begins) = AsyncStream.makeStream(of: Void.self)
                async let counts = database.read { connection in
                    let before = try connection.query(count, []) { try $0.int64() }
                    begins.yield()
                    written.wait()
                    return try before + connection.query(count, []) { try $0.int64() }
                }
                for await _ in begun { break }
                try await database.write { _ = try $0.execute(insert, [.int64(Int64(-number))]) }
                written.signal()
                let seen = Int64(2 * number + 1)
                #expect(try await counts == [seen, seen])
            }
        }
    }

    @Test("A read that waits behind older ones sees what was written before it was asked for")
    func laterReads() async throws {
        try await withDatabase(isOnDisk: true) { database in
            let release = DispatchSemaphore(value: 0)
            let (begun, begins) = AsyncStream.makeStream(of: Void.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                // There are as many reads as threads, so the next read has to wait.
                for _ in 0..<4 {
                    group.addTask {
                        try await database.read { connection in
                            let seen = try connection.query("SELECT number FROM numbers", []) { try $0.int64() }
                            #expect(seen == [])
                            begins.yield()
                            release.wait()
                        }
                    }
                }
                var beginnings = begun.makeAsyncIterator()
                for _ in 0..<4 { await beginnings.next() }
                try await database.write { _ = try $0.execute("INSERT INTO numbers VALUES (7)") }
                for _ in 0..<20 {
                    group.addTask {
                        let seen = try await database.read { connection in
                            try connection.query("SELECT number FROM numbers", []) { try $0.int64() }
                        }
                        #expect(seen == [7])
                    }
                }
                // Each of the four goes on with what waits, if anything does by then.
                for _ in 0..<4 { release.signal() }
                try await group.waitForAll()
            }
        }
    }

    @Test("A reading body cannot write", arguments: [true, false])
    func readingOnly(isOnDisk: Bool) async throws {
        try await withDatabase(isOnDisk: isOnDisk) { database in
            await #expect(throws: SQLDatabaseError(.unavailable, "")) {
                try await database.read { _ = try $0.execute("INSERT INTO numbers VALUES (1)") }
            }
            try await database.write { _ = try $0.execute("INSERT INTO numbers VALUES (2)") }
            #expect(
                try await database.read { try $0.query("SELECT number FROM numbers", []) { try $0.int64() } } == [2])
        }
    }

    private struct Refusal: Error {
        let number: Int
    }

    /// Takes place when two are there at the same time.
    private final class Meeting: Sendable {
        private let present = Lock(0)
        private let other = DispatchSemaphore(value: 0)
        private let done = Lock(false)

        var hasTakenPlace: Bool { done.withLock { $0 } }

        /// - Parameter patience: after which nobody is waited for any more.
        func wait(_ patience: DispatchTimeInterval) {
            let isAlone = present.withLock { present in
                present += 1
                return present == 1
            }
            if !isAlone {
                done.withLock { $0 = true }
                other.signal()
            } else {
                _ = other.wait(timeout: .now() + patience)
            }
            present.withLock { $0 -= 1 }
        }
    }

    private func withDatabase(isOnDisk: Bool, _ work: (SQLiteDatabase) async throws -> Void) async throws {
        let logger = Logger(label: "test")
        try await withTemporaryFolder { folder in
            let database =
                try await isOnDisk
                ? SQLiteDatabase.open(path: folder + "/reads.sqlite", logger: logger)
                : SQLiteDatabase.inMemory(logger: logger)
            try await database.writeAlone { _ = try $0.execute("CREATE TABLE numbers (number INTEGER NOT NULL)") }
            try await work(database)
            try await database.close()
        }
    }
}
