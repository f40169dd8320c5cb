import Crypto
import Foundation
import TaskSignals

/// The server's secret keys from configuration: the first seals, all open.
///
/// To change keys, put a new one first and keep the old until everything is sealed anew. A key derived from one of the
/// ring serves one purpose only, so that nothing sealed for one can be taken for another.
public struct KeyRing: Sendable, CustomStringConvertible {
    struct Key: Sendable {
        let id: String
        let secret: SymmetricKey
    }

    /// Never empty.
    let keys: [Key]

    /// Reads a key ring from the configuration: the first key seals, all open.
    /// - Parameter text: `id:base64` pairs, separated by commas; each 32 random bytes; white space is ignored.
    /// - Throws: ``AccountError/Code/configuration``. The reason never quotes a key.
    public init(parsing text: String) throws(AccountError) {
        var keys: [Key] = []
        for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
            let trimmed = entry.filter { !$0.isWhitespace }
            let parts = trimmed.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, Self.isIdentifier(parts[0]) else {
                throw AccountError(
                    .configuration,
                    "key \(keys.count + 1) of the key ring is not `id:base64` with an id of 1 to 32 letters, digits, - or _"
                )
            }
            guard !parts[1].contains(":") else {
                throw AccountError(.configuration, "a comma is missing in the key ring after key `\(parts[0])`")
            }
            guard let secret = Data(base64Encoded: String(parts[1])), secret.count == 32 else {
                throw AccountError(.configuration, "key `\(parts[0])` of the key ring is not 32 bytes of base64")
            }
            guard !keys.contains(where: { $0.id == parts[0] }) else {
                throw AccountError(.configuration, "key `\(parts[0])` stands in the key ring twice")
            }
            keys.append(Key(id: String(parts[0]), secret: SymmetricKey(data: secret)))
        }
        self.keys = keys
    }

    /// A ring of one new key, as text for ``init(parsing:)``.
    /// - Parameter randomness: 32 bytes from a cryptographic source.
    package static func newText(id: String, randomness: [UInt8]) -> String {
        "\(id):\(Data(randomness).base64EncodedString())"
    }

    /// The keys' names only.
    public var description: String { "KeyRing(\(keys.map(\.id).joined(separator: ", ")))" }

    /// One key for each ring key, for this purpose alone (HKDF-SHA-256, RFC 5869), in the ring's order.
    func derivedKeys(for purpose: String) -> [(id: String, key: SymmetricKey)] {
        keys.map { key in
            let derived = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key.secret, info: Data("siwa 1 \(purpose)".utf8), outputByteCount: 32)
            return (key.id, derived)
        }
    }

    private static func isIdentifier(_ text: some StringProtocol) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }
}

/// The key ring that a server uses now. Whatever seals or opens asks it each time, so that an operator can change the
/// ring while the server runs.
final class KeyRingInUse: Sendable {
    private struct State {
        var ring: KeyRing
        /// The derived keys by purpose, kept because deriving costs more than sealing.
        var derived: [String: [(id: String, key: SymmetricKey)]] = [:]
    }

    private let state: Lock<State>

    init(_ ring: KeyRing) {
        state = Lock(State(ring: ring))
    }

    /// Replaces the ring for everything that is sealed or opened from now on.
    func replace(with ring: KeyRing) {
        state.withLock { $0 = State(ring: ring) }
    }

    /// One key for each ring key, for this purpose alone, in the ring's order.
    func derivedKeys(for purpose: String) -> [(id: String, key: SymmetricKey)] {
        state.withLock { state in
            if let known = state.derived[purpose] { return known }
            let keys = state.ring.derivedKeys(for: purpose)
            state.derived[purpose] = keys
            return keys
        }
    }
}
