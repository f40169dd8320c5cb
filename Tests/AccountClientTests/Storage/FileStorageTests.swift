import AccountClient
import Foundation
import Testing

#if os(Linux)
    import Glibc
#endif

@Suite("Secrets in files", .timeLimit(.minutes(2)))
struct FileStorageTests {
    let name = SecretName(service: "com.example.app", account: "session")

    @Test("A secret comes back, is replaced and removed; the folder and its files are this user's alone")
    func keeps() async throws {
        try await withTemporaryFolder { top in
            let folder = top.appending(path: "state/siwa/secrets")
            let storage = FileStorage(folder: folder)
            #expect(try storage.secret(name) == nil)
            try storage.remove(name)
            try storage.update(name) { _ in nil }
            #expect(!FileManager.default.fileExists(atPath: folder.path), "looking makes nothing")

            try storage.save("first", as: name)
            try storage.save("päss\n\"word\"", as: name)
            #expect(try FileStorage(folder: folder).secret(name) == "päss\n\"word\"")
            #expect(try FileManager.default.permissions(of: folder) == 0o700)
            for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
                #expect(try FileManager.default.permissions(of: file) == 0o600)
            }

            try storage.remove(name)
            #expect(try storage.secret(name) == nil)
        }
    }

    #if os(Linux)
        @Test("A folder is this user's alone when it appears, and not only afterwards")
        func madeClosed() async throws {
            try await withTemporaryFolder { top in
                let watch = inotify_init1(Int32(IN_NONBLOCK))
                defer { close(watch) }
                let number = unsafe inotify_add_watch(watch, top.path, UInt32(IN_CREATE) | UInt32(IN_ATTRIB))
                try #require(number >= 0)
                try FileStorage(folder: top.appending(path: "state/siwa")).save("secret", as: name)
                var events = [UInt8](repeating: 0, count: 4_096)
                let count = unsafe read(watch, &events, events.count)
                // One event: that `state` was made, and none that its mode was changed. Watch, mask, cookie and length
                // are of four bytes each, and the name follows.
                try #require(count > 16)
                #expect(count == 16 + Int(events[12]))
                let mode = try FileManager.default.permissions(of: top.appending(path: "state"))
                #expect(mode == 0o700)
            }
        }
    #endif

    @Test("Names that look alike when put together are different names")
    func names() async throws {
        try await withTemporaryFolder { folder in
            let storage = FileStorage(folder: folder)
            let alike = [("ab", "c"), ("a", "bc"), ("../a", "b"), ("", "abc")].map {
                SecretName(service: $0.0, account: $0.1)
            }
            for name in alike { try storage.save("\(name)", as: name) }
            for name in alike { #expect(try storage.secret(name) == "\(name)") }
        }
    }

    @Test("A folder that others may look into is refused", arguments: [0o750, 0o701, 0o777])
    func openFolder(mode: Int) async throws {
        try await withTemporaryFolder { folder in
            let storage = FileStorage(folder: folder)
            try storage.save("secret", as: name)
            try FileManager.default.setPermissions(mode, of: folder)
            for call in calls(storage) {
                let error = #expect(throws: SecretStorageError.self, performing: call)
                #expect(error?.code == .unsafePermissions)
            }
            try FileManager.default.setPermissions(0o700, of: folder)
        }
    }

    @Test("A file that others may read is refused", arguments: [0o640, 0o604, 0o620])
    func openFile(mode: Int) async throws {
        try await withTemporaryFolder { folder in
            let storage = FileStorage(folder: folder)
            try storage.save("secret", as: name)
            try FileManager.default.setPermissions(mode, of: try #require(try files(in: folder).first))
            let error = #expect(throws: SecretStorageError.self) { try storage.secret(name) }
            #expect(error?.code == .unsafePermissions)
        }
    }

    @Test("A link in the place of the folder or of a file is not followed")
    func links() async throws {
        try await withTemporaryFolder { top in
            let real = top.appending(path: "real")
            try FileStorage(folder: real).save("secret", as: name)
            let link = top.appending(path: "link")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
            for folder in [link, URL(filePath: link.path + "/", directoryHint: .isDirectory)] {
                for call in calls(FileStorage(folder: folder)) {
                    let error = #expect(throws: SecretStorageError.self, performing: call)
                    #expect(error?.code == .unsafePermissions)
                }
            }

            let file = try #require(try files(in: real).first)
            let elsewhere = top.appending(path: "elsewhere")
            try FileManager.default.moveItem(at: file, to: elsewhere)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: elsewhere)
            #expect(throws: SecretStorageError.self) { try FileStorage(folder: real).secret(name) }
            try FileStorage(folder: real).save("new", as: name)
            #expect(try FileStorage(folder: real).secret(name) == "new", "the link is replaced, not written through")
            #expect(try String(contentsOf: elsewhere, encoding: .utf8).contains("secret"))
        }
    }

    @Test("A half-written file of a killed process is ignored, and removed at the next write")
    func leftovers() async throws {
        try await withTemporaryFolder { folder in
            let storage = FileStorage(folder: folder)
            try storage.save("old", as: name)
            let leftover = folder.appending(path: "new-killed")
            try Data("{\"secr".utf8).write(to: leftover)
            #expect(try storage.secret(name) == "old")
            try storage.save("new", as: name)
            #expect(try storage.secret(name) == "new")
            #expect(!FileManager.default.fileExists(atPath: leftover.path))
        }
    }

    @Test("A damaged file is reported as unreadable", arguments: ["", "{", "{\"secret\": \"x\"}"])
    func damaged(content: String) async throws {
        try await withTemporaryFolder { folder in
            let storage = FileStorage(folder: folder)
            try storage.save("secret", as: name)
            let file = try #require(try files(in: folder).first)
            let handle = try FileHandle(forWritingTo: file)
            try handle.truncate(atOffset: 0)
            try handle.write(contentsOf: Data(content.utf8))
            try handle.close()
            let error = #expect(throws: SecretStorageError.self) { try storage.secret(name) }
            #expect(error?.code == .unreadable)
        }
    }

    @Test("Many writers at once leave one whole secret of theirs")
    func writers() async throws {
        try await withTemporaryFolder { folder in
            let storage = FileStorage(folder: folder)
            let secrets = (0..<16).map { String(repeating: "\($0)-", count: 500) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for secret in secrets {
                    group.addTask { try await onThread { try storage.save(secret, as: self.name) } }
                }
                try await group.waitForAll()
            }
            #expect(secrets.contains(try #require(try storage.secret(name))))
            #expect(try files(in: folder).count == 1)
        }
    }

    @Test(
        "The folder is XDG's state folder, or the home folder's if XDG's isn't an absolute path",
        arguments: [
            (["XDG_STATE_HOME": "/x/state", "HOME": "/home/ada"], "/x/state/siwa/secrets"),
            (["XDG_STATE_HOME": "state", "HOME": "/home/ada"], "/home/ada/.local/state/siwa/secrets"),
            (["HOME": "/home/ada"], "/home/ada/.local/state/siwa/secrets"),
        ])
    func place(environment: [String: String], path: String) {
        #expect(FileStorage(environment: environment).folder.path == path)
    }

    private func files(in folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.lastPathComponent != "lock" }
    }

    private func calls(_ storage: FileStorage) -> [() throws -> Void] {
        [
            { _ = try storage.secret(self.name) }, { try storage.save("other", as: self.name) },
            { try storage.remove(self.name) },
        ]
    }
}
