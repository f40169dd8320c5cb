import Synchronization

/// Keeps secrets as long as the process lives: for tests, and for programs that shall leave nothing behind.
public final class MemoryStorage: SecretStorage {
    private let secrets = Mutex<[SecretName: String]>([:])

    public init() {}

    public func secret(_ name: SecretName) throws(SecretStorageError) -> String? {
        secrets.withLock { $0[name] }
    }

    public func save(_ secret: String, as name: SecretName) throws(SecretStorageError) {
        secrets.withLock { $0[name] = secret }
    }

    public func remove(_ name: SecretName) throws(SecretStorageError) {
        secrets.withLock { _ = $0.removeValue(forKey: name) }
    }
}
