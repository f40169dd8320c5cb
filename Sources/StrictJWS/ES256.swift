package import Crypto

/// Signatures of RFC 7518 §3.4: ECDSA with P-256 and SHA-256, R and S side by side. Like Apple, it refuses the DER form.
package enum ES256 {
    private static let signatureBytes = 64

    package static func sign(
        _ input: [UInt8], with key: P256.Signing.PrivateKey
    ) throws -> [UInt8] {
        Array(try key.signature(for: input).rawRepresentation)
    }

    package static func isValid(_ signature: [UInt8], over input: [UInt8], by key: P256.Signing.PublicKey) -> Bool {
        guard signature.count == signatureBytes else { return false }
        do {
            return key.isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: signature), for: input)
        } catch {
            // The two numbers are no signature.
            return false
        }
    }
}
