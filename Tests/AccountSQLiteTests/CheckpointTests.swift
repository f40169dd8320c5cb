import AccountDatabase
import AccountSQLite
import AccountService
import Dispatch
import Foundation
import Logging
import Testing

@Suite("The write-ahead log", .timeLimit(.minutes(2)))
struct CheckpointTests {
    @Test("is copied beside the writer and starts again during writes, without a loss")
    func beginsAnew() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/accounts.sqlite"
            let store = try await open(path)
            let once = try await store.keepNames(from: 0, untilLogBeginsAnewAt: path)
            // Copying begins at a hundred pages, which is some fifty names. However late it is, the log has an end.
            #expect(once < 2_000)
            let twice = try await store.keepNames(from: once, untilLogBeginsAnewAt: path)
            #expect(try await store.pendingProfiles() == Int64(twice))
            try await store.database.close()

            let again = try await open(path)
            #expect(try await again.pendingProfiles() == Int64(twice))
            let state = try await again.database.read { connection in
                try connection.query("PRAGMA integrity_check", []) { try $0.text() }
            }
            #expect(state == ["ok"])
            try await again.database.close()
        }
    }

    @Test("grows while a reader needs an earlier state, and no longer once the reader has finished")
    func isHeld() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/accounts.sqlite"
            let store = try await open(path)
            let release = DispatchSemaphore(value: 0)
            let (begun, begins) = AsyncStream.makeStream(of: Void.self)
            async let before = store.database.read { connection in
                let count = try connection.first(.countNames, []) { try $0.int64() }
                begins.yield()
                release.wait()
                return try connection.first(.countNames, []) { try $0.int64() } == count
            }
            for await _ in begun { break }
            try await store.keepNames(0..<500)
            release.signal()
            #expect(try await before)
            #expect(try pages(ofLogAt: path) > 500)
            let next = try await store.keepNames(from: 500, untilLogBeginsAnewAt: path)
            let size = try pages(ofLogAt: path)
            try await store.keepNames(next..<next + 50)
            #expect(try pages(ofLogAt: path) == size)
            #expect(try await store.pendingProfiles() == Int64(next + 50))
            try await store.database.close()
        }
    }

    @Test("is copied by the process that opens the database after another one was killed")
    func isLeft() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/accounts.sqlite"
            let store = try await AccountTransactions.open(.sqlite(path))
            try await store.keepNames(0..<500)
            // The files of a running process are those that a killed one leaves.
            let copy = folder + "/copy.sqlite"
            for side in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: path + side, toPath: copy + side)
            }
            try await store.database.close()
            #expect(try pages(ofLogAt: copy) > 500)

            let again = try await open(copy)
            let next = try await again.keepNames(from: 500, untilLogBeginsAnewAt: copy)
            #expect(try await again.pendingProfiles() == Int64(next))
            try await again.database.close()
        }
    }

    private func open(_ path: String) async throws -> AccountTransactions {
        try await AccountTransactions(
            on: SQLiteDatabase.open(path: path, logger: Logger(label: "test"), maximumLogLength: 100))
    }

    private func pages(ofLogAt path: String) throws -> Int {
        let size = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
        return try #require(size) / 4_120
    }
}

extension AccountTransactions {
    /// A page or two each, one after the other.
    fileprivate func keepNames(_ numbers: Range<Int>) async throws {
        for number in numbers { try await keepPendingProfile(.numbered(number, bytes: 3_000)) }
    }

    /// One after the other, without a pause. How many it takes is the disk's to say, which copies meanwhile.
    /// - Returns: the first number that is not kept.
    fileprivate func keepNames(from first: Int, untilLogBeginsAnewAt path: String) async throws -> Int {
        try await keepNames(first..<first + 10)
        let before = try Self.beginnings(ofLogAt: path)
        var next = first + 10
        while try Self.beginnings(ofLogAt: path) == before {
            try Task.checkCancellation()
            try await keepNames(next..<next + 10)
            next += 10
        }
        return next
    }

    /// The checkpoint sequence number in the log's header: https://sqlite.org/fileformat2.html#the_write_ahead_log
    private static func beginnings(ofLogAt path: String) throws -> Data {
        try Data(contentsOf: URL(filePath: path + "-wal")).prefix(16).suffix(4)
    }

    fileprivate func pendingProfiles() async throws -> Int64? {
        try await database.read { try $0.first(.countNames, []) { try $0.int64() } }
    }
}

extension SQLStatement {
    fileprivate static let countNames: Self = "SELECT count(*) FROM kept_names"
}
