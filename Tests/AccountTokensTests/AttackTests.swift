import AccountTokens
import AppleIDTransport
import Crypto
import CryptoExtras
import Foundation
import Testing

/// A token that must be refused: a name for the output, what makes it, and the code.
struct Attack: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: AccessTokenError.Code
    let token: @Sendable (TestIssuer) throws -> String

    init(_ name: String, _ code: AccessTokenError.Code, _ token: @escaping @Sendable (TestIssuer) throws -> String) {
        testDescription = name
        self.code = code
        self.token = token
    }

    /// A good token with another header, signed as it stands.
    static func header(_ name: String, _ changes: [String: String?], _ code: AccessTokenError.Code) -> Attack {
        Attack(name, code) { try $0.token(header: changes) }
    }

    /// A good token with other claims, signed as it stands.
    static func claims(_ name: String, _ changes: [String: String?], _ code: AccessTokenError.Code) -> Attack {
        Attack(name, code) { try $0.token(claims: changes) }
    }

    private static let second: @Sendable (String, Int) -> String = { token, part in
        String(token.split(separator: ".", omittingEmptySubsequences: false)[part])
    }

    static let forms: [Attack] = [
        Attack("nothing", .malformedToken) { _ in "" },
        Attack("two parts", .malformedToken) { try String($0.token().prefix { $0 != "." }) + ".e30" },
        Attack("four parts", .malformedToken) { try $0.token() + ".e30" },
        Attack("padding", .malformedToken) { try $0.token() + "==" },
        Attack("white space", .malformedToken) { try $0.token() + " " },
        Attack("another spelling of the signature's last bits", .malformedToken) { issuer in
            // 64 bytes end with a character of which four bits mean nothing and are zeros: A, Q, g or w.
            let token = try issuer.token()
            let other = try #require(["A": "B", "Q": "R", "g": "h", "w": "x"][String(token.suffix(1))])
            return token.dropLast() + other
        },
        Attack("4097 bytes", .tokenTooLarge) { _ in String(repeating: "a", count: 4_097) },
        Attack("a header that is no JSON", .malformedToken) { try $0.sign("{", TestIssuer.object($0.claims)) },
        Attack("a header that is a list", .malformedToken) { try $0.sign("[]", TestIssuer.object($0.claims)) },
        Attack("a payload that is a list", .malformedToken) { try $0.sign(TestIssuer.object($0.header), "[]") },
        Attack("alg twice", .malformedToken) { issuer in
            try issuer.sign(
                TestIssuer.object([("alg", #""none""#)] + issuer.header), TestIssuer.object(issuer.claims))
        },
        Attack("sub twice", .malformedToken) { issuer in
            try issuer.sign(
                TestIssuer.object(issuer.header), TestIssuer.object(issuer.claims + [("sub", #""acc_2""#)]))
        },
        Attack("sub twice, once escaped", .malformedToken) { issuer in
            try issuer.sign(
                TestIssuer.object(issuer.header), TestIssuer.object(issuer.claims + [(#"\u0073ub"#, #""acc_2""#)]))
        },
    ]

    static let headers: [Attack] = [
        header("alg none", ["alg": #""none""#], .unsupportedAlgorithm),
        Attack("alg none and no signature", .unsupportedAlgorithm) { issuer in
            let token = try issuer.token(header: ["alg": #""none""#])
            return second(token, 0) + "." + second(token, 1) + "."
        },
        header("alg nOnE", ["alg": #""nOnE""#], .unsupportedAlgorithm),
        header("alg es256", ["alg": #""es256""#], .unsupportedAlgorithm),
        header("alg ES384", ["alg": #""ES384""#], .unsupportedAlgorithm),
        header("alg as a list", ["alg": #"["ES256"]"#], .unsupportedAlgorithm),
        header("no alg", ["alg": nil], .unsupportedAlgorithm),
        Attack("HS256 with the public key for secret", .unsupportedAlgorithm) { issuer in
            let header = TestIssuer.changed(issuer.header, ["alg": #""HS256""#])
            let input =
                TestIssuer.text(TestIssuer.object(header).utf8) + "."
                + TestIssuer.text(TestIssuer.object(issuer.claims).utf8)
            let secret = SymmetricKey(data: Data(issuer.key.publicKey.pemRepresentation.utf8))
            return input + "." + TestIssuer.text(HMAC<SHA256>.authenticationCode(for: Data(input.utf8), using: secret))
        },
        Attack("an identity token of Apple's", .unsupportedAlgorithm) { issuer in
            let input =
                TestIssuer.text(#"{"kid":"key_1","alg":"RS256"}"#.utf8) + "."
                + TestIssuer.text(
                    TestIssuer.object(
                        TestIssuer.changed(issuer.claims, ["iss": #""https://appleid.apple.com""#])
                    ).utf8)
            let signature = try _RSA.Signing.PrivateKey(keySize: .bits2048)
                .signature(for: Data(input.utf8), padding: .insecurePKCS1v1_5)
            return input + "." + TestIssuer.text(signature.rawRepresentation)
        },
        header("no typ", ["typ": nil], .notAnAccessToken),
        header("typ JWT", ["typ": #""JWT""#], .notAnAccessToken),
        header("typ of a logout token", ["typ": #""logout+jwt""#], .notAnAccessToken),
        header("crit", ["crit": #"["exp"]"#], .malformedToken),
        header("empty crit", ["crit": "[]"], .malformedToken),
        header("b64", ["b64": "false"], .malformedToken),
        header("no kid", ["kid": nil], .malformedToken),
        header("an empty kid", ["kid": #""""#], .malformedToken),
        header("a kid that is a path", ["kid": #""../../dev/null""#], .unknownKey),
        header("a kid that is SQL", ["kid": #""' OR 1=1 --""#], .unknownKey),
    ]

    static let signatures: [Attack] = [
        Attack("another's key under the known name", .signatureInvalid) { issuer in
            try TestIssuer(keyID: issuer.keyID).token()
        },
        Attack("a key that comes along", .signatureInvalid) { issuer in
            let thief = TestIssuer(keyID: issuer.keyID)
            let members = thief.publicKey.map { "\"\($0.key)\":\"\($0.value)\"" }.joined(separator: ",")
            return try thief.token(header: ["jwk": "{\(members)}", "jku": #""https://evil.example/keys""#])
        },
        Attack("another's claims", .signatureInvalid) { issuer in
            let (mine, other) = (try issuer.token(), try issuer.token(claims: ["sub": #""acc_2""#]))
            return [second(mine, 0), second(other, 1), second(mine, 2)].joined(separator: ".")
        },
        Attack("zeros (CVE-2022-21449)", .signatureInvalid) { issuer in
            let token = try issuer.token()
            return second(token, 0) + "." + second(token, 1) + "." + TestIssuer.text([UInt8](repeating: 0, count: 64))
        },
        Attack("nothing for a signature", .signatureInvalid) { issuer in
            let token = try issuer.token()
            return second(token, 0) + "." + second(token, 1) + "."
        },
        Attack("the signature in DER", .signatureInvalid) { issuer in
            let token = try issuer.token()
            let input = second(token, 0) + "." + second(token, 1)
            return try input + "." + TestIssuer.text(issuer.key.signature(for: Data(input.utf8)).derRepresentation)
        },
    ]

    static let claims: [Attack] =
        ["iss", "aud", "sub", "sid", "client_id", "iat", "exp", "auth_time", "jti"].map { name in
            claims("no \(name)", [name: nil], .malformedClaim)
        } + [
            claims("an empty sub", ["sub": #""""#], .malformedClaim),
            claims("sub as a number", ["sub": "1"], .malformedClaim),
            claims("exp as text", ["exp": #""1800000600""#], .malformedClaim),
            claims("exp as null", ["exp": "null"], .malformedClaim),
            claims("exp beyond all calendars", ["exp": "1e300"], .malformedClaim),
            claims("exp before 1970", ["exp": "-1"], .malformedClaim),
            claims("aud in a list", ["aud": #"["https://api.example.com"]"#], .malformedClaim),
            claims("Apple as issuer", ["iss": #""https://appleid.apple.com""#], .issuerMismatch),
            claims("an issuer with a slash", ["iss": #""https://accounts.example.com/""#], .issuerMismatch),
            claims(
                "an issuer that begins alike", ["iss": #""https://accounts.example.com.evil.org""#], .issuerMismatch),
            claims("another service's audience", ["aud": #""https://files.example.com""#], .audienceMismatch),
            claims("the audience in capitals", ["aud": #""HTTPS://API.EXAMPLE.COM""#], .audienceMismatch),
            claims("expired a minute ago", ["exp": "1799999940"], .tokenExpired),
            claims("made in 61 seconds", ["iat": "1800000061"], .issuedInFuture),
            claims("authenticated in 61 seconds", ["auth_time": "1800000061"], .issuedInFuture),
        ]
}

@Suite("An access token that the account service didn't make for this service")
struct AttackTests {
    @Test(
        "is refused, with the code for the reason",
        arguments: Attack.forms + Attack.headers + Attack.signatures + Attack.claims)
    func refused(_ attack: Attack) async throws {
        let environment = try TestEnvironment()
        let verifier = try environment.verifier()
        // The keys are there, so that no refusal is for want of them.
        _ = try await verifier.verify(environment.issuer.token())
        let token = try attack.token(environment.issuer)
        let error = await #expect(throws: AccessTokenError.self) { try await verifier.verify(token) }
        #expect(error?.code == attack.code)
        #expect(error?.kind == .token)
        // Nothing was fetched from where a token says.
        #expect(Set(environment.requests) == [TestIssuer.url + "/.well-known/jwks.json"])
    }
}
