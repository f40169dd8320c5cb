public import AppleIDTransport
public import AppleIDTypes
public import Logging
import StrictJWS

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A verifier of a siwa account service's access tokens, for other services (RFC 9068 §4).
///
/// It fetches the account service's key set when it first needs it, again in the background when the set is older than
/// five minutes, and at most once a minute for a key it does not know. While the account service is out of reach, the
/// last set serves for a day. Make one and share it.
///
/// It can't know whether the session still lives. If a person signs out, deletes their account or revokes the app at
/// Apple, their access token verifies until it expires, ten minutes after it was made, and for the leeway of a minute.
/// If that is too long, ask the account service: `GET /v1/account` with the token answers 401 once the session has
/// ended.
public struct AccessTokenVerifier: Sendable {
    /// The maximum size of a token. The account service's tokens have fewer than 700 bytes.
    private static let maximumBytes = 4_096

    private let expectation: AccessTokenExpectation
    private let keys: FetchedKeys<AccessTokenKey>
    private let now: @Sendable () -> Date
    private let counts: AccessTokenCounts

    /// Creates a verifier. It fetches no keys before it needs them.
    /// - Parameters:
    ///   - issuer: the account service's public URL as it stands in its configuration: scheme, host and perhaps a port,
    ///     in lower case; `https` unless the host is loopback. Keys come from `/.well-known/jwks.json` there.
    ///   - audience: the audience that the account service writes (`--token-audience`); by default its public URL.
    ///   - transport: for example an `AsyncHTTPTransport`. It must not follow redirects.
    ///   - now: the clock; another one is for tests.
    ///   - instrumentation: receives counters, timers and spans; their names are in the package's page about these
    ///     tokens.
    /// - Throws: ``AccessTokenError/Code/invalidConfiguration``.
    public init(
        issuer: String, audience: String, transport: any AppleTransport,
        now: @escaping @Sendable () -> Date = { Date() }, instrumentation: AppleIDInstrumentation = .system,
        logger: Logger
    ) throws(AccessTokenError) {
        let origin = issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer
        guard ServerOrigin(origin)?.isAcceptable == true else {
            throw AccessTokenError(
                .invalidConfiguration,
                "an issuer's URL has a scheme, a host and perhaps a port, and is https unless the host is loopback")
        }
        guard !audience.isEmpty else {
            throw AccessTokenError(
                .invalidConfiguration, "without an audience, tokens for any service would be good here")
        }
        expectation = AccessTokenExpectation(issuer: origin, audience: audience)
        self.now = now
        let counts = AccessTokenCounts(instrumentation)
        self.counts = counts
        keys = FetchedKeys(
            of: "account_service", lifetime: KeySetLifetime(freshness: 300, maximumStaleness: 86_400), now: now,
            logger: logger
        ) {
            () async throws(KeySetError) in
            try await counts.fetch { () async throws(KeySetError) in
                try await .fetched(from: origin + "/.well-known/jwks.json", over: transport, now: now)
            }
        }
    }

    /// Applies every check in order and stops at the first that fails.
    /// - Parameters:
    ///   - token: the text after `Bearer ` in the request's `Authorization`.
    ///   - maximumAge: refuses a token if the person last proved longer ago who they are. Use it for actions that an
    ///     open session alone must not do; the client then has the person reauthenticate.
    /// - Throws: the failed check's code, of kind ``AccessTokenError/Kind/token``; or
    ///   ``AccessTokenError/Code/keysUnavailable``, which says nothing about the token.
    public func verify(
        _ token: String, authenticatedWithin maximumAge: Duration? = nil
    ) async throws(AccessTokenError) -> VerifiedAccessToken {
        try await counts.verification { () async throws(AccessTokenError) in
            try await check(token, maximumAge: maximumAge)
        }
    }

    private func check(
        _ token: String, maximumAge: Duration?
    ) async throws(AccessTokenError) -> VerifiedAccessToken {
        guard token.utf8.count <= Self.maximumBytes else {
            throw AccessTokenError(.tokenTooLarge, "the token has more than \(Self.maximumBytes) bytes")
        }
        let bytes = Array(token.utf8)
        let parts: TokenParts
        do throws(StrictJWSError) {
            parts = try TokenParts(bytes)
        } catch {
            throw AccessTokenError(.malformedToken, error.reason)
        }
        let key = try await key(AccessTokenHeader(Array(parts.bytes[parts.header])))
        let input = Array(bytes[..<parts.signingInputLength])
        guard ES256.isValid(Array(parts.signature), over: input, by: key.publicKey) else {
            throw AccessTokenError(.signatureInvalid, "the signature is not that of the named key over this token")
        }
        let claims = try AccessTokenClaims(Array(parts.bytes[parts.payload]))
        try expectation.check(
            claims, now: Int64(now().timeIntervalSince1970.rounded(.down)),
            maximumAge: maximumAge?.components.seconds)
        return VerifiedAccessToken(
            accountID: claims.subject, sessionID: claims.sessionID, clientID: claims.clientID,
            authenticatedAt: Date(timeIntervalSince1970: TimeInterval(claims.authenticatedAt)),
            issuedAt: Date(timeIntervalSince1970: TimeInterval(claims.issuedAt)),
            expiresAt: Date(timeIntervalSince1970: TimeInterval(claims.expiresAt)), tokenID: claims.tokenID)
    }

    private func key(_ header: AccessTokenHeader) async throws(AccessTokenError) -> AccessTokenKey {
        do throws(KeySetError) {
            return try await keys.key(header.keyID)
        } catch {
            let cause = TransportFailure(in: error)
            guard error.code == .unknownKey else {
                throw AccessTokenError(.keysUnavailable, error.reason, cause: cause)
            }
            throw AccessTokenError(.unknownKey, error.reason, cause: cause)
        }
    }
}

/// A verified access token. Only ``AccessTokenVerifier`` makes one. Printing or mirroring it shows nothing of it.
///
/// Its statements were true when the token was made. A session that has ended since is not noticed before
/// ``expiresAt``.
public struct VerifiedAccessToken: Hashable, Sendable, Redacted {
    /// The account (`sub`, `acc_…`): the key for whatever your service keeps about it.
    public let accountID: String
    /// The session (`sid`, `ses_…`).
    public let sessionID: String
    /// The client that the person signed in with (`client_id`): an app's bundle identifier or a Services ID.
    public let clientID: String
    /// The time when the person last proved who they are (`auth_time`).
    public let authenticatedAt: Date
    /// The time when the account service made the token (`iat`).
    public let issuedAt: Date
    /// The time when the token expires, ten minutes later (`exp`). It verifies for less than a minute more.
    public let expiresAt: Date
    /// The token's identifier, different for every token (`jti`).
    public let tokenID: String
}
