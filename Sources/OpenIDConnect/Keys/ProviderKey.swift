import AppleIDTransport
import AppleIDTypes
import Crypto
import CryptoExtras
import StrictJSON
import StrictJWS

/// A signature algorithm of identity tokens that this library takes (RFC 7518 §3.1, RFC 8037 §3.1).
///
/// Neither `none` nor an algorithm with a shared secret is among them: a client secret is known to more than the
/// provider.
enum SigningAlgorithm: String, CaseIterable, Sendable {
    case es256 = "ES256"
    case rs256 = "RS256"
    case ps256 = "PS256"
    case edDSA = "EdDSA"

    /// The left half of the hash by which a token names a code or an access token, as base64url (OpenID Connect Core 1.0
    /// §3.1.3.6): with the algorithm's own hash function, which is SHA-512 for Ed25519.
    func halfHash(of text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        switch self {
        case .es256, .rs256, .ps256: return Base64URL.encode(Array(SHA256.hash(data: bytes).prefix(16)))
        case .edDSA: return Base64URL.encode(Array(SHA512.hash(data: bytes).prefix(32)))
        }
    }
}

/// A key with which a provider signs, parsed once.
struct ProviderKey: PublicKey {
    private enum Material: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)
    }

    let id: KeyID
    /// The algorithms that the key is for.
    let algorithms: Set<SigningAlgorithm>
    /// The issuer that the key signs for, where a set holds the keys of several; perhaps with a place for the tenant.
    let issuer: String?
    private let material: Material

    /// A member of a key set's `keys` (RFC 7517 §4), or nil for one that no algorithm here can use.
    ///
    /// Nil also for a key that was published with its private half, because everybody can sign with it.
    init?(_ key: JSONValue) {
        guard let id = PublicKeyMembers.id(of: key), key["d"] == nil else { return nil }
        let candidates: [SigningAlgorithm]
        if let rsa = PublicKeyMembers.rsa(key) {
            (material, candidates) = (.rsa(rsa), [.rs256, .ps256])
        } else if let p256 = PublicKeyMembers.p256(key) {
            (material, candidates) = (.p256(p256), [.es256])
        } else if let ed25519 = PublicKeyMembers.ed25519(key) {
            (material, candidates) = (.ed25519(ed25519), [.edDSA])
        } else {
            return nil
        }
        algorithms = Set(candidates.filter { PublicKeyMembers.isForSignatures(key, by: [$0.rawValue]) })
        guard !algorithms.isEmpty else { return nil }
        issuer = key["issuer"]?.string
        self.id = KeyID(id)
    }

    var derRepresentation: [UInt8] {
        switch material {
        case .rsa(let key): Array(key.derRepresentation)
        case .p256(let key): Array(key.derRepresentation)
        case .ed25519(let key): Array(key.rawRepresentation)
        }
    }

    /// Whether a signature over these bytes is the key's. False for an algorithm that the key isn't for.
    func isValid(_ signature: ArraySlice<UInt8>, over input: [UInt8], by algorithm: SigningAlgorithm) -> Bool {
        guard algorithms.contains(algorithm) else { return false }
        switch (material, algorithm) {
        case (.rsa(let key), .rs256):
            return key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: input),
                padding: .insecurePKCS1v1_5)
        case (.rsa(let key), .ps256):
            return key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: signature), for: SHA256.hash(data: input), padding: .PSS)
        case (.p256(let key), .es256):
            return ES256.isValid(Array(signature), over: input, by: key)
        case (.ed25519(let key), .edDSA):
            return key.isValidSignature(Array(signature), for: input)
        default:
            return false
        }
    }
}
