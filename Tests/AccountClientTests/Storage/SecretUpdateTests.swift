import Foundation
import Testing

@testable import AccountClient

@Suite("Changes of one secret by several at once", .timeLimit(.minutes(2)))
struct SecretUpdateTests {
    private static let name = SecretName(service: "com.example.app", account: "counter")

    /// How long a storage of these tests waits for its lock. The lock has no queue, so one of many storages may wait long.
    private static let timeLimit = Duration.seconds(60)

    /// Adds one to a number that is kept as a secret.
    private static func count(in storage: some SecretStorage) throws(SecretStorageError) {
        try storage.update(name) { stored throws(SecretStorageError) in
            guard let number = Int(try stored.get() ?? "0") else {
                throw SecretStorageError(.unreadable, "the secret is no number")
            }
            return "\(number + 1)"
        }
    }

    /// Counts as often as it says, with all storages at once.
    private func count(_ times: Int, in storages: [any SecretStorage]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for storage in storages {
                group.addTask {
                    try await onThread { for _ in 0..<times { try Self.count(in: storage) } }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("Several storages on one folder lose no change")
    func files() async throws {
        try await withTemporaryFolder { folder in
            try await count(20, in: (0..<4).map { _ in FileStorage(folder: folder, timeLimit: Self.timeLimit) })
            #expect(try FileStorage(folder: folder).secret(Self.name) == "80")
        }
    }

    @Test("A storage in memory loses no change")
    func memory() async throws {
        let storage = MemoryStorage()
        try await count(500, in: [storage, storage, storage, storage])
        #expect(try storage.secret(Self.name) == "2000")
    }

    @Test("A storage of the system loses no change while a secret moves from the file to the keyring")
    func system() async throws {
        try await withTemporaryFolder { folder in
            let (keyring, file) = (MemoryStorage(), FileStorage(folder: folder.appending(path: "file")))
            try keyring.save("3", as: Self.name)
            try file.save("7", as: Self.name)
            let storages = (0..<4).map { _ in
                SystemStorage(
                    keyring: keyring, file: file,
                    lock: ProcessLock(
                        folder: folder.appending(path: "locks"), name: "system", timeLimit: Self.timeLimit),
                    note: { _ in })
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await count(20, in: storages) }
                group.addTask {
                    try await onThread {
                        var last = 7
                        for _ in 0..<200 {
                            let number = try #require(try storages[0].secret(Self.name).flatMap { Int($0) })
                            #expect(number >= last)
                            last = number
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try keyring.secret(Self.name) == "87")
            #expect(try file.secret(Self.name) == nil)
        }
    }

    #if os(Linux)
        @Test("Several storages on one keyring lose no change")
        func keyring() async throws {
            try await KeyringSession.run { session in
                try await count(3, in: [session.storage, session.storage, session.storage])
                let number = try await onThread { try session.storage.secret(Self.name) }
                #expect(number == "9")
            }
        }
    #endif

    #if !canImport(Darwin) || os(macOS)
        /// Counts in another process.
        private func countElsewhere(_ folder: URL) async {
            await #expect(processExitsWith: .success) { [path = folder.path as String] in
                let storage = FileStorage(folder: URL(filePath: path), timeLimit: SecretUpdateTests.timeLimit)
                for _ in 0..<50 { try SecretUpdateTests.count(in: storage) }
            }
        }

        @Test("Several processes with one folder lose no change")
        func processes() async throws {
            try await withTemporaryFolder { folder in
                async let first: Void = countElsewhere(folder)
                async let second: Void = countElsewhere(folder)
                _ = await (first, second)
                let number = try FileStorage(folder: folder).secret(Self.name)
                #expect(number == "100")
            }
        }

        @Test("A process that dies while it changes a secret leaves the old one, and no lock")
        func dies() async throws {
            try await withTemporaryFolder { folder in
                let storage = FileStorage(folder: folder, timeLimit: .zero)
                try storage.save("1", as: Self.name)
                await #expect(processExitsWith: .success) { [path = folder.path as String] in
                    try FileStorage(folder: URL(filePath: path)).update(SecretUpdateTests.name) { _ in
                        exit(EXIT_SUCCESS)
                    }
                }
                try Self.count(in: storage)
                #expect(try storage.secret(Self.name) == "2")
            }
        }
    #endif

    @Test("While a secret is changed, others can read it. Those who want to write wait, and then get an error")
    func busy() async throws {
        try await withTemporaryFolder { folder in
            let other = FileStorage(folder: folder, timeLimit: .milliseconds(1))
            try other.save("old", as: Self.name)
            let calls: [() throws -> Void] = [
                { try other.save("other", as: Self.name) }, { try other.remove(Self.name) },
                { try other.update(Self.name) { _ in "other" } },
            ]
            try FileStorage(folder: folder).update(Self.name) { _ throws(SecretStorageError) in
                for call in calls {
                    let error = #expect(throws: SecretStorageError.self, performing: call)
                    #expect(error?.code == .busy && error?.hint != nil)
                }
                let secret = try other.secret(Self.name)
                #expect(secret == "old")
                return "new"
            }
            #expect(try other.secret(Self.name) == "new")
            for call in calls { try call() }
        }
    }

    /// A storage of an app's own, with the three methods that it must have.
    private struct OwnStorage: SecretStorage {
        let memory = MemoryStorage()

        func secret(_ name: SecretName) throws(SecretStorageError) -> String? { try memory.secret(name) }

        func save(_ secret: String, as name: SecretName) throws(SecretStorageError) {
            try memory.save(secret, as: name)
        }

        func remove(_ name: SecretName) throws(SecretStorageError) { try memory.remove(name) }
    }

    @Test("An update keeps or removes a secret as its closure says, and an error leaves it")
    func outcomes() async throws {
        try await withTemporaryFolder { folder in
            let system = SystemStorage(keyring: MemoryStorage(), file: FileStorage(folder: folder), note: { _ in })
            let withoutKeyring = SystemStorage(keyring: nil, file: FileStorage(folder: folder), note: { _ in })
            let storages: [any SecretStorage] = [
                MemoryStorage(), FileStorage(folder: folder), system, withoutKeyring, OwnStorage(),
            ]
            for storage in storages {
                try storage.update(Self.name) { stored throws(SecretStorageError) in
                    #expect(stored == .success(nil))
                    return "kept"
                }
                #expect(try storage.secret(Self.name) == "kept")
                let error = #expect(throws: SecretStorageError.self) {
                    try storage.update(Self.name) { _ throws(SecretStorageError) in
                        throw SecretStorageError(.failed, "the new one can't be made")
                    }
                }
                #expect(error?.code == .failed)
                #expect(try storage.secret(Self.name) == "kept")
                try storage.update(Self.name) { _ in nil }
                #expect(try storage.secret(Self.name) == nil)
            }
        }
    }

    @Test("A secret that can't be read is given as the error, and can be replaced")
    func unreadable() async throws {
        try await withTemporaryFolder { folder in
            let storage = FileStorage(folder: folder)
            try storage.save("secret", as: Self.name)
            let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            let handle = try FileHandle(forWritingTo: try #require(files.first { $0.pathExtension == "json" }))
            try handle.truncate(atOffset: 0)
            try handle.close()
            try storage.update(Self.name) { stored in
                #expect(stored == .failure(SecretStorageError(.unreadable, "")))
                return "new"
            }
            #expect(try storage.secret(Self.name) == "new")
        }
    }
}
