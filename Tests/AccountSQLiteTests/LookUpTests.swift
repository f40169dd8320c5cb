import AccountDatabase
import Dispatch
import Logging
import Testing

@testable import AccountSQLite
@testable import AccountService

@Suite("Look-ups")
struct LookUpTests {
    private let numbers: SQLStatement = "SELECT number FROM numbers WHERE number >= ?1 ORDER BY number"
    private let insert: SQLStatement = "INSERT INTO numbers VALUES (?1)"

    @Test("Each look-up sees everything that was written before it began", arguments: [true, false])
    func fresh(isOnDisk: Bool) async throws {
        try await withDatabase(isOnDisk: isOnDisk) { database in
            for number in 1...50 {
                try await database.write { _ = try $0.execute(insert, [.int64(Int64(number))]) }
                let found = try await database.lookUp(numbers, [.int64(Int64(number - 1))]) { try $0.int64() }
                #expect(found == (number == 1 ? [1] : [Int64(number - 1), Int64(number)]))
            }
        }
    }

    @Test(
        "Concurrent look-ups get their own rows, even if they are more than the connections", arguments: [true, false])
    func many(isOnDisk: Bool) async throws {
        try await withDatabase(isOnDisk: isOnDisk) { database in
            for number in 0..<20 { try await database.write { _ = try $0.execute(insert, [.int64(Int64(number))]) } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<2_000 {
                    group.addTask {
                        let from = Int64(number % 20)
                        let found = try await database.lookUp(numbers, [.int64(from)]) { try $0.int64() }
                        #expect(found == Array(from..<20))
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("A look-up that finds every connection in use is still run", .timeLimit(.minutes(1)))
    func allInUse() async throws {
        try await withDatabase(isOnDisk: true) { database in
            try await database.write { _ = try $0.execute(insert, [.int64(1)]) }
            let release = DispatchSemaphore(value: 0)
            let (begun, begins) = AsyncStream.makeStream(of: Void.self)
            try await withThrowingTaskGroup(of: [Int64].self) { group in
                for _ in 0..<LookUps.connections {
                    group.addTask(executorPreference: Threads()) {
                        try await database.lookUp(numbers, [.int64(1)]) { columns in
                            begins.yield()
                            release.wait()
                            return try columns.int64()
                        }
                    }
                }
                var beginnings = begun.makeAsyncIterator()
                for _ in 0..<LookUps.connections { await beginnings.next() }
                #expect(try await database.lookUp(numbers, [.int64(1)]) { try $0.int64() } == [1])
                for _ in 0..<LookUps.connections { release.signal() }
                for try await found in group { #expect(found == [1]) }
            }
        }
    }

    @Test("A failing statement and unreadable rows are reported, and later look-ups work", arguments: [true, false])
    func failures(isOnDisk: Bool) async throws {
        try await withDatabase(isOnDisk: isOnDisk) { database in
            try await database.write { _ = try $0.execute(insert, [.int64(1)]) }
            await #expect(throws: SQLiteFailure.self) {
                try await database.lookUp("SELECT nothing", []) { try $0.int64() }
            }
            await #expect(throws: SQLRowError.self) {
                try await database.lookUp(numbers, [.int64(1)]) { try $0.text() }
            }
            await #expect(throws: (any Error).self) {
                try await database.lookUp(insert, [.int64(2)]) { try $0.int64() }
            }
            #expect(try await database.lookUp(numbers, [.int64(0)]) { try $0.int64() } == [1])
        }
    }

    @Test("No look-up is run on a closed database", arguments: [true, false])
    func closed(isOnDisk: Bool) async throws {
        try await withDatabase(isOnDisk: isOnDisk) { database in
            try await database.close()
            await #expect(throws: SQLDatabaseError(.unavailable, "")) {
                try await database.lookUp(numbers, [.int64(1)]) { try $0.int64() }
            }
        }
    }

    /// Threads that may wait, unlike those on which tasks run by themselves.
    private final class Threads: TaskExecutor {
        private let queue = DispatchQueue(label: "look-ups", attributes: .concurrent)

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    private func withDatabase(isOnDisk: Bool, _ work: (SQLiteDatabase) async throws -> Void) async throws {
        let logger = Logger(label: "test")
        try await withTemporaryFolder { folder in
            let database =
                try await isOnDisk
                ? SQLiteDatabase.open(path: folder + "/look-ups.sqlite", logger: logger)
                : SQLiteDatabase.inMemory(logger: logger)
            try await database.writeAlone { _ = try $0.execute("CREATE TABLE numbers (number INTEGER NOT NULL)") }
            try await work(database)
            try await database.close()
        }
    }
}
