import AppleID
import AppleIDTypes
import Foundation

/// Claims as JSON texts, by name: so that a test can write any type, and leave any out.
struct TestClaims {
    /// All tokens of these tests are issued then.
    static let issuedAt = 1_700_000_000
    static let audience: ClientID = "com.example.juice"

    var members: [(String, String)] = [
        ("iss", "\"https://appleid.apple.com\""), ("aud", "\"com.example.juice\""), ("exp", "\(issuedAt + 86_400)"),
        ("iat", "\(issuedAt)"), ("sub", "\"001234.abc.5678\""),
    ]

    /// The claims of an identity token, with changes; nil leaves a claim out.
    static func identity(_ changes: [String: String?] = [:]) -> Self {
        var claims = Self()
        claims.change(changes)
        return claims
    }

    /// The claims of a notification, with changes.
    static func notification(_ changes: [String: String?] = [:]) -> Self {
        var claims = Self()
        claims.change([
            "sub": nil, "jti": "\"id-1\"",
            "events": #"{"type":"consent-revoked","sub":"001234.abc.5678","event_time":1700000000}"#,
        ])
        claims.change(changes)
        return claims
    }

    private mutating func change(_ changes: [String: String?]) {
        for (name, value) in changes {
            members.removeAll { $0.0 == name }
            if let value { members.append((name, value)) }
        }
    }

    var json: String {
        "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }
}

/// Verifies with the test key, at the time when the test tokens were issued unless told otherwise.
func verify(
    _ token: String, audiences: Set<ClientID> = [TestClaims.audience], nonce: NonceExpectation? = nil,
    acceptsUnsupportedNonce: Bool = false, code: BindingExpectation? = nil, accessToken: BindingExpectation? = nil,
    at offset: TimeInterval = 0
) async throws -> VerifiedIdentity {
    try await IdentityVerifier(keys: KeyCache(fixed: TestSigner.shared.keySetJSON())).verify(
        token,
        expecting: IdentityExpectation(
            audiences: audiences, nonce: nonce, acceptsUnsupportedNonce: acceptsUnsupportedNonce,
            authorizationCode: code, accessToken: accessToken,
            time: Date(timeIntervalSince1970: Double(TestClaims.issuedAt) + offset)))
}

/// The code with which a verification of these claims fails; nil when it does not.
func failure(
    _ claims: TestClaims, audiences: Set<ClientID> = [TestClaims.audience], nonce: NonceExpectation? = nil,
    acceptsUnsupportedNonce: Bool = false, code: BindingExpectation? = nil, accessToken: BindingExpectation? = nil,
    at offset: TimeInterval = 0
) async throws -> AppleIDError.Code? {
    try await failure(
        of: TestSigner.shared.token(claims), audiences: audiences, nonce: nonce,
        acceptsUnsupportedNonce: acceptsUnsupportedNonce, code: code, accessToken: accessToken, at: offset)
}

/// The code with which a verification of this token fails; nil when it does not.
func failure(
    of token: String, audiences: Set<ClientID> = [TestClaims.audience], nonce: NonceExpectation? = nil,
    acceptsUnsupportedNonce: Bool = false, code: BindingExpectation? = nil, accessToken: BindingExpectation? = nil,
    at offset: TimeInterval = 0
) async throws -> AppleIDError.Code? {
    do {
        _ = try await verify(
            token, audiences: audiences, nonce: nonce, acceptsUnsupportedNonce: acceptsUnsupportedNonce, code: code,
            accessToken: accessToken, at: offset)
        return nil
    } catch let error as AppleIDError {
        return error.code
    }
}
