import AccountSQL
import AccountSQLite
import AccountService
import Dispatch
import Foundation
import Logging
import Testing

@Suite("The write-ahead log")
struct CheckpointTests {
    @Test("is copied beside the writer, begins anew amid writing, and nothing is lost")
    func beginsAnew() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/accounts.sqlite"
            let store = try await open(path)
            try await store.keepNames(0..<1_000)
            // Some 2,000 pages were written.
            #expect(try pages(ofLogAt: path) < 500)
            #expect(try await store.keptNames() == 1_000)
            try await store.database.close()

            let again = try await open(path)
            #expect(try await again.keptNames() == 1_000)
            let state = try await again.database.read { connection in
                try connection.query("PRAGMA integrity_check", []) { try $0.text() }
            }
            #expect(state == ["ok"])
            try await again.database.close()
        }
    }

    @Test("grows while somebody reads what was there before, and no more once they have left")
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
            let held = try pages(ofLogAt: path)
            #expect(held > 500)
            try await store.keepNames(500..<1_500)
            #expect(try pages(ofLogAt: path) < held + 500)
            #expect(try await store.keptNames() == 1_500)
            try await store.database.close()
        }
    }

    @Test("is copied by whoever opens it after a process was killed")
    func isLeft() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/accounts.sqlite"
            let store = try await SQLiteAccountStore.open(path: path)
            try await store.keepNames(0..<500)
            // What is on the disk while the process runs is what is there when it is killed.
            let copy = folder + "/copy.sqlite"
            for side in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: path + side, toPath: copy + side)
            }
            try await store.database.close()
            let left = try pages(ofLogAt: copy)
            #expect(left > 500)

            let again = try await open(copy)
            try await again.keepNames(500..<1_000)
            #expect(try pages(ofLogAt: copy) < left + 250)
            #expect(try await again.keptNames() == 1_000)
            try await again.database.close()
        }
    }

    private func open(_ path: String) async throws -> SQLiteAccountStore {
        try await SQLiteAccountStore(
            on: SQLiteDatabase.open(path: path, logger: Logger(label: "test"), longestLog: 100))
    }

    private func pages(ofLogAt path: String) throws -> Int {
        let size = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
        return try #require(size) / 4_120
    }
}

extension SQLiteAccountStore {
    /// A page or two each, one after the other.
    fileprivate func keepNames(_ numbers: Range<Int>) async throws {
        for number in numbers { try await keepName(.numbered(number, bytes: 3_000)) }
    }

    fileprivate func keptNames() async throws -> Int64? {
        try await database.read { try $0.first(.countNames, []) { try $0.int64() } }
    }
}

extension SQLStatement {
    fileprivate static let countNames: Self = "SELECT count(*) FROM kept_names"
}
