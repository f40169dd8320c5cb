import Crypto
import Foundation

/// A client secret with any mistake in it, made without the code that is tested.
struct HandmadeSecret {
    var header: [String: Any] = ["alg": "ES256", "kid": "FGHIJ67890"]
    var claims: [String: Any]
    var key: P256.Signing.PrivateKey
    var isDER = false
    /// In place of the right one.
    var otherSignature: Data?

    init(team: String, client: String, key: P256.Signing.PrivateKey, now: Int64) {
        claims = [
            "iss": team, "sub": client, "aud": "https://appleid.apple.com", "iat": now, "exp": now + 3_600,
        ]
        self.key = key
    }

    func text() throws -> String {
        let input = try [header, claims].map { Self.encode(try JSONSerialization.data(withJSONObject: $0)) }
            .joined(separator: ".")
        let signature = try key.signature(for: Data(input.utf8))
        let right = isDER ? signature.derRepresentation : signature.rawRepresentation
        return input + "." + Self.encode(otherSignature ?? right)
    }

    private static func encode(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
