import AppleID
import AppleIDTypes
import Crypto
import Foundation
import TaskSignals

/// A client's 16 random bytes for one refresh, which the client stores before it sends them. If it repeats the refresh with
/// them, it gets the same successor again, however late, until a token that was issued with the successor has been used here.
package struct RefreshAttempt: Hashable, Sendable, Redacted {
    private static let length = 16

    private let bytes: [UInt8]

    /// Takes an attempt that a client sent.
    /// - Parameter text: base64url of 16 bytes, without padding; nil for anything else.
    package init?(received text: String) {
        guard let bytes = Base64URL.decode(text), bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// The hash that a store keeps. It is bound to the token, because a server of the previous version leaves it in the row
    /// when it exchanges the next one.
    func hash(presenting token: SessionSecret) -> TokenHash {
        TokenHash(of: Array("refresh attempt ".utf8) + token.hash.bytes + bytes)
    }
}

/// The keys behind refresh tokens. All come from one secret in the store, so every server on the store has the same
/// ones, and a change of the key ring doesn't change them.
struct RefreshTokenKeys: Sendable {
    /// Derives the successor of a token in the former form. Servers of the versions before have this key alone.
    let former: SymmetricKey
    /// Derives the random part of a signed token's successor.
    let successor: SymmetricKey
    /// Authenticates signed tokens.
    let authentication: SymmetricKey

    init(secret: [UInt8]) {
        let secret = SymmetricKey(data: secret)
        func derived(for purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: secret, info: Data("siwa 1 \(purpose)".utf8), outputByteCount: 32)
        }
        former = secret
        successor = derived(for: "refresh token successor")
        authentication = derived(for: "refresh token authentication")
    }
}

/// A signed refresh token: the 32 bytes of a ``SessionSecret`` are a mark (three bytes), the generation (five bytes,
/// big-endian), 16 secret bytes, and the first eight bytes of an HMAC-SHA-256 over the session id and all of these.
///
/// The HMAC lets a server refuse an invented token without reading the database, and know a token of the session's past
/// without having kept it. Neither time nor randomness goes into a successor, so a client whose answer was lost gets
/// the same token again although the server keeps only hashes.
///
/// A server of the previous version takes these 32 bytes for a secret of its own, and exchanges the token for one of the
/// former form: 32 bytes that only the row in the database can tell from a guess. One in 16 million of those begins
/// with the mark by chance and is refused.
extension SessionSecret {
    /// The kind of a presented refresh token, before the database is read.
    enum Origin: Hashable {
        /// A server of this store has made it.
        case signed(generation: Int64)
        /// The token has the mark, and no server of this store has made it.
        case forged
        /// The token has no mark: it is of the former form, or invented.
        case former
    }

    /// `siw2` in base64url: every signed token has it after the dot.
    private static let mark: [UInt8] = [0xB2, 0x2C, 0x36]
    private static let generationEnd = 8
    private static let secretEnd = 24
    /// The greatest generation that fits in five bytes.
    static let lastGeneration: Int64 = 1 << 40 - 1

    /// The refresh token of a new session.
    /// - Parameter randomness: 16 bytes from a cryptographic source.
    init(refreshTokenOf session: SessionID, randomness: [UInt8], keys: RefreshTokenKeys) {
        self.init(session: session, generation: 0, secret: randomness, keys: keys)
    }

    private init(session: SessionID, generation: Int64, secret: [UInt8], keys: RefreshTokenKeys) {
        precondition(secret.count == Self.secretEnd - Self.generationEnd)
        precondition((0...Self.lastGeneration).contains(generation))
        var bytes = Self.mark
        bytes += (0..<5).map { UInt8(truncatingIfNeeded: generation >> (32 - 8 * Int64($0))) }
        bytes += secret
        self.init(session: session, secret: bytes + Self.code(of: bytes, session: session, keys: keys))
    }

    private static func code(of bytes: [UInt8], session: SessionID, keys: RefreshTokenKeys) -> [UInt8] {
        // An id of a session always has the same length.
        let code = HMAC<SHA256>.authenticationCode(
            for: Array(session.rawValue.utf8) + bytes, using: keys.authentication)
        return Array(code.prefix(length - secretEnd))
    }

    func origin(checkedWith keys: RefreshTokenKeys) -> Origin {
        guard bytes.starts(with: Self.mark) else { return .former }
        let expected = Self.code(of: Array(bytes.prefix(Self.secretEnd)), session: session, keys: keys)
        guard expected.isEqualInConstantTime(to: Array(bytes.dropFirst(Self.secretEnd))) else { return .forged }
        let generation = bytes[Self.mark.count..<Self.generationEnd].reduce(0) { $0 << 8 | Int64($1) }
        return .signed(generation: generation)
    }

    /// The signed token that this one, of either form, is exchanged for.
    /// - Parameter generation: that of the successor.
    func successor(generation: Int64, derivedWith keys: RefreshTokenKeys) -> SessionSecret {
        let code = HMAC<SHA256>.authenticationCode(for: Array(session.rawValue.utf8) + bytes, using: keys.successor)
        return SessionSecret(
            session: session, generation: generation,
            secret: Array(code.prefix(Self.secretEnd - Self.generationEnd)), keys: keys)
    }

    /// The token for which a server of the previous version exchanges this one.
    func formerSuccessor(derivedWith keys: RefreshTokenKeys) -> SessionSecret {
        var code = HMAC<SHA256>(key: keys.former)
        code.update(data: Array(session.rawValue.utf8))
        code.update(data: bytes)
        return SessionSecret(session: session, secret: Array(code.finalize()))
    }

    /// Whether the token with this hash descends from this one, by at most so many exchanges in the former form.
    func isAncestor(of hash: TokenHash, within generations: Int64, derivedWith keys: RefreshTokenKeys) -> Bool {
        var descendant = self
        for _ in 0..<max(0, generations) {
            descendant = descendant.formerSuccessor(derivedWith: keys)
            if descendant.hash == hash { return true }
        }
        return false
    }
}

/// Limits the searches that ``SessionSecret/isAncestor(of:within:derivedWith:)`` makes. Anybody who knows a session's id can
/// cause one with a guessed token.
final class AncestorSearches: Sendable {
    /// How many searches begin in one second, in this process.
    static let perSecond = 10
    /// How many exchanges back one search goes: some milliseconds.
    static let maximumSteps: Int64 = 1_000

    private let latest = Lock((second: Int64.min, count: 0))

    /// - Returns: false when this second has had its searches.
    func begin(at moment: Timestamp) -> Bool {
        latest.withLock { latest in
            if latest.second != moment.secondsSince1970 { latest = (moment.secondsSince1970, 0) }
            guard latest.count < Self.perSecond else { return false }
            latest.count += 1
            return true
        }
    }
}

/// The secret that a client presents for a session: the session's id and 32 secret bytes, as `ses_….` and base64url.
///
/// A browser's cookie keeps its secret, which is random. A refresh token is exchanged for its successor, and its 32
/// bytes have a form of their own (``init(refreshTokenOf:randomness:keys:)``).
struct SessionSecret: Sendable, Redacted {
    static let length = 32

    let session: SessionID
    /// ``length`` bytes.
    let bytes: [UInt8]

    init(session: SessionID, secret: [UInt8]) {
        precondition(secret.count == Self.length)
        self.session = session
        self.bytes = secret
    }

    /// Nil unless the text has exactly this form.
    init?(received text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count == 43, let session = SessionID(received: parts[0]) else {
            return nil
        }
        guard let secret = Base64URL.decode(parts[1]), secret.count == Self.length else { return nil }
        self.init(session: session, secret: secret)
    }

    var text: String { session.rawValue + "." + Base64URL.text(bytes) }

    var hash: TokenHash { TokenHash(of: bytes) }
}
