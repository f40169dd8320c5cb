#if os(Linux)
    import AccountClient
    import Foundation

    /// Works with a program of the test's in the place of `secret-tool`.
    ///
    /// The program itself lies beside the tests. One that a test writes could not always be started: a child that
    /// another test starts at that moment holds it open for writing until it has become a program of its own.
    func withTool(
        _ script: String, timeout: Duration = .seconds(60),
        _ work: (_ folder: URL, SecretServiceStorage) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let program = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Programs/secret-tool")
            try FileManager.default.createSymbolicLink(
                at: folder.appending(path: "secret-tool"), withDestinationURL: program)
            try Data("PATH=/usr/bin:/bin\n\(script)\n".utf8).write(to: folder.appending(path: "script"))
            let environment = [
                "PATH": folder.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
                "XDG_STATE_HOME": folder.appending(path: "state").path,
            ]
            try await work(folder, SecretServiceStorage(environment: environment, timeout: timeout))
        }
    }
#endif
