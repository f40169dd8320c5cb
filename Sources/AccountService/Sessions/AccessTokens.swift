import AppleID
import AppleIDTypes
import Crypto
import StrictJSON
import TaskSignals

/// Mints our access tokens and knows them again (RFC 9068).
///
/// A signature is checked once; afterwards a token is known by its SHA-256, as is one that was minted here. Whether its
/// session still lives is asked of the store at every request, elsewhere.
final class AccessTokens: Sendable {
    struct Known: Sendable {
        let session: SessionID
        /// Nil in a token of the previous version.
        let generation: Int64?
        let expiresAt: Timestamp
    }

    private struct Claims: Decodable, JSONWritable {
        var issuer: String
        var audience: String
        var subject: String
        var sessionID: String
        var clientID: String
        var issuedAt: Int64
        var expiresAt: Int64
        var authenticatedAt: Int64
        var tokenID: String
        /// How often the session's refresh token had been exchanged; absent in tokens of the previous version.
        var generation: Int64?

        enum CodingKeys: String, CodingKey {
            case issuer = "iss"
            case audience = "aud"
            case subject = "sub"
            case sessionID = "sid"
            case clientID = "client_id"
            case issuedAt = "iat"
            case expiresAt = "exp"
            case authenticatedAt = "auth_time"
            case tokenID = "jti"
            case generation = "gen"
        }

        func write(to text: inout JSONText) {
            text.object { text in
                text.member(CodingKeys.issuer.rawValue, issuer)
                text.member(CodingKeys.audience.rawValue, audience)
                text.member(CodingKeys.subject.rawValue, subject)
                text.member(CodingKeys.sessionID.rawValue, sessionID)
                text.member(CodingKeys.clientID.rawValue, clientID)
                text.member(CodingKeys.issuedAt.rawValue, issuedAt)
                text.member(CodingKeys.expiresAt.rawValue, expiresAt)
                text.member(CodingKeys.authenticatedAt.rawValue, authenticatedAt)
                text.member(CodingKeys.tokenID.rawValue, tokenID)
                if let generation { text.member(CodingKeys.generation.rawValue, generation) }
            }
        }
    }

    /// In bytes; ours are under 700.
    private static let maximumLength = 4_096

    private let issuer: String
    private let audience: String
    private let keys: ServerKeys
    private let environment: AppleIDEnvironment
    private let known = Lock(RecentlyWritten<SHA256.Digest, Known>(capacity: 16_384))

    init(issuer: String, audience: String, keys: ServerKeys, environment: AppleIDEnvironment) {
        self.issuer = issuer
        self.audience = audience
        self.keys = keys
        self.environment = environment
    }

    /// Signs an access token, and remembers its hash, so that its signature need not be checked when it comes.
    func mint(for session: Session, generation: Int64?) throws -> String {
        let now = Timestamp(environment.now())
        let expiresAt = Timestamp(secondsSince1970: (now + SessionLimits.accessToken).secondsSince1970)
        let claims = Claims(
            issuer: issuer, audience: audience, subject: session.accountID.rawValue, sessionID: session.id.rawValue,
            clientID: session.clientID.rawValue, issuedAt: now.secondsSince1970, expiresAt: expiresAt.secondsSince1970,
            authenticatedAt: session.authenticatedAt.secondsSince1970,
            tokenID: Base64URL.text(environment.randomBytes(16)), generation: generation)
        let key = keys.activeSigningKey
        let signingInput = key.encodedHeader + "." + Base64URL.text(JSONText.bytes(of: claims))
        let signature = try key.privateKey.signature(for: Array(signingInput.utf8))
        let token = signingInput + "." + Base64URL.text(Array(signature.rawRepresentation))
        remember(
            SHA256.hash(data: Array(token.utf8)),
            Known(session: session.id, generation: generation, expiresAt: expiresAt))
        return token
    }

    /// The claims of an access token that has not expired.
    /// - Throws: ``AccountError/Code/tokenInvalid`` or ``AccountError/Code/accessTokenExpired``.
    func unexpired(_ token: String, beforeChecking: () throws -> Void = {}) async throws -> Known {
        let claimed = try await claims(of: token, beforeChecking: beforeChecking)
        guard Timestamp(environment.now()) < claimed.expiresAt else {
            throw AccountError(.accessTokenExpired, "the access token has expired")
        }
        return claimed
    }

    /// Returns the claims of a token, whether or not it has expired.
    /// - Parameter beforeChecking: called for a token that is not known yet.
    /// - Throws: ``AccountError/Code/tokenInvalid``.
    func claims(of token: String, beforeChecking: () throws -> Void) async throws -> Known {
        guard token.utf8.count <= Self.maximumLength else {
            throw AccountError(.tokenInvalid, "the access token is too long")
        }
        let digest = SHA256.hash(data: Array(token.utf8))
        let claimed: Known
        if let hit = known.withLock({ $0[digest] }) {
            claimed = hit
        } else {
            try beforeChecking()
            claimed = try await verify(token)
            remember(digest, claimed)
        }
        return claimed
    }

    private func remember(_ digest: SHA256.Digest, _ value: Known) {
        known.withLock { $0[digest] = value }
    }

    private func verify(_ token: String) async throws -> Known {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let key = try await keys.signingKey(writing: parts[0]) else {
            throw AccountError(.tokenInvalid, "not an access token of this service")
        }
        guard
            let rawSignature = Base64URL.decode(parts[2]),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: rawSignature),
            key.privateKey.publicKey.isValidSignature(
                signature, for: Array(token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count)))
        else {
            throw AccountError(.tokenInvalid, "the access token's signature is not valid")
        }
        let claims: Claims
        do {
            claims = try StrictJSONDecoder().decode(Claims.self, from: Base64URL.decode(parts[1]) ?? [])
        } catch {
            throw AccountError(.tokenInvalid, "the access token's claims are malformed", cause: error)
        }
        guard claims.issuer == issuer, claims.audience == audience else {
            throw AccountError(.tokenInvalid, "the access token is for another service")
        }
        guard let session = SessionID(received: claims.sessionID) else {
            throw AccountError(.tokenInvalid, "the access token names no session")
        }
        return Known(
            session: session, generation: claims.generation,
            expiresAt: Timestamp(secondsSince1970: claims.expiresAt))
    }
}

/// A dictionary that drops the entries that were written longest ago. It holds at least the last `capacity` entries
/// written, and at most twice as many.
package struct RecentlyWritten<Key: Hashable, Value> {
    private let capacity: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    package init(capacity: Int) {
        self.capacity = capacity
    }

    package subscript(key: Key) -> Value? {
        get { young[key] ?? old[key] }
        set {
            if young.count >= capacity, young[key] == nil {
                old = young
                young = [:]
            }
            young[key] = newValue
        }
    }
}
