import AppleID
import AppleIDTypes
import Crypto
import CryptoExtras
import Foundation

/// A throw-away RSA key in Apple's place, made once a process.
struct TestSigner: Sendable {
    static let shared = TestSigner(keyID: "TESTKEY001")
    static let other = TestSigner(keyID: "TESTKEY002")

    let keyID: String
    let key: _RSA.Signing.PrivateKey

    init(keyID: String) {
        self.keyID = keyID
        do {
            key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        } catch {
            preconditionFailure("no key could be made: \(error)")
        }
    }

    /// The public key as a member of a key set; a nil override leaves a member out.
    func publicKey(_ overrides: [String: String?] = [:]) throws -> [String: String] {
        let numbers = try key.publicKey.getKeyPrimitives()
        var members: [String: String] = [
            "kty": "RSA", "kid": keyID, "use": "sig", "alg": "RS256", "n": Self.base64URL(numbers.modulus),
            "e": Self.base64URL(numbers.publicExponent),
        ]
        for (name, value) in overrides {
            members[name] = value
        }
        return members
    }

    func keySetJSON() throws -> [UInt8] {
        try Self.keySetJSON([publicKey()])
    }

    static func keySetJSON(_ keys: [[String: String]]) throws -> [UInt8] {
        [UInt8](try JSONSerialization.data(withJSONObject: ["keys": keys]))
    }

    /// A token of this header and payload, both verbatim.
    func token(header: String, payload: String) throws -> String {
        try sign(Self.base64URL(Data(header.utf8)) + "." + Self.base64URL(Data(payload.utf8)))
    }

    /// A token of this payload with Apple's header.
    func token(_ payload: String) throws -> String {
        try token(header: #"{"kid":"\#(keyID)","alg":"RS256"}"#, payload: payload)
    }

    func token(_ claims: TestClaims) throws -> String {
        try token(claims.json)
    }

    private func sign(_ signingInput: String) throws -> String {
        let signature = try key.signature(for: Data(signingInput.utf8), padding: .insecurePKCS1v1_5)
        return signingInput + "." + Self.base64URL(signature.rawRepresentation)
    }

    static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
