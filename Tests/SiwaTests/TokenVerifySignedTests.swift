import Crypto
import CryptoExtras
import Foundation
import Testing

/// Tokens of a key of our own, for what no real token says.
@Suite("siwa token verify, of tokens made for it")
struct TokenVerifySignedTests {
    /// One that a key set may have, and a terminal should not.
    private static let keyID = "k\u{1B}[2J\u{202E}"
    private static let now = 1_700_000_000
    private static let key = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func json(_ object: [String: Any]) throws -> Data {
        try JSONSerialization.data(withJSONObject: object)
    }

    /// Runs the command with the key set in a file.
    private func verify(_ changes: [String: Any], _ arguments: [String] = []) throws -> Transcript.Result {
        let key = try Self.key.get()
        var claims: [String: Any] = [
            "iss": "https://appleid.apple.com", "aud": "com.example.juice", "sub": "001234.abc.5678",
            "iat": Self.now, "exp": Self.now + 600,
        ]
        claims.merge(changes) { _, new in new }
        let signed =
            Self.base64URL(try Self.json(["alg": "RS256", "kid": Self.keyID])) + "."
            + Self.base64URL(try Self.json(claims))
        let signature = try key.signature(for: Data(signed.utf8), padding: .insecurePKCS1v1_5)
        let numbers = try key.publicKey.getKeyPrimitives()
        let file = FileManager.default.temporaryDirectory.appending(path: "siwa-keys-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try Self.json([
            "keys": [
                [
                    "kty": "RSA", "kid": Self.keyID, "use": "sig", "alg": "RS256",
                    "n": Self.base64URL(numbers.modulus), "e": Self.base64URL(numbers.publicExponent),
                ]
            ]
        ]).write(to: file)
        return try Transcript.run(
            ["token", "verify", "--keys", file.path, "--at", "\(Self.now)"] + arguments,
            input: signed + "." + Self.base64URL(signature.rawRepresentation))
    }

    private func isQuiet(_ result: Transcript.Result) -> Bool {
        !(result.output + result.complaints).unicodeScalars.contains { [0x1B, 0x9B, 0x202E].contains($0.value) }
    }

    @Test(
        "prints no control characters of an audience or a key's name",
        arguments: [
            [], ["--audience", "com.example.juice"], ["--audience", "a\u{1B}[2J\u{202E}\u{9B}"],
        ])
    func quiet(arguments: [String]) throws {
        for audience in ["a\u{1B}[2J\u{202E}\u{9B}", "com.example.juice"] {
            let result = try verify(["aud": audience], arguments)
            #expect(isQuiet(result))
            let isGood = arguments.isEmpty || arguments[1] == audience
            #expect(result.status == (isGood ? 0 : 1), "\(result.output)")
            #expect(isQuiet(try verify(["aud": audience], arguments + ["--json"])))
        }
    }

    @Test("says that a token has no audience", arguments: ["\"\"", "[]", "[\"\"]"])
    func nobody(audience: String) throws {
        let value = try JSONSerialization.jsonObject(with: Data(audience.utf8), options: .fragmentsAllowed)
        let result = try verify(["aud": value])
        #expect(result.status == 1)
        #expect(result.output.contains("audience_mismatch: the token is for nobody (aud)"))
    }

    @Test("accepts the second issuer only with an option")
    func issuer() throws {
        let changes = ["iss": "https://account.apple.com"]
        #expect(try verify(changes).output.contains("issuer_mismatch"))
        #expect(try verify(changes, ["--account-issuer"]).status == 0)
    }

    @Test(
        "says whether a code and an access token are bound to the token",
        arguments: [("--code", "c_hash"), ("--access-token", "at_hash")])
    func hashes(option: String, claim: String) throws {
        let hash = Self.base64URL(Data(SHA256.hash(data: Data("value".utf8)).prefix(16)))
        #expect(try verify([claim: hash], [option, "value"]).status == 0)
        let other = try verify([claim: hash], [option, "another"])
        #expect(other.status == 1 && other.output.contains("hash_mismatch"))
    }
}
