public import AppleIDTypes
import Crypto
import CryptoExtras
import StrictJSON
import StrictJWS

/// The credential with which a client authenticates at a provider's token endpoint. Printing or mirroring it shows
/// nothing of it.
public struct ClientCredential: Sendable, Redacted {
    enum Kind: Sendable {
        case secret(String)
        case privateKey(AssertionKey, AssertionAudience)
    }

    let kind: Kind

    /// Creates a credential from a client secret.
    ///
    /// It is sent as `client_secret_basic` or `client_secret_post`, by what the provider announces.
    /// - Throws: ``OpenIDConnectError/Code/invalidConfiguration`` for an empty secret, and for one with characters that
    ///   no secret has (RFC 6749 §A.2).
    public static func secret(_ secret: String) throws(OpenIDConnectError) -> Self {
        guard (1...1_024).contains(secret.utf8.count), secret.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw OpenIDConnectError(
                .invalidConfiguration, "a client secret has 1 to 1,024 characters of printable ASCII")
        }
        return Self(kind: .secret(secret))
    }

    static func optionalSecret(_ secret: String?) throws(OpenIDConnectError) -> Self? {
        guard let secret else { return nil }
        return try .secret(secret)
    }

    /// The audience of a client assertion.
    public enum AssertionAudience: Hashable, Sendable {
        /// The provider's issuer, which no other provider can pass off as its own. The best choice where the provider
        /// takes it.
        case issuer
        /// The URL of the token endpoint (OpenID Connect Core 1.0 §9), as Microsoft wants it.
        case tokenEndpoint
    }

    /// Creates a credential from a private key, for `private_key_jwt`.
    ///
    /// A P-256 key signs with ES256. An RSA key signs with PS256 if the provider announces it, and with RS256 otherwise.
    /// - Parameters:
    ///   - id: the key's name (`kid`) in the key set that you gave the provider.
    ///   - pem: PKCS#8 in PEM.
    /// - Throws: ``OpenIDConnectError/Code/invalidConfiguration``.
    public static func privateKey(
        id: String, pem: String, audience: AssertionAudience = .issuer
    ) throws(OpenIDConnectError) -> Self {
        guard (1...255).contains(id.utf8.count) else {
            throw OpenIDConnectError(.invalidConfiguration, "a private key needs an identifier (kid)")
        }
        return Self(kind: .privateKey(try AssertionKey(id: id, pem: pem), audience))
    }
}

/// A private key that signs client assertions.
struct AssertionKey: Sendable {
    private enum Material: Sendable {
        case p256(P256.Signing.PrivateKey)
        case rsa(_RSA.Signing.PrivateKey)
    }

    /// The lifetime of an assertion, in seconds. It is used at once.
    static let lifetime: Int64 = 120
    /// The provider's clock may be behind ours.
    private static let backdating: Int64 = 30

    let id: String
    private let material: Material

    init(id: String, pem: String) throws(OpenIDConnectError) {
        self.id = id
        if let key = Self.p256(pem) {
            material = .p256(key)
        } else if let key = Self.rsa(pem) {
            material = .rsa(key)
        } else {
            // The parsers' errors are left out: they may quote their input.
            throw OpenIDConnectError(
                .invalidConfiguration, "the private key is neither a P-256 nor an RSA key in PKCS#8 PEM")
        }
    }

    private static func p256(_ pem: String) -> P256.Signing.PrivateKey? {
        do { return try P256.Signing.PrivateKey(pemRepresentation: pem) } catch { return nil }
    }

    private static func rsa(_ pem: String) -> _RSA.Signing.PrivateKey? {
        do { return try _RSA.Signing.PrivateKey(pemRepresentation: pem) } catch { return nil }
    }

    /// The algorithm to sign with.
    /// - Parameter announced: `token_endpoint_auth_signing_alg_values_supported`, if the provider has it.
    /// - Throws: ``OpenIDConnectError/Code/providerUnsupported``.
    func algorithm(announced: [String]?) throws(OpenIDConnectError) -> SigningAlgorithm {
        let usable: [SigningAlgorithm] =
            switch material {
            case .p256: [.es256]
            // Where nothing is announced, every provider takes RS256.
            case .rsa: announced == nil ? [.rs256] : [.ps256, .rs256]
            }
        guard let algorithm = usable.first(where: { announced?.contains($0.rawValue) ?? true }) else {
            throw OpenIDConnectError(
                .providerUnsupported, "the provider announces no signature of client assertions that this key can make")
        }
        return algorithm
    }

    private struct Header: Encodable {
        let alg: String
        let kid: String
        let typ = "JWT"

        private enum CodingKeys: String, CodingKey { case alg, kid, typ }
    }

    private struct Payload: Encodable {
        let iss: String
        let sub: String
        let aud: String
        let jti: String
        let iat: Int64
        let exp: Int64
    }

    /// Makes an assertion (RFC 7523 §3, OpenID Connect Core 1.0 §9).
    /// - Parameters:
    ///   - identifier: different each time (`jti`).
    ///   - now: seconds since 1970.
    func assertion(
        for client: String, audience: String, by algorithm: SigningAlgorithm, identifier: String, at now: Int64
    ) throws(OpenIDConnectError) -> String {
        do {
            let encoder = StrictJSONEncoder()
            let header = try encoder.encode(Header(alg: algorithm.rawValue, kid: id))
            let payload = try encoder.encode(
                Payload(
                    iss: client, sub: client, aud: audience, jti: identifier, iat: now - Self.backdating,
                    exp: now + Self.lifetime))
            let input = Base64URL.encode(header) + [UInt8(ascii: ".")] + Base64URL.encode(payload)
            let signature = Base64URL.text(try sign(input, by: algorithm))
            return String(decoding: input, as: UTF8.self) + "." + signature
        } catch {
            throw OpenIDConnectError(.invalidConfiguration, "the private key does not sign")
        }
    }

    private func sign(_ input: [UInt8], by algorithm: SigningAlgorithm) throws -> [UInt8] {
        switch material {
        case .p256(let key):
            return try ES256.sign(input, with: key)
        case .rsa(let key):
            let signature = try key.signature(
                for: SHA256.hash(data: input), padding: algorithm == .ps256 ? .PSS : .insecurePKCS1v1_5)
            return Array(signature.rawRepresentation)
        }
    }
}
