#if os(Windows)
    import Foundation
    import WinSDK

    /// A folder in the user's profile, which other users cannot read unless they administer the machine. Nothing here
    /// has been run on Windows; the Credential Manager would be the better place, and takes 2,560 bytes at most.
    struct SecretFolder: ~Copyable {
        private let url: URL

        private static let lockPause: DWORD = 10

        init?(opening url: URL) throws(SecretStorageError) {
            guard FileManager.default.fileExists(atPath: url.path) else { return nil }
            self.url = url
        }

        init(making url: URL) throws(SecretStorageError) {
            do {
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            } catch {
                throw SecretStorageError(.failed, "the folder \(url.path) cannot be made")
            }
            self.url = url
        }

        func read(_ name: String) throws(SecretStorageError) -> Data? {
            let file = url.appending(path: name)
            guard FileManager.default.fileExists(atPath: file.path) else { return nil }
            do {
                return try Data(contentsOf: file)
            } catch {
                throw SecretStorageError(.failed, "a secret in \(url.path) cannot be read")
            }
        }

        /// Writes a file. The caller holds the lock.
        func write(_ data: Data, to name: String) throws(SecretStorageError) {
            do {
                try data.write(to: url.appending(path: name), options: .atomic)
            } catch {
                throw SecretStorageError(.failed, "a secret cannot be written to \(url.path)")
            }
        }

        /// Removes a file. It is fine when there is no such file. The caller holds the lock.
        func remove(_ name: String) throws(SecretStorageError) {
            let file = url.appending(path: name)
            guard FileManager.default.fileExists(atPath: file.path) else { return }
            do {
                try FileManager.default.removeItem(at: file)
            } catch {
                throw SecretStorageError(.failed, "a secret in \(url.path) cannot be removed")
            }
        }

        /// Runs the work while no other process, and no other thread of this one, has the file of the lock open. Windows
        /// closes the file when a process ends.
        ///
        /// Throws `busy` if the lock isn't free in time.
        func withLock<Value>(
            _ name: String, timeLimit: Duration, _ work: () throws(SecretStorageError) -> Value
        ) throws(SecretStorageError) -> Value {
            let deadline = ContinuousClock.now + timeLimit
            let path = url.appending(path: name).path
            while true {
                // Shared with nobody.
                let (opened, failure) = unsafe path.withCString(encodedAs: UTF16.self) { path in
                    let file = unsafe CreateFileW(
                        path, DWORD(GENERIC_READ), 0, nil, DWORD(OPEN_ALWAYS), DWORD(FILE_ATTRIBUTE_NORMAL), nil)
                    return unsafe (file, GetLastError())
                }
                if let lock = unsafe opened, unsafe lock != INVALID_HANDLE_VALUE {
                    defer { _ = unsafe CloseHandle(lock) }
                    return try work()
                }
                guard failure == DWORD(ERROR_SHARING_VIOLATION) else {
                    throw SecretStorageError(.failed, "the lock \(path) cannot be opened")
                }
                guard ContinuousClock.now < deadline else {
                    throw SecretStorageError(
                        .busy, "another process holds the lock \(path)", hint: "Look for a stopped process of this app."
                    )
                }
                Sleep(Self.lockPause)
            }
        }
    }
#endif
