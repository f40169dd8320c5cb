import AccountTokens
import AppleID
import Foundation
import Logging
import Testing

/// The code of Docs/access-tokens.md, between the markers, each piece in a function that gives it what it needs.
enum GuideCode {
    static func setUp(transport: any AppleTransport, logger: Logger) throws -> AccessTokenVerifier {
        // guide
        let verifier = try AccessTokenVerifier(
            issuer: "https://accounts.example.com", audience: "https://api.example.com",
            transport: transport, logger: logger)
        // end
        return verifier
    }

    static func answer(_ text: String, verifier: AccessTokenVerifier) async -> String {
        // guide
        do {
            let token = try await verifier.verify(text)
            return "hello \(token.accountID)"
        } catch {
            switch error.kind {
            case .token: return "401, with WWW-Authenticate: Bearer error=\"invalid_token\""
            case .transient, .configuration: return "503"
            }
        }
        // end
    }

    static func pay(_ text: String, verifier: AccessTokenVerifier) async throws -> VerifiedAccessToken {
        // guide
        let token = try await verifier.verify(text, authenticatedWithin: .seconds(300))
        // end
        return token
    }
}

@Suite("The guide to access tokens")
struct GuideTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")

    @Test("has no Swift that is not compiled and run here")
    func code() throws {
        let guide = try String(contentsOf: Self.root.appending(path: "Docs/access-tokens.md"), encoding: .utf8)
        let source = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let compiled = source.components(separatedBy: "        // guide\n").dropFirst().map { piece in
            piece.components(separatedBy: "        // end\n")[0].split(
                separator: "\n", omittingEmptySubsequences: false
            )
            .map { $0.hasPrefix("        ") ? String($0.dropFirst(8)) : String($0) }.joined(separator: "\n")
        }
        let written = guide.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        #expect(written == Array(compiled.prefix(3)))
    }

    @Test("names every code that a token is refused with")
    func codes() throws {
        let guide = try String(contentsOf: Self.root.appending(path: "Docs/access-tokens.md"), encoding: .utf8)
        let attacks = Attack.forms + Attack.headers + Attack.signatures + Attack.claims
        for code in Set(attacks.map(\.code)) + [.authenticationTooOld, .keysUnavailable] {
            #expect(guide.contains("`\(code)`"))
        }
    }

    @Test("answers 401 to a bad token, and 503 while the keys cannot be had")
    func answers() async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let house = try TestHouse()
        let now = Int64(Date().timeIntervalSince1970)
        let token = try house.issuer.token(
            claims: ["iat": "\(now)", "exp": "\(now + 600)", "auth_time": "\(now)"])
        house.answer(503, [])
        let unlucky = try GuideCode.setUp(transport: house, logger: logger)
        #expect(await GuideCode.answer(token, verifier: unlucky) == "503")
        house.answer(200, try TestIssuer.keySet([house.issuer.publicKey]))
        let verifier = try GuideCode.setUp(transport: house, logger: logger)
        #expect(await GuideCode.answer(token, verifier: verifier) == "hello acc_1")
        #expect(await GuideCode.answer("token", verifier: verifier).hasPrefix("401"))
        #expect(try await GuideCode.pay(token, verifier: verifier).accountID == "acc_1")
    }
}
