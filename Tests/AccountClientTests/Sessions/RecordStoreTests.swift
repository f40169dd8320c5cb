import AccountAPI
import Foundation
import TaskSignals
import Testing

@testable import AccountClient

@Suite("The record of a session that several processes store", .timeLimit(.minutes(2)))
struct RecordStoreTests {
    private static let name = SecretName(service: "com.example.app", account: "session")

    private static func record(_ generation: Int, email: String? = nil) -> StoredRecord {
        StoredRecord(
            session: StoredSession(
                user: "ada", refreshToken: "refresh-\(generation)",
                account: AccountBody(
                    id: "acc_1", name: nil, email: email, emailVerified: true, isPrivateEmail: false,
                    createdAt: APITime(secondsSince1970: 0))))
    }

    /// Returns the store of another process. It may wait a minute for the lock, which has no queue.
    private func store(_ folder: URL) -> RecordStore {
        RecordStore(storage: FileStorage(folder: folder, timeLimit: .seconds(60)), name: Self.name)
    }

    /// Lets another process act whenever a caller has read a secret and has not gone on yet.
    private struct InterruptedStorage: SecretStorage {
        let file: FileStorage
        let interrupt: @Sendable () -> Void

        func secret(_ name: SecretName) throws(SecretStorageError) -> String? {
            defer { interrupt() }
            return try file.secret(name)
        }

        func save(_ secret: String, as name: SecretName) throws(SecretStorageError) {
            try file.save(secret, as: name)
        }

        func remove(_ name: SecretName) throws(SecretStorageError) { try file.remove(name) }

        func update(_ name: SecretName, _ change: SecretChange) throws(SecretStorageError) {
            try file.update(name) { stored throws(SecretStorageError) in
                interrupt()
                return try change(stored)
            }
        }
    }

    /// The outcomes of what another process did between the look at storage and the write.
    private func interrupting(
        _ saved: StoredRecord, by other: @escaping @Sendable (FileStorage) throws(SecretStorageError) -> Void
    ) async throws -> [SecretStorageError.Code?] {
        try await withTemporaryFolder { folder in
            _ = try await store(folder).save(Self.record(0), lastSeen: StoredRecord(), replacing: true)
            let impatient = FileStorage(folder: folder, timeLimit: .milliseconds(1))
            let outcomes = Lock<[SecretStorageError.Code?]>([])
            let storage = InterruptedStorage(file: FileStorage(folder: folder)) {
                do throws(SecretStorageError) {
                    try other(impatient)
                    outcomes.withLock { $0.append(nil) }
                } catch {
                    outcomes.withLock { $0.append(error.code) }
                }
            }
            let stored = try await RecordStore(storage: storage, name: Self.name).save(
                saved, lastSeen: Self.record(0))
            #expect(stored == saved)
            #expect(try await store(folder).load() == saved)
            return outcomes.withLock { $0 }
        }
    }

    @Test("Another process stores its successor before the look at storage or after the write, never in between")
    func interrupted() async throws {
        let successor = String(decoding: try JSONEncoder().encode(Self.record(1)), as: UTF8.self)
        let saved = Self.record(0, email: "new@example.com")
        let save = try await interrupting(saved) { other throws(SecretStorageError) in
            try other.save(successor, as: Self.name)
        }
        #expect(save == [.busy])
        let remove = try await interrupting(saved) { other throws(SecretStorageError) in try other.remove(Self.name) }
        #expect(remove == [.busy])
    }

    @Test("An ended session is removed without a moment in which another process can store its own")
    func interruptedRemoval() async throws {
        let other = String(decoding: try JSONEncoder().encode(Self.record(7)), as: UTF8.self)
        let outcomes = try await interrupting(StoredRecord()) { storage throws(SecretStorageError) in
            try storage.save(other, as: Self.name)
        }
        #expect(outcomes == [.busy])
    }

    @Test("A successor that one process stores is never replaced by an older refresh token")
    func successors() async throws {
        try await withTemporaryFolder { folder in
            let renewing = store(folder)
            _ = try await renewing.save(Self.record(0), lastSeen: StoredRecord(), replacing: true)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for generation in 1...50 {
                        _ = try await renewing.save(
                            Self.record(generation), lastSeen: Self.record(generation - 1))
                        #expect(try await renewing.load().session?.refreshToken == "refresh-\(generation)")
                    }
                }
                for other in [store(folder), store(folder)] {
                    group.addTask {
                        var record = try await other.load()
                        for number in 0..<50 {
                            let seen = record
                            record.session?.account.email = "\(number)@example.com"
                            record = try await other.save(record, lastSeen: seen)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await renewing.load().session?.refreshToken == "refresh-50")
        }
    }

    /// A storage whose secret nobody can read now, but which takes a new one.
    private struct ClosedStorage: SecretStorage {
        let memory = MemoryStorage()

        func secret(_ name: SecretName) throws(SecretStorageError) -> String? {
            throw SecretStorageError(.locked, "the keyring is locked")
        }

        func save(_ secret: String, as name: SecretName) throws(SecretStorageError) {
            try memory.save(secret, as: name)
        }

        func remove(_ name: SecretName) throws(SecretStorageError) { try memory.remove(name) }
    }

    @Test("If storage is locked, a change doesn't replace the session that another process may have renewed there")
    func closed() async throws {
        let storage = ClosedStorage()
        let store = RecordStore(storage: storage, name: Self.name)
        let error = await failure { try await store.save(Self.record(0), lastSeen: Self.record(0)) }
        #expect((error?.cause as? SecretStorageError)?.code == .locked)
        #expect(try storage.memory.secret(Self.name) == nil)

        // Somebody has signed in here, or nobody has been seen in storage.
        _ = try await store.save(Self.record(1), lastSeen: Self.record(0), replacing: true)
        #expect(try storage.memory.secret(Self.name)?.contains("refresh-1") == true)
        _ = try await store.save(Self.record(2), lastSeen: StoredRecord())
        #expect(try storage.memory.secret(Self.name)?.contains("refresh-2") == true)
    }
}
