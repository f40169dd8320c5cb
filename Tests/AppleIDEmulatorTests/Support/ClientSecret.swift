import AppleIDTypes
import Crypto
import Foundation

@testable import AppleIDEmulator

/// A client secret to be spoilt in one place.
struct ClientSecret {
    var header: [String: any Sendable]
    var claims: [String: any Sendable]
    var key: Portal.Key = TestPortal.key
    var isDER = false

    init(now: Int64) {
        header = ["alg": "ES256", "kid": TestPortal.key.id.rawValue]
        claims = [
            "iss": "JUICETEAM1", "iat": now - 30, "exp": now + 300, "aud": "https://appleid.apple.com",
            "sub": "com.example.juice.web",
        ]
    }

    var text: String {
        get throws {
            let input = try [header, claims].map {
                Self.encoded(try JSONSerialization.data(withJSONObject: $0, options: [.sortedKeys]))
            }.joined(separator: ".")
            let signature = try P256.Signing.PrivateKey(pemRepresentation: key.privateKey)
                .signature(for: Data(input.utf8))
            return input + "." + Self.encoded(isDER ? signature.derRepresentation : signature.rawRepresentation)
        }
    }

    static func encoded(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
