import Crypto
import CryptoExtras
import Foundation

/// A throw-away key of a provider, which signs with one algorithm.
struct TestKey: Sendable {
    private enum Material: Sendable {
        case p256(P256.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey)
        case ed25519(Curve25519.Signing.PrivateKey)
    }

    /// Made once a process: an RSA key takes its time.
    private static let sharedRSA: _RSA.Signing.PrivateKey = {
        do {
            return try _RSA.Signing.PrivateKey(keySize: .bits2048)
        } catch {
            preconditionFailure("no key could be made: \(error)")
        }
    }()

    static let algorithms = ["ES256", "RS256", "PS256", "EdDSA"]

    let id: String
    let algorithm: String
    private let material: Material

    init(_ algorithm: String, id: String = "key-1") {
        self.id = id
        self.algorithm = algorithm
        switch algorithm {
        case "ES256": material = .p256(P256.Signing.PrivateKey())
        case "EdDSA": material = .ed25519(Curve25519.Signing.PrivateKey())
        default: material = .rsa(Self.sharedRSA)
        }
    }

    /// The public key as a member of a key set; nil leaves a member out.
    func publicKey(_ changes: [String: String?] = [:]) throws -> [String: String] {
        var members = ["kid": id, "use": "sig", "alg": algorithm]
        switch material {
        case .p256(let key):
            let raw = key.publicKey.rawRepresentation
            members.merge(
                ["kty": "EC", "crv": "P-256", "x": base64URL(raw.prefix(32)), "y": base64URL(raw.suffix(32))]
            ) { $1 }
        case .rsa(let key):
            let numbers = try key.publicKey.getKeyPrimitives()
            members.merge(
                ["kty": "RSA", "n": base64URL(numbers.modulus), "e": base64URL(numbers.publicExponent)]
            ) { $1 }
        case .ed25519(let key):
            members.merge(
                ["kty": "OKP", "crv": "Ed25519", "x": base64URL(key.publicKey.rawRepresentation)]
            ) { $1 }
        }
        for (name, value) in changes { members[name] = value }
        return members
    }

    /// A token of this header and payload, both verbatim.
    func token(header: String, payload: String) throws -> String {
        let input = base64URL(Data(header.utf8)) + "." + base64URL(Data(payload.utf8))
        return input + "." + base64URL(try signature(over: Data(input.utf8)))
    }

    /// A token of this payload with the key's own header.
    func token(_ payload: String) throws -> String {
        try token(header: #"{"alg":"\#(algorithm)","kid":"\#(id)","typ":"JWT"}"#, payload: payload)
    }

    private func signature(over input: Data) throws -> Data {
        switch material {
        case .p256(let key): try key.signature(for: input).rawRepresentation
        case .rsa(let key):
            try key.signature(
                for: SHA256.hash(data: input), padding: algorithm == "PS256" ? .PSS : .insecurePKCS1v1_5
            ).rawRepresentation
        case .ed25519(let key): try key.signature(for: input)
        }
    }

    static func keySet(_ keys: [[String: String]]) throws -> [UInt8] {
        [UInt8](try JSONSerialization.data(withJSONObject: ["keys": keys]))
    }
}

func base64URL(_ bytes: some DataProtocol) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
}

/// The left half of a hash, as a token names a code or an access token.
func halfHash(_ text: String, algorithm: String) -> String {
    algorithm == "EdDSA"
        ? base64URL(Array(SHA512.hash(data: Data(text.utf8)).prefix(32)))
        : base64URL(Array(SHA256.hash(data: Data(text.utf8)).prefix(16)))
}

/// Lowercase hexadecimal, as apps write hashed nonces.
func sha256Hex(_ text: String) -> String {
    SHA256.hash(data: Data(text.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}

/// The decoded fields of a query or a form, in order.
func fields(_ text: some StringProtocol) -> [(name: String, value: String)] {
    text.split(separator: "&").map { field in
        let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { String($0).replacing("+", with: " ").removingPercentEncoding ?? "" }
        return (parts[0], parts.count > 1 ? parts[1] : "")
    }
}

extension [(name: String, value: String)] {
    subscript(_ name: String) -> String? { first { $0.name == name }?.value }
}
