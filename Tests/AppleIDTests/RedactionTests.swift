import AppleIDTransport
import AppleIDTypes
import Crypto
import Foundation
import HTTPTypes
import Testing

@testable import AccountTokens
@testable import AppleID

/// The libraries for servers have public types that hold tokens, codes, keys, nonces, or something about a person. None
/// shows it when it is printed, interpolated or dumped, alone or inside another value.
@Suite("Redaction")
struct RedactionTests {
    /// A text that stands in the place of each secret.
    static let secret = "private"

    /// A value of each type that holds something secret, in every case that it has.
    private static func values() async throws -> [Any] {
        let (access, refresh) = (AccessToken(secret), RefreshToken(secret))
        var claims = IdentityTokenClaims(
            issuer: secret, subject: Subject(secret), audience: "com.example.juice", issuedAt: 1, expiresAt: 2)
        claims.email = secret
        let event = NotificationEvent(
            type: .emailDisabled, subject: Subject(secret), time: 1, email: secret, isPrivateEmail: true)
        let identity = try await verify(
            TestSigner.shared.token(
                .identity(["sub": "\"\(secret)\"", "email": "\"\(secret)\"", "nonce": "\"\(secret)\""])),
            nonce: .issued(secret))
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let key = try AppleClientKey(id: "K", team: "TEAM000001", pem: pem)
        return [
            access, refresh, claims, event, identity, key,
            AccountChange.emailDisabled(address: secret), AccountChange.emailEnabled(address: secret),
            ClientRegistration(id: "com.example.juice", kind: .app, key: key),
            AppleRefusal(status: 400, word: .invalidGrant, detail: secret),
            AppleRequest(
                method: .post, url: "https://\(secret)/", headerFields: [.authorization: secret],
                body: Array(secret.utf8)),
            AppleResponse(status: 200, headerFields: [.setCookie: secret], body: Array(secret.utf8)),
            AuthorizationCode(secret),
            AuthorizationRequest(
                client: "com.example.juice.web", redirectURI: "https://example.com/", scopes: [], state: secret,
                nonce: secret, codeChallenge: secret),
            try AuthorizationResponse(form: [("code", secret), ("id_token", secret), ("state", secret)]),
            AuthorizedUser(firstName: secret, lastName: secret, email: secret),
            CodeVerifier(secret),
            ExchangeNonce.issued(secret), ExchangeNonce.hashed(ofRaw: secret), ExchangeNonce.proven(by: identity),
            BindingExpectation.ifPresent(secret), BindingExpectation.required(secret),
            IdentityExpectation(
                audiences: ["com.example.juice"], nonce: .issued(secret), authorizationCode: .required(secret),
                accessToken: .required(secret)),
            MigrationToken(client: "com.example.juice", accessToken: access, expiresAt: .distantFuture),
            NonceExpectation.issued(secret), NonceExpectation.hashed(ofRaw: secret),
            TokenGrant(identity: identity, accessToken: access, refreshToken: refresh, expiresIn: .seconds(1)),
            TokenRefresh(identity: identity, accessToken: access, refreshToken: refresh, expiresIn: .seconds(1)),
            TransferredPerson(subject: Subject(secret), email: secret, isPrivateEmail: true),
            UnverifiedGrant(
                client: "com.example.juice", identityToken: secret, accessToken: access, refreshToken: refresh,
                cause: nil),
            VerifiedAccessToken(
                accountID: secret, sessionID: secret, clientID: secret, authenticatedAt: .distantPast,
                issuedAt: .distantPast, expiresAt: .distantPast, tokenID: secret),
            VerifiedNotification(
                id: secret, audience: "com.example.juice", issuedAt: 1, expiresAt: nil, event: event),
        ]
    }

    /// The types that hold nothing secret, or are for people to read.
    static let openTypes: Set<String> = [
        // Words, numbers and settings.
        "AcceptedIssuers", "AppleErrorCode", "AppleServer", "ClientID", "EventType", "GrantType", "KeyID",
        "NonceResult",
        "RealUserStatus", "ResponseMode", "ResponseType", "RetryPolicy", "Scope", "Subject", "TeamID",
        "NotificationExpectation", "Kind", "Outcome", "Code", "Cause", "Full",
        // A digest or an identifier, of no use to a thief.
        "ReplayIdentifier",
        // A record without the token.
        "AcceptedRevocation",
        // Apple's words when it refuses.
        "ErrorResponse",
        // Errors, whose descriptions hold nothing secret; tests of each error say so.
        "AccessTokenError", "AppleIDError", "TransportFailure",
        // The results of an examination, which people asked for.
        "CheckResult", "NotificationReport", "VerificationReport",
        // Machinery, made of the above and of closures.
        "AccessTokenVerifier", "AppleIDClient", "AppleIDEnvironment", "AppleIDInstrumentation", "AsyncHTTPTransport",
        "IdentityVerifier", "InMemoryReplayMemory", "KeyCache", "KeySetArchive", "NotificationVerifier",
    ]

    @Test("No public value shows a secret that it holds, alone or inside another")
    func shown() async throws {
        for value in try await Self.values() {
            for shown in [value, [value], ["key": value], Optional(value) as Any] {
                var dumped = ""
                dump(shown, to: &dumped)
                for text in ["\(shown)", String(reflecting: shown), dumped] {
                    #expect(!text.contains(Self.secret), "\(type(of: value)): \(text)")
                    #expect(!text.contains("PRIVATE KEY"), "\(type(of: value)): \(text)")
                }
            }
        }
    }

    @Test("Every public type is redacted here, or known to hold nothing secret")
    func complete() async throws {
        let redacted = Set(try await Self.values().map { "\(type(of: $0))" })
        let root = URL(filePath: #filePath).appending(path: "../../../Sources").standardized
        let declaration = /^ *public (?:final class|struct|enum) (\w+)/.anchorsMatchLineEndings()
        var found: Set<String> = []
        for target in ["AccountTokens", "AppleID", "AppleIDTransport", "AppleIDTypes", "AsyncHTTPTransport"] {
            let files = try #require(FileManager.default.enumerator(atPath: root.appending(path: target).path))
            for case let file as String in files where file.hasSuffix(".swift") {
                let text = try String(contentsOf: root.appending(path: target + "/" + file), encoding: .utf8)
                found.formUnion(text.matches(of: declaration).map { String($0.1) })
            }
        }
        #expect(found.subtracting(redacted) == Self.openTypes)
        #expect(redacted.isSubset(of: found))
        #expect(redacted.isDisjoint(with: Self.openTypes))
    }
}
