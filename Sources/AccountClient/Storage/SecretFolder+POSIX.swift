#if !os(Windows)
    import Foundation

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Android)
        import Android
    #else
        import Darwin
    #endif

    /// An open folder that is this user's alone. All names are taken relative to it, so that nobody can put another
    /// folder in its place meanwhile.
    struct SecretFolder: ~Copyable {
        private let descriptor: Int32
        private let path: String

        private static let temporaryPrefix = "new-"
        private static let lockPause: UInt32 = 10_000

        /// - Returns: nil when there is no such folder.
        init?(opening url: URL) throws(SecretStorageError) {
            let path = Self.path(of: url)
            let opened = unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard opened >= 0 else {
                if errno == ENOENT { return nil }
                throw Self.failure("the folder cannot be opened", path, errno)
            }
            do {
                try Self.check(opened, path)
            } catch {
                // The descriptor is in no member yet, whose deinitialisation would close it a second time.
                close(opened)
                throw error
            }
            self.path = path
            descriptor = opened
        }

        /// Makes the folder, and the folders above it that are missing, for this user alone.
        init(making url: URL) throws(SecretStorageError) {
            let path = Self.path(of: url)
            try Self.make(path)
            guard let folder = try SecretFolder(opening: url) else {
                throw SecretStorageError(.failed, "the folder \(path) is gone again")
            }
            self = folder
        }

        deinit {
            close(descriptor)
        }

        /// Returns the path without slashes at its end, with which the system would follow a link that is no folder
        /// itself.
        private static func path(of url: URL) -> String {
            var path = url.path(percentEncoded: false)
            while path.hasSuffix("/"), path.utf8.count > 1 { path.removeLast() }
            return path
        }

        /// Makes a folder that is for this user alone from the first moment.
        private static func make(_ path: String) throws(SecretStorageError) {
            if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
            let number = errno
            if number == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex {
                try make(String(path[..<slash]))
                if unsafe mkdir(path, 0o700) == 0 || errno == EEXIST { return }
            }
            throw SecretStorageError(
                .failed, "the folder \(path) cannot be made: \(String(decodingErrno: number))",
                hint: "Look at the permissions of the folder above it.")
        }

        // MARK: Files

        /// - Returns: nil when there is no such file.
        func read(_ name: String) throws(SecretStorageError) -> Data? {
            let file = unsafe openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
            guard file >= 0 else {
                if errno == ENOENT { return nil }
                throw Self.failure("a secret cannot be opened", path, errno)
            }
            let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
            try Self.check(file, path + "/" + name)
            do {
                return try handle.readToEnd() ?? Data()
            } catch {
                throw SecretStorageError(.failed, "a secret in \(path) cannot be read")
            }
        }

        /// Writes a file, which has the old content or the new one at every moment, and the new one for good when this
        /// returns. The caller holds the lock.
        func write(_ data: Data, to name: String) throws(SecretStorageError) {
            try removeLeftovers()
            let temporary = Self.temporaryPrefix + UUID().uuidString
            // 0600 from the first moment; a name that exists, as a link may, is refused.
            let file = unsafe openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw Self.failure("a secret cannot be written", path, errno) }
            do throws(SecretStorageError) {
                let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
                do {
                    try handle.write(contentsOf: data)
                    try handle.synchronize()
                    try handle.close()
                } catch {
                    throw SecretStorageError(
                        .failed, "a secret cannot be written to \(path)", hint: "Is the disk full?")
                }
                guard unsafe renameat(descriptor, temporary, descriptor, name) == 0 else {
                    throw Self.failure("a secret cannot be put in its place", path, errno)
                }
            } catch {
                unsafe unlinkat(descriptor, temporary, 0)
                throw error
            }
            try flush()
        }

        /// Removes a file. It is fine when there is no such file. The caller holds the lock.
        func remove(_ name: String) throws(SecretStorageError) {
            try removeLeftovers()
            guard unsafe unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
                throw Self.failure("a secret cannot be removed", path, errno)
            }
            try flush()
        }

        /// Makes moves and removals survive a power failure.
        private func flush() throws(SecretStorageError) {
            guard fsync(descriptor) == 0 else { throw Self.failure("the folder cannot be flushed", path, errno) }
        }

        // MARK: The lock

        /// Runs the work while no other process, and no other thread of this one, holds the lock. The work must not ask
        /// for the same lock.
        ///
        /// Throws `busy` if the lock isn't free in time.
        /// - Parameters:
        ///   - name: the file of the lock. It is made if it is missing, and stays.
        ///   - timeLimit: how long to wait for the lock.
        func withLock<Value>(
            _ name: String, timeLimit: Duration, _ work: () throws(SecretStorageError) -> Value
        ) throws(SecretStorageError) -> Value {
            let lock = try lock(name, timeLimit: timeLimit)
            defer { close(lock) }
            return try work()
        }

        /// - Returns: a descriptor whose closing gives the lock back, as the end of the process does.
        private func lock(_ name: String, timeLimit: Duration) throws(SecretStorageError) -> Int32 {
            let lock = unsafe openat(descriptor, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard lock >= 0 else { throw Self.failure("the lock cannot be opened", path, errno) }
            let deadline = ContinuousClock.now + timeLimit
            while flock(lock, LOCK_EX | LOCK_NB) != 0 {
                let number = errno
                guard number == EWOULDBLOCK || number == EINTR else {
                    close(lock)
                    throw Self.failure("the lock cannot be taken", path, number)
                }
                guard ContinuousClock.now < deadline else {
                    close(lock)
                    throw SecretStorageError(
                        .busy, "another process holds the lock \(path)/\(name)",
                        hint: "Look for a stopped process of this app.")
                }
                usleep(Self.lockPause)
            }
            return lock
        }

        /// Removes files that are half-written. Only the holder of the lock writes, so a process that died left them.
        private func removeLeftovers() throws(SecretStorageError) {
            let names: [String]
            do {
                names = try FileManager.default.contentsOfDirectory(atPath: path)
            } catch {
                throw SecretStorageError(.failed, "the folder \(path) cannot be listed")
            }
            for name in names where name.hasPrefix(Self.temporaryPrefix) {
                unsafe unlinkat(descriptor, name, 0)
            }
        }

        // MARK: Checks

        /// Ours, and nobody else's to read or to write.
        private static func check(_ descriptor: Int32, _ path: String) throws(SecretStorageError) {
            var status = stat()
            guard unsafe fstat(descriptor, &status) == 0 else { throw failure("its owner is unknown", path, errno) }
            guard status.st_uid == geteuid() else {
                throw SecretStorageError(
                    .unsafePermissions, "\(path) belongs to another user", hint: "Remove it, or choose another folder.")
            }
            guard status.st_mode & 0o077 == 0 else {
                throw SecretStorageError(
                    .unsafePermissions, "\(path) can be read or written by others",
                    hint: "Others may know what is in it: delete it and sign in again.")
            }
        }

        private static func failure(_ what: String, _ path: String, _ number: Int32) -> SecretStorageError {
            let isLink = number == ELOOP || number == ENOTDIR
            return SecretStorageError(
                isLink ? .unsafePermissions : .failed, "\(what): \(path): \(String(decodingErrno: number))")
        }
    }

    extension String {
        fileprivate init(decodingErrno number: Int32) {
            self = NSError(domain: NSPOSIXErrorDomain, code: Int(number)).localizedDescription
        }
    }
#endif
