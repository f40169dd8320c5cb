#if os(Windows)
    import Foundation

    /// A folder in the user's profile, which other users cannot read unless they administer the machine. Nothing here
    /// has been run on Windows; the Credential Manager would be the better place, and takes 2,560 bytes at most.
    struct SecretFolder: ~Copyable {
        private let url: URL

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

        func write(_ data: Data, to name: String) throws(SecretStorageError) {
            do {
                try data.write(to: url.appending(path: name), options: .atomic)
            } catch {
                throw SecretStorageError(.failed, "a secret cannot be written to \(url.path)")
            }
        }

        func remove(_ name: String) throws(SecretStorageError) {
            let file = url.appending(path: name)
            guard FileManager.default.fileExists(atPath: file.path) else { return }
            do {
                try FileManager.default.removeItem(at: file)
            } catch {
                throw SecretStorageError(.failed, "a secret in \(url.path) cannot be removed")
            }
        }
    }
#endif
