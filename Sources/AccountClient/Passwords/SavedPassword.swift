import AccountAPI
import Foundation

/// An email address and a password that the person wants this device to keep.
///
/// Its description shows neither.
public struct SavedPassword: Hashable, Sendable, Codable {
    /// The address with which the person signs in.
    public var email: String
    /// The password, as the person typed it.
    public var password: String

    /// Makes a value out of its parts.
    public init(email: String, password: String) {
        self.email = email
        self.password = password
    }
}

extension SavedPassword {
    /// Whether it is the password for an address. Capitalization makes no difference, nor do two Unicode forms of one
    /// character. The account service also takes a domain and its ASCII form of IDNA for equal. Here these two differ, so
    /// such a password stays as it is.
    func belongs(to email: String) -> Bool { self.email.lowercased() == email.lowercased() }
}

extension SavedPassword: CustomStringConvertible, CustomReflectable {
    /// A fixed text without address and password.
    public var description: String { "SavedPassword" }

    /// Neither address nor password.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension AccountClient {
    /// Keeps a password in the device's secret storage, for ``savedPassword()`` and, off Apple's platforms, for requests of
    /// `ASAuthorizationPasswordProvider`. It takes the place of the one that was kept. Ask the person first.
    ///
    /// On Apple's platforms the system saves passwords itself: use that instead.
    ///
    /// Throws `storage`.
    public func savePassword(_ password: SavedPassword) async throws(AccountClientError) {
        try await calls.passwords.save(password)
    }

    /// Returns the password that ``savePassword(_:)`` has kept.
    ///
    /// It stays when the person signs out. ``upgradeToApple(password:endingOtherSessions:presentationAnchor:consent:)`` and a
    /// deletion of the account remove it. Throws `storage`.
    public func savedPassword() async throws(AccountClientError) -> SavedPassword? {
        try await calls.savedPassword()
    }

    /// Removes the password that ``savePassword(_:)`` has kept. It is no error if there is none. Throws `storage`.
    public func removeSavedPassword() async throws(AccountClientError) {
        try await calls.passwords.remove()
    }
}

extension AccountCalls {
    func savedPassword() async throws(AccountClientError) -> SavedPassword? {
        try await passwords.load()
    }

    /// Changes the saved password of a person whose password has changed at the account service.
    func replaceSavedPassword(of email: String, by password: String) async {
        do throws(AccountClientError) {
            guard let saved = try await savedPassword(), saved.belongs(to: email) else { return }
            try await passwords.save(SavedPassword(email: saved.email, password: password))
        } catch {
            // The change itself has succeeded. The next sign-in with the saved password says that it is wrong.
        }
    }

    /// Removes the saved password of a person who has none at the account service any more.
    func removeSavedPassword(of email: String?) async {
        do throws(AccountClientError) {
            guard let saved = try await savedPassword(), email.map(saved.belongs) ?? true else { return }
            try await passwords.remove()
        } catch {
            // The password doesn't work any more, so it can stay.
        }
    }
}

/// Keeps one password in secret storage.
struct PasswordStore: Sendable {
    private let storage: any SecretStorage
    private let name: SecretName
    private let queue = StorageQueue()

    init(storage: any SecretStorage, name: SecretName) {
        self.storage = storage
        self.name = name
    }

    func load() async throws(AccountClientError) -> SavedPassword? {
        try await queue.perform { [storage, name] () throws(SecretStorageError) in
            guard let text = try storage.secret(name) else { return nil }
            do {
                return try JSONDecoder().decode(SavedPassword.self, from: Data(text.utf8))
            } catch {
                throw SecretStorageError(.unreadable, "what is stored is no password of this library's")
            }
        }
    }

    func save(_ password: SavedPassword) async throws(AccountClientError) {
        try await queue.perform { [storage, name] () throws(SecretStorageError) in
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let data: Data
            do {
                data = try encoder.encode(password)
            } catch {
                throw SecretStorageError(.failed, "the password cannot be written as JSON")
            }
            try storage.save(String(decoding: data, as: UTF8.self), as: name)
        }
    }

    func remove() async throws(AccountClientError) {
        try await queue.perform { [storage, name] () throws(SecretStorageError) in try storage.remove(name) }
    }
}
