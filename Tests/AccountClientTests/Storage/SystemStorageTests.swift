#if os(Linux)
    import Foundation
    import Glibc
    import TaskSignals
    import Testing

    @testable import AccountClient

    @Suite("The system's storage", .timeLimit(.minutes(2)))
    struct SystemStorageTests {
        let name = SecretName(service: "com.example.app", account: "session")

        @Test("With a keyring, secrets are there and in no file, and nothing is said")
        func keyring() async throws {
            try await KeyringSession.run { session in
                let notes = Notes()
                let storage = SystemStorage(
                    keyring: session.storage, file: FileStorage(environment: session.environment), note: notes.add)
                let name = name
                try await onThread {
                    try storage.save("secret", as: name)
                    #expect(try storage.secret(name) == "secret")
                    #expect(try session.storage.secret(name) == "secret")
                    #expect(try FileStorage(environment: session.environment).secret(name) == nil)
                }
                #expect(notes.all.isEmpty)
            }
        }

        @Test("A locked keyring is an error; a new secret goes to the file, and to the keyring once it is unlocked")
        func locked() async throws {
            let name = name
            try await KeyringSession.run { session in
                let file = FileStorage(folder: try #require(session.folder))
                let notes = Notes()
                let storage = SystemStorage(keyring: session.storage, file: file, note: notes.add)
                try await onThread { try storage.save("old", as: name) }
                try await session.lock()
                let error = await #expect(throws: SecretStorageError.self) {
                    try await onThread { try storage.secret(name) }
                }
                #expect(error?.code == .locked)
                try await onThread {
                    try storage.save("new", as: name)
                    #expect(try storage.secret(name) == "new")
                    #expect(try file.secret(name) == "new")
                }
                #expect(notes.all.count == 1)
                try await session.unlock()
                try await onThread { () throws in
                    #expect(try session.storage.secret(name) == "old")
                    #expect(try storage.secret(name) == "new")
                    #expect(try session.storage.secret(name) == "new")
                    #expect(try file.secret(name) == nil)
                }
                try await session.lock()
                try await onThread {
                    try storage.remove(name)
                    #expect(try storage.secret(name) == nil)
                }
                try await session.unlock()
                try await onThread { () throws in
                    #expect(try storage.secret(name) == nil)
                    #expect(try session.storage.secret(name) == nil)
                }
            }
        }

        @Test("A keyring that once gave no answer is asked again")
        func slowOnce() async throws {
            let script = """
                [ -e "${0%/*}/asked" ] && printf secret && exit 0
                : >"${0%/*}/asked"
                exec sleep 600
                """
            try await withTool(script, timeout: .seconds(1)) { folder, keyring in
                let storage = SystemStorage(
                    keyring: keyring, file: FileStorage(folder: folder.appending(path: "absent"))
                ) { _ in }
                let name = name
                let error = await #expect(throws: SecretStorageError.self) {
                    try await onThread { try storage.secret(name) }
                }
                #expect(error?.code == .timedOut)
                var isAnswered = false
                while !isAnswered {
                    do {
                        let secret = try await onThread { try storage.secret(name) }
                        #expect(secret == "secret")
                        isAnswered = true
                    } catch let error as SecretStorageError where error.code == .timedOut {
                        // On a busy machine the program's time may be over before it gets so far.
                        try Task.checkCancellation()
                    }
                }
            }
        }

        @Test("A secret that was saved in the file while the keyring was away replaces the keyring's")
        func comesBack() async throws {
            try await withTemporaryFolder { folder in
                let (keyring, file) = (MemoryStorage(), FileStorage(folder: folder))
                try keyring.save("old", as: name)
                try file.save("new", as: name)
                let storage = SystemStorage(keyring: keyring, file: file) { _ in }
                #expect(try storage.secret(name) == "new")
                #expect(try keyring.secret(name) == "new")
                #expect(try file.secret(name) == nil)
            }
        }

        @Test("A secret that was removed while the keyring was away stays removed when it comes back")
        func removedMeanwhile() async throws {
            try await withTemporaryFolder { folder in
                let (keyring, file) = (MemoryStorage(), FileStorage(folder: folder))
                try keyring.save("old", as: name)
                let without = SystemStorage(
                    keyring: SecretServiceStorage(environment: ["PATH": "/usr/bin:/bin"]), file: file
                ) { _ in }
                try without.remove(name)
                #expect(try without.secret(name) == nil)
                #expect(try file.secret(name) == nil, "a mark is no secret")
                let with = SystemStorage(keyring: keyring, file: file) { _ in }
                #expect(try with.secret(name) == nil)
                #expect(try keyring.secret(name) == nil)
                try keyring.save("newer", as: name)
                #expect(try with.secret(name) == "newer")
            }
        }

        @Test("An unreadable file doesn't keep a working keyring from being used")
        func badFile() async throws {
            try await withTemporaryFolder { folder in
                let (keyring, notes) = (MemoryStorage(), Notes())
                try FileManager.default.setPermissions(0o755, of: folder)
                let storage = SystemStorage(keyring: keyring, file: FileStorage(folder: folder), note: notes.add)
                try storage.save("secret", as: name)
                #expect(try storage.secret(name) == "secret")
                #expect(notes.all.count == 1)
                #expect(throws: SecretStorageError.self, "the file may have what is to be removed") {
                    try storage.remove(name)
                }
            }
        }

        @Test("The fallback folder isn't the one of a plain file storage")
        func ownFolder() async throws {
            try await withTemporaryFolder { folder in
                let environment = ["PATH": "/nonexistent", "XDG_STATE_HOME": folder.path]
                let (plain, storage) = (
                    FileStorage(environment: environment), SystemStorage(environment: environment) { _ in }
                )
                try plain.save("plain", as: name)
                #expect(try storage.secret(name) == nil)
                try storage.save("system", as: name)
                try storage.remove(name)
                #expect(try plain.secret(name) == "plain")
            }
        }

        @Test("If standard error is closed, the note doesn't end the program")
        func closedStandardError() async {
            await #expect(processExitsWith: .success) {
                close(STDERR_FILENO)
                let storage = SystemStorage(environment: ["PATH": "/nonexistent", "XDG_STATE_HOME": "/nonexistent"])
                let secret = Result { try storage.secret(SecretName(service: "s", account: "a")) }
                exit((try? secret.get()) == .some(nil) ? EXIT_SUCCESS : EXIT_FAILURE)
            }
        }

        @Test("Without a keyring secrets are kept in a file, which is said once; removing one leaves no trace")
        func noTool() async throws {
            try await withTemporaryFolder { folder in
                let notes = Notes()
                let environment = ["PATH": "/nonexistent", "XDG_STATE_HOME": folder.path]
                let storage = SystemStorage(environment: environment, note: notes.add)
                #expect(try storage.secret(name) == nil)
                try storage.save("secret", as: name)
                #expect(try SystemStorage(environment: environment) { _ in }.secret(name) == "secret")
                #expect(
                    notes.all == [
                        "secret-tool is not installed, so secrets are kept in a file that only this user may read"
                    ])
                try storage.remove(name)
                let left = try FileManager.default.contentsOfDirectory(
                    atPath: folder.appending(path: "siwa/keyring-absent").path)
                #expect(left == ["lock"])
            }
        }

        @Test("If no file is allowed, the keyring's error is thrown")
        func noFile() async throws {
            try await withTemporaryFolder { folder in
                let storage = SystemStorage(
                    allowsFile: false, environment: ["PATH": "/nonexistent", "XDG_STATE_HOME": folder.path])
                let error = #expect(throws: SecretStorageError.self) { try storage.save("secret", as: name) }
                #expect(error?.code == .toolMissing)
                let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(left.isEmpty)
            }
        }
    }

    /// The notes of a storage.
    final class Notes: Sendable {
        private let sentences = Lock<[String]>([])

        var all: [String] { sentences.withLock { $0 } }

        @Sendable func add(_ sentence: String) {
            sentences.withLock { $0.append(sentence) }
        }
    }
#endif
