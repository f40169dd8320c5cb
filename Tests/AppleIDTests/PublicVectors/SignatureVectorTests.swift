import Crypto
import Foundation
import StrictJSON
import Testing

@testable import AppleID

@Suite("Public vectors: signatures", .enabled(if: PublicVectors.isThere, PublicVectors.whereToGetThem))
struct SignatureVectorTests {
    /// Valid signatures of keys that we do not take.
    static let smallExponent =
        "a public exponent of 3: Apple's keys have 65537, and smaller ones forgive mistakes of ours"

    @Test("RSASSA-PKCS1-v1_5 with SHA-256, with keys of 2048, 3072 and 4096 bits")
    func rsa() throws {
        var refusedOnPurpose: [String: Int] = [:]
        var count = 0
        for bits in [2_048, 3_072, 4_096] {
            for vector in try PublicVectors.wycheproof("rsa_signature_\(bits)_sha256_test") {
                count += 1
                let numbers = try #require(vector.group["publicKey"])
                let exponent = try #require(numbers["publicExponent"]?.string)
                // Written anew, since the files leave the algorithm or the name out here and there.
                let json = try JSONSerialization.data(withJSONObject: [
                    "kty": "RSA", "kid": "k",
                    "n": Base64URL.text(try PublicVectors.Vector.bytes(hex: try #require(numbers["modulus"]?.string))),
                    "e": Base64URL.text(try PublicVectors.Vector.bytes(hex: exponent)),
                ])
                guard let key = ApplePublicKey(try JSONDocument([UInt8](json)).root) else {
                    #expect(exponent == "03", "\(bits).\(vector.id)")
                    refusedOnPurpose[Self.smallExponent, default: 0] += 1
                    continue
                }
                let digest = SHA256.hash(data: try vector.bytes("msg"))
                // The one result that the suite leaves open is an encoding without its NULL, which RFC 8017 lets a
                // verifier refuse.
                #expect(
                    key.isValid(try vector.bytes("sig")[...], for: digest) == (vector.result == "valid"),
                    "\(bits).\(vector.id) \(vector.comment)")
            }
        }
        #expect(count == 776)
        #expect(refusedOnPurpose == [Self.smallExponent: 3])
    }

    @Test("ECDSA with P-256 and SHA-256, R and S side by side as tokens have them")
    func ecdsa() throws {
        let vectors = try PublicVectors.wycheproof("ecdsa_secp256r1_sha256_p1363_test")
        for vector in vectors {
            let isValid = ES256.isValid(
                try vector.bytes("sig"), over: try vector.bytes("msg"), by: try publicKey(vector))
            #expect(isValid == (vector.result == "valid"), "\(vector.id) \(vector.comment)")
        }
        #expect(vectors.count == 262)
    }

    @Test("ECDSA with P-256 and SHA-256 in DER: read by the same code to the stated results, and refused as a token's")
    func ecdsaDER() throws {
        let vectors = try PublicVectors.wycheproof("ecdsa_secp256r1_sha256_test")
        for vector in vectors {
            let key = try publicKey(vector)
            let (signature, message) = (try vector.bytes("sig"), try vector.bytes("msg"))
            let parsed = try? P256.Signing.ECDSASignature(derRepresentation: signature)
            let isValid = parsed.map { key.isValidSignature($0, for: message) } ?? false
            #expect(isValid == (vector.result == "valid"), "\(vector.id) \(vector.comment)")
            // Valid or not: RFC 7518 §3.4 has no DER.
            #expect(!ES256.isValid(signature, over: message, by: key), "\(vector.id) \(vector.comment)")
            if let parsed, isValid {
                #expect(ES256.isValid(Array(parsed.rawRepresentation), over: message, by: key), "\(vector.id)")
            }
        }
        #expect(vectors.count == 484)
    }

    private func publicKey(_ vector: PublicVectors.Vector) throws -> P256.Signing.PublicKey {
        let hex = try #require(vector.group["publicKey"]?["uncompressed"]?.string)
        return try P256.Signing.PublicKey(x963Representation: try PublicVectors.Vector.bytes(hex: hex))
    }
}
