import AccountTokens
import AppleIDTransport
import Foundation
import Logging
import Testing

/// The code of Docs/access-tokens.md, between the markers. Each piece stands in a closure, as it will in a server's routes.
enum GuideCode {
    static func setUp(transport: any AppleTransport, logger: Logger) throws -> AccessTokenVerifier {
        try { () throws -> AccessTokenVerifier in
            // guide
            let verifier = try AccessTokenVerifier(
                issuer: "https://accounts.example.com", audience: "https://api.example.com",
                transport: transport, logger: logger)
            // end
            return verifier
        }()
    }

    static func answer(_ text: String, verifier: AccessTokenVerifier) async -> String {
        await { () async -> String in
            // guide
            do throws(AccessTokenError) {
                let token = try await verifier.verify(text)
                return "hello \(token.accountID)"
            } catch {
                switch error.kind {
                case .token: return "401, with WWW-Authenticate: Bearer error=\"invalid_token\""
                default: return "503"
                }
            }
            // end
        }()
    }

    static func pay(_ text: String, verifier: AccessTokenVerifier) async throws -> VerifiedAccessToken {
        try await { () async throws -> VerifiedAccessToken in
            // guide
            let token = try await verifier.verify(text, authenticatedWithin: .seconds(300))
            // end
            return token
        }()
    }
}

@Suite("The guide to access tokens")
struct GuideTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

    @Test("names every error code that a token is refused with")
    func codes() throws {
        let guide = try String(contentsOf: Self.root.appending(path: "Docs/access-tokens.md"), encoding: .utf8)
        let attacks = Attack.forms + Attack.headers + Attack.signatures + Attack.claims
        for code in Set(attacks.map(\.code)) + [.authenticationTooOld, .keysUnavailable] {
            #expect(guide.contains("`\(code)`"))
        }
    }

    @Test("answers 401 to an invalid token, and 503 while the keys are unavailable")
    func answers() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let environment = try TestEnvironment()
        let now = Int64(Date().timeIntervalSince1970)
        let token = try environment.issuer.token(
            claims: ["iat": "\(now)", "exp": "\(now + 600)", "auth_time": "\(now)"])
        environment.answer(503, [])
        let unlucky = try GuideCode.setUp(transport: environment, logger: logger)
        #expect(await GuideCode.answer(token, verifier: unlucky) == "503")
        environment.answer(200, try TestIssuer.keySet([environment.issuer.publicKey]))
        let verifier = try GuideCode.setUp(transport: environment, logger: logger)
        #expect(await GuideCode.answer(token, verifier: verifier) == "hello acc_1")
        #expect(await GuideCode.answer("token", verifier: verifier).hasPrefix("401"))
        #expect(try await GuideCode.pay(token, verifier: verifier).accountID == "acc_1")
    }
}
