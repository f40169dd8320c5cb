#if os(Linux)
    import AccountClient
    import Foundation
    import Testing

    @Suite("Secrets in the desktop's keyring", .timeLimit(.minutes(2)))
    struct SecretServiceTests {
        let name = SecretName(service: "com.example.app", account: "session")

        /// Asks a keyring that never answers, again where its program was killed before it had written a process's
        /// number, as may be on a busy machine.
        /// - Returns: that number.
        private func hang(_ storage: SecretServiceStorage, in folder: URL) async throws -> String {
            let name = name
            while true {
                let begun = ContinuousClock.now
                let error = await #expect(throws: SecretStorageError.self) {
                    try await onThread { try storage.secret(name) }
                }
                #expect(error?.code == .timedOut)
                // The sleep would take ten minutes.
                #expect(ContinuousClock.now - begun < .seconds(60))
                let written = try? String(contentsOf: folder.appending(path: "pid"), encoding: .utf8)
                if let written, written.hasSuffix("\n") { return written.trimmingCharacters(in: .newlines) }
                try Task.checkCancellation()
            }
        }

        @Test("A real keyring stores, replaces, returns and removes a secret")
        func keeps() async throws {
            try await KeyringSession.run { session in
                let storage = session.storage
                let name = name
                try await onThread {
                    #expect(try storage.secret(name) == nil)
                    try storage.remove(name)
                    try storage.save("first", as: name)
                    let long = String(repeating: "päss\n", count: 1_000)
                    try storage.save(long, as: name)
                    #expect(try storage.secret(name) == long)
                    #expect(try storage.secret(SecretName(service: name.service, account: "other")) == nil)
                    try storage.remove(name)
                    #expect(try storage.secret(name) == nil)
                }
            }
        }

        @Test("A locked keyring is an error in each call, and never an empty keyring")
        func locked() async throws {
            try await KeyringSession.run { session in
                let storage = session.storage
                let name = name
                try await onThread { try storage.save("secret", as: name) }
                try await session.lock()
                let calls: [@Sendable () throws -> Void] = [
                    { _ = try storage.secret(name) }, { try storage.save("other", as: name) },
                    { try storage.remove(name) },
                ]
                for call in calls {
                    let error = await #expect(throws: SecretStorageError.self) { try await onThread(call) }
                    #expect(error?.code == .locked)
                }
            }
        }

        @Test(
            "Without the program, without a bus and with a dead bus, the error says which",
            arguments: [
                (
                    ["PATH": "/nonexistent", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"],
                    SecretStorageError.Code.toolMissing
                ),
                (["PATH": "/usr/bin:/bin"], .serviceMissing),
                (["PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": "/nonexistent"], .serviceMissing),
                (["PATH": "/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"], .serviceMissing),
            ])
        func absent(environment: [String: String], code: SecretStorageError.Code) async throws {
            let storage = SecretServiceStorage(environment: environment)
            let name = name
            let error = await #expect(throws: SecretStorageError.self) {
                try await onThread { try storage.secret(name) }
            }
            #expect(error?.code == code)
            #expect(error?.hint != nil)
        }

        @Test("A keyring that never answers costs the time allowed, and its program is killed, whatever it ignores")
        func hangs() async throws {
            let script = """
                trap '' TERM INT HUP
                echo $$ >"${0%/*}/pid"
                exec /bin/sleep 600
                """
            try await withTool(script, timeout: .seconds(2)) { folder, storage in
                let pid = try await hang(storage, in: folder)
                // The storage waits a second for its end; on a busy machine that may not be enough to collect it.
                while FileManager.default.fileExists(atPath: "/proc/\(pid)") {
                    try Task.checkCancellation()
                    await Task.yield()
                }
            }
        }

        @Test("A process that the program has started is killed with it, and not waited for")
        func hangsBehindShell() async throws {
            let script = """
                /bin/sleep 600 & echo $! >"${0%/*}/pid"
                wait
                """
            try await withTool(script, timeout: .seconds(2)) { folder, storage in
                let pid = try await hang(storage, in: folder)
                // A signal takes its time. Gone, or ended and not yet collected by whoever has inherited it.
                let file = "/proc/\(pid)/stat"
                while let status = try? String(contentsOfFile: file, encoding: .utf8), !status.contains(") Z ") {
                    try Task.checkCancellation()
                    await Task.yield()
                }
            }
        }

        @Test("A timed-out call doesn't wait for a process that has left the program's group")
        func hangsInOtherGroup() async throws {
            let script = """
                /usr/bin/setsid /bin/sleep 20 &
                wait
                """
            try await withTool(script, timeout: .seconds(1)) { _, storage in
                let (name, begun) = (name, ContinuousClock.now)
                let error = await #expect(throws: SecretStorageError.self) {
                    try await onThread { try storage.secret(name) }
                }
                #expect(error?.code == .timedOut)
                #expect(ContinuousClock.now - begun < .seconds(15))
            }
        }

        @Test("A program that ends before it has read the secret does no harm")
        func doesNotRead() async throws {
            try await withTool("echo 'secret-tool: broken' >&2; exit 3") { _, storage in
                let name = name
                let error = await #expect(throws: SecretStorageError.self) {
                    try await onThread { try storage.save(String(repeating: "x", count: 8_000), as: name) }
                }
                #expect(error?.code == .failed)
            }
        }

        @Test("The secret is in no argument")
        func arguments() async throws {
            let script = """
                echo "$@" >"${0%/*}/arguments"
                /bin/cat >"${0%/*}/input"
                """
            try await withTool(script) { folder, storage in
                let name = name
                try await onThread { try storage.save("the-secret", as: name) }
                let arguments = try String(contentsOf: folder.appending(path: "arguments"), encoding: .utf8)
                #expect(arguments == "store --label=com.example.app service com.example.app account session\n")
                let input = try String(contentsOf: folder.appending(path: "input"), encoding: .utf8)
                #expect(input == "the-secret")
            }
        }

        @Test("A secret that secret-tool would cut off is refused")
        func tooLarge() async throws {
            try await withTool("exit 0") { _, storage in
                let name = name
                let error = await #expect(throws: SecretStorageError.self) {
                    try await onThread { try storage.save(String(repeating: "x", count: 8_001), as: name) }
                }
                #expect(error?.code == .tooLarge)
            }
        }
    }
#endif
