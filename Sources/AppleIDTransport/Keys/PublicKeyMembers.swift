package import Crypto
package import CryptoExtras
package import StrictJSON
import StrictJWS

/// Reads the members of a public key in a key set (RFC 7517 §4, RFC 7518 §6).
package enum PublicKeyMembers {
    /// The accepted sizes of a modulus. Larger ones only cost time: Apple's keys have 2048 bits.
    private static let modulusBytes = 256...1_024
    private static let coordinateBytes = 32

    /// The key's name (`kid`), of 1 to 255 bytes. A key without a name is never used.
    package static func id(of key: JSONValue) -> String? {
        key["kid"]?.string.flatMap { (1...255).contains($0.utf8.count) ? $0 : nil }
    }

    /// Whether use, operations and algorithm, where they are given, allow the key to verify signatures.
    /// - Parameter algorithms: the names that `alg` may have.
    package static func isForSignatures(_ key: JSONValue, by algorithms: [String]) -> Bool {
        (key["use"].map { $0.string == "sig" } ?? true)
            && (key["key_ops"].map { $0.elements.contains { $0.string == "verify" } } ?? true)
            && (key["alg"].map { algorithm in algorithms.contains { algorithm.isString($0) } } ?? true)
    }

    /// An RSA key, or nil for another type of key, fewer than 2048 bits, an exponent that is even or small, or a modulus
    /// that is known to be weak (RFC 7518 §6.3).
    package static func rsa(_ key: JSONValue) -> _RSA.Signing.PublicKey? {
        guard key["kty"]?.string == "RSA",
            let modulus = key["n"]?.string.flatMap(integer), let exponent = key["e"]?.string.flatMap(integer),
            modulusBytes.contains(modulus.count), modulus[0] >= 0x80 || modulus.count > 256,
            isSound(exponent), !ROCAFingerprint.matches(modulus)
        else { return nil }
        do {
            return try _RSA.Signing.PublicKey(n: modulus, e: exponent)
        } catch {
            // This key can't be used. The other keys of the set can.
            return nil
        }
    }

    /// A key on the curve P-256, or nil for another type of key and for a point that is not on the curve (RFC 7518
    /// §6.2.1).
    package static func p256(_ key: JSONValue) -> P256.Signing.PublicKey? {
        guard key["kty"]?.string == "EC", key["crv"]?.string == "P-256",
            let x = key["x"]?.string.flatMap({ Base64URL.decode($0) }), x.count == coordinateBytes,
            let y = key["y"]?.string.flatMap({ Base64URL.decode($0) }), y.count == coordinateBytes
        else { return nil }
        do {
            return try P256.Signing.PublicKey(rawRepresentation: x + y)
        } catch {
            // This key can't be used. The other keys of the set can.
            return nil
        }
    }

    /// A key on the curve Ed25519, or nil for another type of key (RFC 8037 §2).
    package static func ed25519(_ key: JSONValue) -> Curve25519.Signing.PublicKey? {
        guard key["kty"]?.string == "OKP", key["crv"]?.string == "Ed25519",
            let x = key["x"]?.string.flatMap({ Base64URL.decode($0) }), x.count == coordinateBytes
        else { return nil }
        do {
            return try Curve25519.Signing.PublicKey(rawRepresentation: x)
        } catch {
            // This key can't be used. The other keys of the set can.
            return nil
        }
    }

    /// Big-endian without leading zeros (RFC 7518 §2, Base64urlUInt; a leading zero is tolerated).
    private static func integer(_ text: String) -> [UInt8]? {
        guard let bytes = Base64URL.decode(text) else { return nil }
        let significant = Array(bytes.drop { $0 == 0 })
        return significant.isEmpty ? nil : significant
    }

    /// Odd, at least 65537 as NIST SP 800-56B demands, and at most 32 bits long.
    private static func isSound(_ exponent: [UInt8]) -> Bool {
        guard exponent.count <= 4 else { return false }
        let value = exponent.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return value & 1 == 1 && value >= 65_537
    }
}
