import Foundation

/// One secret, with the interface that Apple's sample app Juice gave it; off Apple's platforms too.
///
/// Its calls wait for the storage: not for `async` functions.
public struct KeychainItem: Sendable {
    /// Juice's four errors. Why a storage failed is in the ``SecretStorageError`` that the storage itself throws.
    public enum KeychainError: Error {
        /// Nothing is kept under the name.
        case noPassword
        case unexpectedPasswordData
        case unexpectedItemData
        /// The storage cannot be read or written now.
        case unhandledError
    }

    public let service: String
    public private(set) var account: String
    /// Means something to Apple's keychain only.
    public let accessGroup: String?
    private let storage: any SecretStorage

    /// - Parameter storage: where it is kept; nil is ``SystemStorage/shared``.
    public init(service: String, account: String, accessGroup: String? = nil, storage: (any SecretStorage)? = nil) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
        self.storage = storage ?? Self.scopedStorage ?? SystemStorage.shared
    }

    /// For the calls of one task and its children, in place of the system's: tests leave the desktop's keyring alone.
    @TaskLocal package static var scopedStorage: (any SecretStorage)?

    private var name: SecretName { SecretName(service: service, account: account, accessGroup: accessGroup) }

    /// Throws ``KeychainError/noPassword`` when there is none.
    public func readItem() throws -> String {
        guard let secret = try Self.handled({ () throws(SecretStorageError) in try storage.secret(name) }) else {
            throw KeychainError.noPassword
        }
        return secret
    }

    /// Replaces what was there.
    public func saveItem(_ password: String) throws {
        try Self.handled { () throws(SecretStorageError) in try storage.save(password, as: name) }
    }

    /// It is fine when nothing was there.
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

    /// Forgets ``currentUserIdentifier``. As in Juice, a failure is only told on standard error.
    public static func deleteUserIdentifierFromKeychain() {
        do {
            try userIdentifier.deleteItem()
        } catch {
            StandardError.say("warning: the stored user identifier could not be deleted")
        }
    }
}
