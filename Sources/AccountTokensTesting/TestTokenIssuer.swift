public import AccountTokens
import AppleIDTransport
import Crypto
public import Logging
import StrictJWS

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An account service for the unit tests of your other services: it signs access tokens and publishes the key.
///
/// ```swift
/// let issuer = TestTokenIssuer()
/// let verifier = try issuer.verifier()
/// let token = try issuer.token(account: "acc_1")
/// #expect(try await verifier.verify(token).accountID == "acc_1")
/// ```
///
/// Its key is new each time, so a token of one issuer is refused with the keys of another.
public struct TestTokenIssuer: Sendable {
    /// The `iss` of the tokens.
    public let issuer: String
    /// The `aud` of the tokens.
    public let audience: String
    /// The transport that answers a verifier's request for the key set.
    public let transport: TestKeySetTransport

    private let keyID: String
    private let key: P256.Signing.PrivateKey

    /// Makes an issuer with a new key.
    public init(issuer: String = "https://accounts.example.com", audience: String = "https://api.example.com") {
        self.issuer = issuer
        self.audience = audience
        key = P256.Signing.PrivateKey()
        keyID = "test-key"
        let point = Array(key.publicKey.rawRepresentation)
        let (x, y) = (Base64URL.text(Array(point[..<32])), Base64URL.text(Array(point[32...])))
        transport = TestKeySetTransport(
            keySet: """
                {"keys": [{"kty": "EC", "use": "sig", "alg": "ES256", "crv": "P-256", "kid": "\(keyID)", "x": "\(x)", "y": "\(y)"}]}
                """)
    }

    /// Makes a verifier of this issuer's tokens, as your service has one in production.
    /// - Parameter now: the verifier's clock.
    /// - Throws: `AccessTokenError` with the code `invalidConfiguration` if the issuer is no URL.
    public func verifier(
        now: @escaping @Sendable () -> Date = { Date() },
        logger: Logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    ) throws(AccessTokenError) -> AccessTokenVerifier {
        try AccessTokenVerifier(
            issuer: issuer, audience: audience, transport: transport, now: now, logger: logger)
    }

    /// Signs a token, each with an identifier of its own.
    /// - Parameters:
    ///   - account: the account, `sub`.
    ///   - session: the session, `sid`.
    ///   - client: the app in which the person signed in, `client_id`.
    ///   - audience: nil for the issuer's own. Another one makes a token for another service.
    ///   - issuedAt: whole seconds are used.
    ///   - authenticatedAt: the time when the person last proved who they are; nil for `issuedAt`.
    ///   - lifetime: the time until the token expires. The account service's tokens live for ten minutes.
    public func token(
        account: String = "acc_1", session: String = "ses_1", client: String = "com.example.app",
        audience: String? = nil, issuedAt: Date = Date(), authenticatedAt: Date? = nil,
        lifetime: Duration = .seconds(600)
    ) throws -> String {
        let issued = Int64(issuedAt.timeIntervalSince1970.rounded(.down))
        let claims = Claims(
            iss: issuer, aud: audience ?? self.audience, sub: account, sid: session, clientID: client, iat: issued,
            exp: issued + lifetime.components.seconds,
            authTime: authenticatedAt.map { Int64($0.timeIntervalSince1970.rounded(.down)) } ?? issued,
            jti: UUID().uuidString)
        let header = #"{"alg":"ES256","kid":"\#(keyID)","typ":"at+jwt"}"#
        let input = Base64URL.text(Array(header.utf8)) + "." + Base64URL.text(Array(try JSONEncoder().encode(claims)))
        return try input + "." + Base64URL.text(Array(key.signature(for: Data(input.utf8)).rawRepresentation))
    }

    private struct Claims: Encodable {
        enum CodingKeys: String, CodingKey {
            case iss, aud, sub, sid, iat, exp, jti
            case clientID = "client_id"
            case authTime = "auth_time"
        }

        let iss: String
        let aud: String
        let sub: String
        let sid: String
        let clientID: String
        let iat: Int64
        let exp: Int64
        let authTime: Int64
        let jti: String
    }
}
