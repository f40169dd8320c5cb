import TaskSignals

/// A place for small secrets that outlives the process.
///
/// Its calls wait for a disk or another process, for up to some seconds: make them on a thread that may wait, never in
/// an `async` function. ``AccountClient`` does.
///
/// A storage of your own needs three methods. Implement ``update(_:_:)`` too if several processes or several clients use it.
public protocol SecretStorage: Sendable {
    /// Reads a secret.
    /// - Returns: nil when nothing is kept under the name.
    func secret(_ name: SecretName) throws(SecretStorageError) -> String?

    /// Keeps a secret under a name. It replaces the one that was there, wholly or not at all.
    func save(_ secret: String, as name: SecretName) throws(SecretStorageError)

    /// Removes a secret. It is no error when nothing was there.
    func remove(_ name: SecretName) throws(SecretStorageError)

    /// Reads a secret, and keeps or removes it as a closure decides.
    ///
    /// No other call may save, remove or update the secret in between, in this process or another one. Otherwise a client
    /// can replace a refresh token by an older one that it read before, and the account service then ends the session.
    ///
    /// The default implementation calls ``secret(_:)``, and then ``save(_:as:)`` or ``remove(_:)``. It lets other calls in
    /// between. So it is safe only where one client at a time uses the storage.
    /// - Parameter change: returns the new secret. It must not call this storage. It can be called more than once, so it should
    ///   have no other effect.
    func update(_ name: SecretName, _ change: SecretChange) throws(SecretStorageError)
}

/// Decides what a storage keeps instead of a secret.
///
/// It is given the stored secret, which is nil when nothing is kept, or the error that keeps it from being read. It returns the
/// secret to keep; nil removes it. If it throws an error, the stored secret stays.
public typealias SecretChange =
    (_ stored: Result<String?, SecretStorageError>) throws(SecretStorageError) -> String?

extension SecretStorage {
    /// Reads a secret, and then keeps or removes it. Other calls can come in between.
    public func update(_ name: SecretName, _ change: SecretChange) throws(SecretStorageError) {
        if let secret = try change(Result { () throws(SecretStorageError) in try secret(name) }) {
            try save(secret, as: name)
        } else {
            try remove(name)
        }
    }
}

/// The name under which a secret is kept.
public struct SecretName: Hashable, Sendable {
    /// The app's name, and anything else that distinguishes its secrets from those of others. It is no secret.
    public var service: String
    /// The name of the secret among the app's secrets. It is no secret.
    public var account: String
    /// Apple's keychain only: the group of apps that share the item.
    public var accessGroup: String?

    /// Makes a name.
    public init(service: String, account: String, accessGroup: String? = nil) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
    }
}

/// An error of a secret storage. It equals another error with the same code, and never holds a secret.
public struct SecretStorageError: Error, Equatable, CustomStringConvertible {
    /// The kind of failure.
    public let code: Code
    /// The reason of the error, for people, in one line.
    public let reason: String
    /// A hint on what to do about it, in one line.
    public let hint: String?

    /// Makes an error, for storages of an app's own.
    public init(_ code: Code, _ reason: String, hint: String? = nil) {
        self.code = code
        self.reason = reason
        self.hint = hint
    }

    /// Whether two errors have the same code.
    public static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    /// The code and the reason.
    public var description: String { "\(code): \(reason)" }

    /// The kind of a failure. Newer versions may know more kinds, so a `switch` needs a `default`.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Kind: Hashable, Sendable {
            case toolMissing, serviceMissing, locked, timedOut, unsafePermissions, busy, tooLarge, unreadable, failed
        }

        private let kind: Kind

        /// The program `secret-tool` is not installed.
        public static let toolMissing = Self(kind: .toolMissing)
        /// There is no session bus, or no keyring on it.
        public static let serviceMissing = Self(kind: .serviceMissing)
        /// The keyring is locked, and nobody unlocked it.
        public static let locked = Self(kind: .locked)
        /// The keyring gave no answer in time; mostly it waits for somebody to unlock it.
        public static let timedOut = Self(kind: .timedOut)
        /// A file or folder belongs to somebody else, or others may read or write it.
        public static let unsafePermissions = Self(kind: .unsafePermissions)
        /// Another process has held the storage's lock for too long.
        public static let busy = Self(kind: .busy)
        /// The secret is longer than this storage takes.
        public static let tooLarge = Self(kind: .tooLarge)
        /// The secret under this name was not written by this storage, or is damaged.
        public static let unreadable = Self(kind: .unreadable)
        /// Anything else; the reason says what.
        public static let failed = Self(kind: .failed)

        /// The kind's name.
        public var description: String { "\(kind)" }

        /// Whether there is no keyring, which does not change as long as the process runs.
        var isAbsence: Bool { kind == .toolMissing || kind == .serviceMissing }

        /// Whether there is a keyring that is locked or doesn't answer, which may change at any time.
        var isClosed: Bool { kind == .locked || kind == .timedOut }

        /// Whether a new secret may take the place of one that could not be read for this reason.
        var isReplaceable: Bool { kind == .unreadable || isClosed }
    }
}

/// Keeps secrets as long as the process lives: for tests, and for programs that store nothing.
public final class MemoryStorage: SecretStorage {
    private let secrets = Lock<[SecretName: String]>([:])

    /// Makes an empty storage.
    public init() {}

    /// Reads a secret.
    public func secret(_ name: SecretName) throws(SecretStorageError) -> String? {
        secrets.withLock { $0[name] }
    }

    /// Keeps a secret until the process ends.
    public func save(_ secret: String, as name: SecretName) throws(SecretStorageError) {
        secrets.withLock { $0[name] = secret }
    }

    /// Forgets a secret.
    public func remove(_ name: SecretName) throws(SecretStorageError) {
        secrets.withLock { _ = $0.removeValue(forKey: name) }
    }

    /// Changes a secret while no other call can.
    public func update(_ name: SecretName, _ change: SecretChange) throws(SecretStorageError) {
        try secrets.withLock { secrets throws(SecretStorageError) in
            secrets[name] = try change(.success(secrets[name]))
        }
    }
}
