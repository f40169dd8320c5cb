import Crypto
import CryptoExtras
import Foundation

/// Makes identity tokens of Apple's shape with a throw-away RSA-2048 key: 13 claims, all different.
struct TokenMint: Sendable {
    let audience: String
    let keyID = "pggnQeNCOU"
    let privateKey: _RSA.Signing.PrivateKey

    init(audience: String) throws {
        self.audience = audience
        self.privateKey = try _RSA.Signing.PrivateKey(keySize: .bits2048)
    }

    /// The answer of a key endpoint: this key among three.
    func keySet() throws -> Data {
        let others = try (0..<2).map { _ in try _RSA.Signing.PrivateKey(keySize: .bits2048).publicKey }
        let keys = try zip([keyID, "fh6Bs8C", "UaIIFY2fW4"], [privateKey.publicKey] + others).map { id, key in
            let primitives = try key.getKeyPrimitives()
            return """
                {"kty":"RSA","kid":"\(id)","use":"sig","alg":"RS256","n":"\(Self.base64URL(primitives.modulus))",\
                "e":"\(Self.base64URL(primitives.publicExponent))"}
                """
        }
        return Data(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8)
    }

    /// Token `number`, which is one of `person`, and the raw nonce that belongs to it.
    func token(_ number: Int, person: Int) throws -> (token: String, nonce: String) {
        let now = Int(Date().timeIntervalSince1970)
        let seed = Self.hexadecimal(SHA256.hash(data: Data("person \(person)".utf8)))
        let nonce = "bench-nonce-\(number)-" + seed.prefix(20)
        let code = Self.base64URL(Data(SHA256.hash(data: Data("code \(number)".utf8)).prefix(16)))
        let claims = """
            {"iss":"https://appleid.apple.com","aud":"\(audience)","exp":\(now + 86_400),"iat":\(now),\
            "sub":"001026.\(seed.prefix(32)).\(1000 + person % 9000)",\
            "nonce":"\(Self.hexadecimal(SHA256.hash(data: Data(nonce.utf8))))","c_hash":"\(code)",\
            "email":"\(seed.prefix(10))@privaterelay.appleid.com","email_verified":true,"is_private_email":true,\
            "auth_time":\(now),"nonce_supported":true,"real_user_status":2}
            """
        let header = #"{"kid":"\#(keyID)","alg":"RS256"}"#
        let input = Self.base64URL(Data(header.utf8)) + "." + Self.base64URL(Data(claims.utf8))
        let signature = try privateKey.signature(for: Data(input.utf8), padding: .insecurePKCS1v1_5)
        return (input + "." + Self.base64URL(signature.rawRepresentation), nonce)
    }

    static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String(format: "%02x", $0) }.joined()
    }
}
