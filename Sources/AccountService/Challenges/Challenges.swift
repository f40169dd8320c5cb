import AppleID
import Crypto
import Foundation

/// Makes challenges, and verifies them without having stored them.
///
/// A challenge describes itself: `c1.` and base64url of purpose (one byte), expiry (eight bytes, seconds since 1970),
/// 16 random bytes, the session it belongs to (30 bytes, or none), and an HMAC-SHA-256 over all of it. The transaction that
/// uses a challenge notes that it is used.
public struct Challenges: Sendable {
    /// How long a challenge is good for.
    package static let lifetime: Duration = .minutes(10)
    static let prefix = "c1."

    private static let authenticationCodeLength = 32
    private static let fixedLength = 1 + 8 + 16

    private let keyRing: KeyRingInUse
    private var keys: [SymmetricKey] { keyRing.derivedKeys(for: "challenges").map(\.key) }
    private let environment: AppleIDEnvironment

    init(keyRing: KeyRingInUse, environment: AppleIDEnvironment) {
        self.keyRing = keyRing
        self.environment = environment
    }

    /// A new challenge, for `POST /v1/challenges`.
    /// - Parameter session: the asking session; every purpose but sign-in needs one and is bound to it.
    /// - Throws: ``AccountError/Code/challengeInvalid`` for an unknown purpose, ``AccountError/Code/sessionEnded`` when
    ///   a session is needed and missing.
    public func make(for purpose: Challenge.Purpose, session: SessionID?) throws(AccountError) -> Challenge {
        guard let number = purpose.number else {
            throw AccountError(.challengeInvalid, "there are no challenges for this purpose")
        }
        guard purpose == .signIn || session != nil else {
            throw AccountError(.sessionEnded, "a challenge for this purpose needs a session")
        }
        let expiresAt = Timestamp(
            secondsSince1970: (Timestamp(environment.now()) + Self.lifetime).secondsSince1970)
        var payload = [number]
        payload += (0..<8).map { UInt8(truncatingIfNeeded: expiresAt.secondsSince1970 >> (56 - 8 * Int64($0))) }
        payload += environment.randomBytes(16)
        if purpose != .signIn, let session {
            payload += session.rawValue.utf8
        }
        let code = HMAC<SHA256>.authenticationCode(for: Self.authenticated(payload), using: keys[0])
        return Challenge(nonce: Self.prefix + Base64URL.text(payload + code), expiresAt: expiresAt)
    }

    /// Whether a nonce claims to be a challenge of ours. It is then never taken for a client's own nonce.
    static func isChallenge(_ nonce: String) -> Bool {
        nonce.hasPrefix(prefix)
    }

    /// Verifies a challenge.
    /// - Returns: The note that uses the challenge up, for the transaction.
    /// - Throws: ``AccountError/Code/challengeInvalid``.
    func verify(
        _ nonce: String, for purpose: Challenge.Purpose, session: SessionID?
    ) throws(AccountError) -> UsedCredential {
        guard
            let bytes = Base64URL.decode(nonce.dropFirst(Self.prefix.count)),
            bytes.count >= Self.fixedLength + Self.authenticationCodeLength
        else {
            throw AccountError(.challengeInvalid, "the nonce looks like a challenge of ours but has another form")
        }
        let payload = Array(bytes.dropLast(Self.authenticationCodeLength))
        let code = bytes.suffix(Self.authenticationCodeLength)
        let isOurs = keys.contains { key in
            HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Self.authenticated(payload), using: key)
        }
        guard isOurs else {
            throw AccountError(.challengeInvalid, "the challenge was not made by this server")
        }
        guard payload[0] == purpose.number else {
            throw AccountError(.challengeInvalid, "the challenge was made for another purpose")
        }
        guard purpose == .signIn || payload.dropFirst(Self.fixedLength).elementsEqual(session?.rawValue.utf8 ?? "".utf8)
        else {
            throw AccountError(.challengeInvalid, "the challenge was made for another session")
        }
        let expiry = payload[1...8].reduce(Int64(0)) { $0 << 8 | Int64($1) }
        let expiresAt = Timestamp(secondsSince1970: expiry)
        guard Timestamp(environment.now()) < expiresAt else {
            throw AccountError(.challengeInvalid, "the challenge has expired")
        }
        return UsedCredential(kind: .challenge, hash: TokenHash(of: nonce), expiresAt: expiresAt + .minutes(1))
    }

    private static func authenticated(_ payload: [UInt8]) -> [UInt8] {
        Array(prefix.utf8) + payload
    }
}

/// A nonce that this server made and will accept once, for one purpose.
public struct Challenge: Hashable, Sendable {
    /// The use that a challenge is made for.
    public struct Purpose: RawRepresentable, Hashable, Sendable {
        /// The word that is stored and sent.
        public let rawValue: String

        /// Keeps any word, also one that this version doesn't know.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// For a sign-in.
        public static let signIn = Self(rawValue: "sign_in")
        /// For a fresh proof of who uses a session.
        public static let reauthenticate = Self(rawValue: "reauthenticate")
        /// For the deletion of an account.
        public static let delete = Self(rawValue: "delete")

        /// For a link: another identity that opens an account, beside those that open it already.
        public static let link = Self(rawValue: "link")
        /// For the upgrade of an account from an e-mail address to Sign in with Apple.
        public static let upgrade = Self(rawValue: "upgrade")

        /// All purposes that a client can ask for.
        package static let all: [Purpose] = [.signIn, .link, .reauthenticate, .delete, .upgrade]

        /// The number that a challenge carries for its purpose; nil for a purpose that no client can ask for.
        ///
        /// A number is never given to another purpose.
        var number: UInt8? {
            switch self {
            case .signIn: 0
            case .link: 1
            case .reauthenticate: 2
            case .delete: 3
            case .upgrade: 4
            default: nil
            }
        }
    }

    /// To be given to Apple as it is, or as its lowercase hexadecimal SHA-256.
    public var nonce: String
    /// When the nonce is no longer accepted.
    public var expiresAt: Timestamp
}
