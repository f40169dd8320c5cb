import AppleIDTypes
import Crypto
import CryptoExtras

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An RSA key of "Apple's": signs identity tokens and notifications, and is shown at `/auth/keys`.
struct SigningKey: Sendable {
    let id: KeyID
    let modulus: [UInt8]
    let exponent: [UInt8]
    private let key: _RSA.Signing.PrivateKey

    /// Makes a key; takes up to half a second.
    init(id: KeyID) throws {
        try self.init(id: id, key: _RSA.Signing.PrivateKey(keySize: .bits2048))
    }

    init(id: KeyID, pem: String) throws {
        try self.init(id: id, key: _RSA.Signing.PrivateKey(pemRepresentation: pem))
    }

    private init(id: KeyID, key: _RSA.Signing.PrivateKey) throws {
        let primitives = try key.publicKey.getKeyPrimitives()
        self.id = id
        self.key = key
        modulus = Array(primitives.modulus)
        exponent = Array(primitives.publicExponent)
    }

    var pem: String { key.pemRepresentation }

    /// A compact JWS over the given claims. The header is Apple's: `kid` and `alg`, no `typ`.
    /// - Parameter kid: the key id in the header; nil for the key's own.
    func sign(_ claims: JSONText, kid: KeyID? = nil) throws -> String {
        let header = JSONText.object([("kid", .string((kid ?? id).rawValue)), ("alg", .string("RS256"))])
        let input = Base64URL.encode(header.text.utf8) + "." + Base64URL.encode(claims.text.utf8)
        let signature = try key.signature(for: SHA256.hash(data: Data(input.utf8)), padding: .insecurePKCS1v1_5)
        return input + "." + Base64URL.encode(signature.rawRepresentation)
    }

    /// The key as a member of the key set.
    var publicJSON: JSONText {
        .object([
            ("kty", .string("RSA")), ("kid", .string(id.rawValue)), ("use", .string("sig")), ("alg", .string("RS256")),
            ("n", .string(Base64URL.encode(modulus))), ("e", .string(Base64URL.encode(exponent))),
        ])
    }
}

extension EmulatorState {
    /// The maximum number of published keys. Apple usually publishes three, so a set that only grows would be unlike
    /// Apple's.
    static let maximumKeys = 10

    /// Makes a key sign from now on. The others stay published, because tokens that they signed are still in use.
    mutating func rotate(to key: SigningKey) throws(Refusal) {
        guard signingKeys.count < Self.maximumKeys else {
            throw Refusal(.conflict, "\(Self.maximumKeys) keys are published. Retire some first.")
        }
        signingKeys.insert(key, at: 0)
        revision += 1
    }

    /// Publishes a key that signs nothing yet.
    mutating func addSpare(_ key: SigningKey) {
        signingKeys.append(key)
        revision += 1
    }

    /// Takes a key, or all that no longer sign, out of the published set. Their signatures can't be verified any more.
    mutating func retire(_ id: KeyID?) throws(Refusal) {
        if let id {
            guard let index = signingKeys.firstIndex(where: { $0.id == id }) else {
                throw Refusal(.unknownKey, "No published key has this kid.")
            }
            guard index > 0 else {
                throw Refusal(.conflict, "This key signs. Rotate first.")
            }
            signingKeys.remove(at: index)
        } else {
            signingKeys.removeSubrange(1...)
        }
        revision += 1
    }
}
