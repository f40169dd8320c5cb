#if canImport(Darwin)
    import Foundation
    import Security

    /// Apple's keychain: generic passwords that stay on this device and can be read once it has been unlocked after a
    /// start. They outlive the app: one that is installed again finds them.
    public struct KeychainStorage: SecretStorage {
        public init() {}

        public func secret(_ name: SecretName) throws(SecretStorageError) -> String? {
            var query = Self.query(for: name)
            query[kSecMatchLimit as String] = kSecMatchLimitOne
            query[kSecReturnData as String] = kCFBooleanTrue
            var item: CFTypeRef?
            let status = unsafe SecItemCopyMatching(query as CFDictionary, &item)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess else { throw Self.failure(status) }
            guard let data = item as? Data, let secret = String(validating: data, as: UTF8.self) else {
                throw SecretStorageError(.unreadable, "what the keychain has is not text")
            }
            return secret
        }

        public func save(_ secret: String, as name: SecretName) throws(SecretStorageError) {
            let query = Self.query(for: name)
            let content: [String: Any] = [
                kSecValueData as String: Data(secret.utf8),
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = SecItemUpdate(query as CFDictionary, content as CFDictionary)
            if status == errSecItemNotFound {
                let item = query.merging(content) { _, new in new }
                status = unsafe SecItemAdd(item as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw Self.failure(status) }
        }

        public func remove(_ name: SecretName) throws(SecretStorageError) {
            let status = SecItemDelete(Self.query(for: name) as CFDictionary)
            guard status == errSecSuccess || status == errSecItemNotFound else { throw Self.failure(status) }
        }

        private static func query(for name: SecretName) -> [String: Any] {
            var query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: name.service,
                kSecAttrAccount as String: name.account,
                // On a Mac too: the keychain with the rules of the other systems.
                kSecUseDataProtectionKeychain as String: true,
            ]
            if let group = name.accessGroup { query[kSecAttrAccessGroup as String] = group }
            return query
        }

        private static func failure(_ status: OSStatus) -> SecretStorageError {
            switch status {
            case errSecInteractionNotAllowed:
                SecretStorageError(.locked, "the keychain is locked", hint: "Unlock the device once after its start.")
            case errSecMissingEntitlement:
                SecretStorageError(
                    .failed, "the keychain refuses this program", hint: "It needs an application identifier or group.")
            default:
                SecretStorageError(.failed, "the keychain failed with status \(status)")
            }
        }
    }
#endif
