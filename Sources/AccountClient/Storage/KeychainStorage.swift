import Foundation

#if canImport(Darwin)
    import Security

    /// Apple's keychain: generic passwords that stay on this device and can be read once it has been unlocked after a
    /// start. They outlive the app: one that is installed again finds them.
    ///
    /// The keychain of apps has no lock that an app shares with its extensions. If they share an access group, let one of them
    /// make the ``AccountClient``. Tools may share the login keychain, see ``forTools``.
    public struct KeychainStorage: SecretStorage {
        private let isForTools: Bool
        /// Excludes the other threads of an app.
        private static let appLock = NSLock()
        /// Excludes the other processes of a person's tools. The keychain takes milliseconds, unless it asks the person.
        private static let toolLock = ProcessLock(
            "keychain", environment: ProcessInfo.processInfo.environment, timeLimit: .seconds(3))

        /// Makes a storage on the keychain of this user.
        public init() {
            isForTools = false
        }

        #if canImport(AppKit)
            /// The login keychain of a Mac's user, in a file: for tools that have no entitlement, whom the other keychain
            /// refuses.
            ///
            /// macOS may ask the person whether another version of the tool may read what this one has kept. Tools of one
            /// person may share a secret: one of them writes at a time, under a lock on `siwa/locks/keychain` in the state
            /// folder (see ``FileStorage``).
            public static let forTools = Self(isForTools: true)
        #endif

        private init(isForTools: Bool) {
            self.isForTools = isForTools
        }

        /// Reads a secret from the keychain.
        public func secret(_ name: SecretName) throws(SecretStorageError) -> String? {
            var query = query(for: name)
            query[kSecMatchLimit as String] = kSecMatchLimitOne
            query[kSecReturnData as String] = kCFBooleanTrue
            var item: CFTypeRef?
            let status = unsafe SecItemCopyMatching(query as CFDictionary, &item)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess else { throw Self.failure(status) }
            guard let data = item as? Data, let secret = String(bytes: data, encoding: .utf8) else {
                throw SecretStorageError(.unreadable, "what the keychain has is not text")
            }
            return secret
        }

        /// Keeps a secret in the keychain.
        public func save(_ secret: String, as name: SecretName) throws(SecretStorageError) {
            try withLock { () throws(SecretStorageError) in try store(secret, as: name) }
        }

        /// Removes a secret from the keychain.
        public func remove(_ name: SecretName) throws(SecretStorageError) {
            try withLock { () throws(SecretStorageError) in try delete(name) }
        }

        /// Reads a secret and writes the new one under the lock.
        public func update(_ name: SecretName, _ change: SecretChange) throws(SecretStorageError) {
            try withLock { () throws(SecretStorageError) in
                if let secret = try change(Result { () throws(SecretStorageError) in try secret(name) }) {
                    try store(secret, as: name)
                } else {
                    try delete(name)
                }
            }
        }

        private func withLock(_ work: () throws(SecretStorageError) -> Void) throws(SecretStorageError) {
            guard !isForTools else { return try Self.toolLock.withLock(work) }
            Self.appLock.lock()
            defer { Self.appLock.unlock() }
            try work()
        }

        private func store(_ secret: String, as name: SecretName) throws(SecretStorageError) {
            let query = query(for: name)
            var content: [String: Any] = [kSecValueData as String: Data(secret.utf8)]
            // The keychain in a file has rules of its own.
            if !isForTools { content[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly }
            var status = SecItemUpdate(query as CFDictionary, content as CFDictionary)
            if status == errSecItemNotFound {
                let item = query.merging(content) { _, new in new }
                status = SecItemAdd(item as CFDictionary, nil)
                // Another process has added the item since the update.
                if status == errSecDuplicateItem {
                    status = SecItemUpdate(query as CFDictionary, content as CFDictionary)
                }
            }
            guard status == errSecSuccess else { throw Self.failure(status) }
        }

        private func delete(_ name: SecretName) throws(SecretStorageError) {
            let status = SecItemDelete(query(for: name) as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else { throw Self.failure(status) }
        }

        private func query(for name: SecretName) -> [String: Any] {
            var query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: name.service,
                kSecAttrAccount as String: name.account,
            ]
            // On a Mac, too, this chooses the keychain with the rules of the other systems.
            if !isForTools { query[kSecUseDataProtectionKeychain as String] = true }
            if let group = name.accessGroup { query[kSecAttrAccessGroup as String] = group }
            return query
        }

        private static func failure(_ status: OSStatus) -> SecretStorageError {
            switch status {
            case errSecInteractionNotAllowed:
                SecretStorageError(.locked, "the keychain is locked", hint: "Unlock the device once after its start.")
            case errSecMissingEntitlement:
                SecretStorageError(
                    .failed, "the keychain refuses this program",
                    hint: "It needs an application identifier or group; a tool uses KeychainStorage.forTools.")
            default:
                SecretStorageError(.failed, "the keychain failed with status \(status)")
            }
        }
    }
#endif

/// A secret, with the interface that Apple's sample app Juice gave it; off Apple's platforms too.
///
/// Its calls block until the storage answers, so don't call them in `async` functions.
public struct KeychainItem: Sendable {
    /// Juice's four errors. Only the storage itself throws a ``SecretStorageError`` with the reason.
    public enum KeychainError: Error {
        /// Nothing is kept under the name.
        case noPassword
        case unexpectedPasswordData
        case unexpectedItemData
        /// The storage cannot be read or written now.
        case unhandledError
    }

    /// The app's name, and anything else that distinguishes its secrets from those of others.
    public let service: String
    /// The name of the secret among the service's.
    public private(set) var account: String
    /// The access group of the item. Only Apple's keychain uses it.
    public let accessGroup: String?
    private let storage: any SecretStorage

    /// Makes an item by its name.
    /// - Parameter storage: the place of the secret; nil is ``SystemStorage/shared``.
    public init(service: String, account: String, accessGroup: String? = nil, storage: (any SecretStorage)? = nil) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
        self.storage = storage ?? Self.scopedStorage ?? SystemStorage.shared
    }

    /// Replaces the system's storage for the calls of one task and its children: tests leave the desktop's keyring
    /// alone.
    @TaskLocal package static var scopedStorage: (any SecretStorage)?

    private var name: SecretName { SecretName(service: service, account: account, accessGroup: accessGroup) }

    /// Reads the secret. Throws ``KeychainError/noPassword`` if there is none.
    public func readItem() throws -> String {
        guard let secret = try Self.handled({ () throws(SecretStorageError) in try storage.secret(name) }) else {
            throw KeychainError.noPassword
        }
        return secret
    }

    /// Keeps a secret, in place of the former one.
    public func saveItem(_ password: String) throws {
        try Self.handled { () throws(SecretStorageError) in try storage.save(password, as: name) }
    }

    /// Removes the secret. If there is none, that is no error.
    public func deleteItem() throws {
        try Self.handled { () throws(SecretStorageError) in try storage.remove(name) }
    }

    private static func handled<Value>(_ work: () throws(SecretStorageError) -> Value) throws -> Value {
        do {
            return try work()
        } catch {
            switch error.code {
            case .unreadable: throw KeychainError.unexpectedPasswordData
            default: throw KeychainError.unhandledError
            }
        }
    }
}

// Juice's one item: who is signed in.

extension KeychainItem {
    /// The item `userIdentifier` of this program.
    static var userIdentifier: KeychainItem {
        KeychainItem(
            service: Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName, account: "userIdentifier")
    }

    /// The identifier that Juice has stored for this program; empty when there is none or it cannot be read.
    public static var currentUserIdentifier: String {
        (try? userIdentifier.readItem()) ?? ""
    }

    /// Forgets ``currentUserIdentifier``. As in Juice, a failure is only written to standard error.
    public static func deleteUserIdentifierFromKeychain() {
        do {
            try userIdentifier.deleteItem()
        } catch {
            StandardError.say("warning: the stored user identifier could not be deleted")
        }
    }
}
