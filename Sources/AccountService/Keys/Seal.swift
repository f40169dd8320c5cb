import Crypto
import Foundation

/// Seals values for one purpose and opens them again (AES-256-GCM).
///
/// A sealed value is: version (one byte, 1), length and name of the ring key, 12 bytes nonce, ciphertext, 16 bytes tag.
/// It is bound to purpose, row and client, so that a row copied over another does not open.
struct Seal: Sendable {
    enum Purpose: String, Sendable {
        case appleRefreshToken = "apple refresh token"
        case authorization = "authorization"
        case emailLink = "email link"
        case mail = "mail"
        /// The pepper of passwords: their hashes are stored sealed, and without the key ring nobody can try passwords.
        case password = "password"
        case pendingProfile = "kept name"
        /// The secrets of an attempt at another provider. They live for ten minutes, so nobody seals them anew.
        case providerAttempt = "provider attempt"
        case serverKey = "server key"
        case waitingCode = "waiting code"
    }

    private static let version: UInt8 = 1

    let purpose: Purpose
    private let keyRing: KeyRingInUse
    /// The derived keys, in the key ring's order: the first one seals, each opens.
    private var keys: [(id: String, key: SymmetricKey)] { keyRing.derivedKeys(for: "seal " + purpose.rawValue) }

    init(_ purpose: Purpose, keyRing: KeyRing) {
        self.init(purpose, keyRing: KeyRingInUse(keyRing))
    }

    init(_ purpose: Purpose, keyRing: KeyRingInUse) {
        self.purpose = purpose
        self.keyRing = keyRing
    }

    func seal(_ plaintext: [UInt8], row: String, client: String = "") throws -> [UInt8] {
        let (id, key) = keys[0]
        let box = try AES.GCM.seal(plaintext, using: key, authenticating: additionalData(row: row, client: client))
        return [Self.version, UInt8(id.utf8.count)] + id.utf8 + box.nonce + box.ciphertext + box.tag
    }

    /// - Throws: ``AccountError/Code/configuration`` when the key is not in the ring, or the value is not what was
    ///   sealed.
    func open(_ sealed: [UInt8], row: String, client: String = "") throws -> [UInt8] {
        guard sealed.count > 2, sealed[0] == Self.version, sealed.count >= 2 + Int(sealed[1]) + 28 else {
            throw AccountError(
                .configuration, "a sealed value (\(purpose.rawValue)) has no form that this version knows")
        }
        let id = String(decoding: sealed[2..<(2 + Int(sealed[1]))], as: UTF8.self)
        guard let key = keys.first(where: { $0.id == id })?.key else {
            throw AccountError(
                .configuration, "the key ring lacks key `\(id)`, which sealed a value (\(purpose.rawValue))")
        }
        do {
            let box = try AES.GCM.SealedBox(combined: Data(sealed[(2 + Int(sealed[1]))...]))
            return Array(try AES.GCM.open(box, using: key, authenticating: additionalData(row: row, client: client)))
        } catch {
            throw AccountError(
                .configuration, "a sealed value (\(purpose.rawValue)) does not open with key `\(id)`", cause: error)
        }
    }

    /// Whether a value was sealed by the ring's first key.
    func isCurrent(_ sealed: [UInt8]) -> Bool {
        Self.keyName(of: sealed) == keys[0].id
    }

    /// The name of the ring key that sealed a value; nil for what has no form that this version knows.
    static func keyName(of sealed: [UInt8]) -> String? {
        guard sealed.count > 2, sealed[0] == version, sealed.count >= 2 + Int(sealed[1]) else { return nil }
        return String(decoding: sealed[2..<(2 + Int(sealed[1]))], as: UTF8.self)
    }

    private func additionalData(row: String, client: String) -> Data {
        var data = Data()
        for part in [purpose.rawValue, row, client] {
            let count = UInt32(part.utf8.count)
            data.append(contentsOf: (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) })
            data.append(contentsOf: part.utf8)
        }
        return data
    }
}

/// A column of a store in which sealed values stand.
package enum SealedColumn: String, CaseIterable, Hashable, Sendable {
    case serverKeys = "server_keys"
    case appleTokens = "apple_tokens"
    case pendingProfiles = "kept_names"
    case authorizationStates = "authorization_states"
    case authorizationResults = "authorization_results"
    case authorizationTokens = "authorization_tokens"
    case outboxRevocations = "outbox_revocations"
    case outboxCodes = "outbox_codes"
    case mails = "mails"
    case passwords = "passwords"
    case emailLinks = "email_links"
}

/// A sealed value, and what its seal is bound to.
package struct SealedValue: Hashable, Sendable {
    /// The primary key of its row.
    package var key: [String]
    /// The token's id for ``SealedColumn/authorizationTokens``, which is the row that its seal names.
    package var row: String?
    /// The client, if the seal is bound to one.
    package var client: String?
    package var sealed: [UInt8]

    package init(key: [String], row: String? = nil, client: String? = nil, sealed: [UInt8]) {
        self.key = key
        self.row = row
        self.client = client
        self.sealed = sealed
    }
}

/// The new seal of a value, which takes the place of the old one if that has not changed since it was read.
package struct ResealedValue: Hashable, Sendable {
    package var value: SealedValue
    package var sealed: [UInt8]

    package init(_ value: SealedValue, sealed: [UInt8]) {
        self.value = value
        self.sealed = sealed
    }
}
