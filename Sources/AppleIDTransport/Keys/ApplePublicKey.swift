package import AppleIDTypes
package import Crypto
import CryptoExtras
package import StrictJSON

/// One of the keys with which Apple signs, parsed once and fit for RS256.
package struct ApplePublicKey: PublicKey {
    package let id: KeyID
    private let rsa: _RSA.Signing.PublicKey
    /// The encoding that two spellings of one key have in common.
    package var derRepresentation: [UInt8] { Array(rsa.derRepresentation) }
    package var sizeInBits: Int { rsa.keySizeInBits }

    /// A member of a key set's `keys` (RFC 7517 §4, RFC 7518 §6.3), or nil for one that RS256 cannot use: another type,
    /// another use, operation or algorithm where they are given, fewer than 2048 bits, an exponent that is even or
    /// small, or a modulus that is known to be weak.
    package init?(_ key: JSONValue) {
        guard let id = PublicKeyMembers.id(of: key), PublicKeyMembers.isForSignatures(key, by: ["RS256"]),
            let rsa = PublicKeyMembers.rsa(key)
        else { return nil }
        self.rsa = rsa
        self.id = KeyID(id)
    }

    /// RFC 7518 §3.3: RSASSA-PKCS1-v1_5 with SHA-256.
    package func isValid(_ signature: ArraySlice<UInt8>, for digest: SHA256Digest) -> Bool {
        rsa.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature), for: digest, padding: .insecurePKCS1v1_5)
    }
}

/// Moduli of one maker's chips, whose private keys can be computed (CVE-2017-15361): modulo every small prime they are
/// a power of 65537, which no other modulus is modulo all of them.
enum ROCAFingerprint {
    /// The product of these primes went into every key of 2048 bits and more.
    private static let largestPrime = 701

    private struct Mark: Sendable {
        let prime: UInt32
        /// Whether a remainder is a power of 65537.
        let isPower: [Bool]
    }

    private static let marks: [Mark] = {
        let primes = (2...largestPrime).filter { number in !(2..<number).contains { number.isMultiple(of: $0) } }
        return primes.dropFirst().map { prime in
            var isPower = [Bool](repeating: false, count: prime)
            var power = 1
            while !isPower[power] {
                isPower[power] = true
                power = power * 65_537 % prime
            }
            return Mark(prime: UInt32(prime), isPower: isPower)
        }
    }()

    /// - Parameter modulus: big-endian.
    static func matches(_ modulus: [UInt8]) -> Bool {
        marks.allSatisfy { mark in
            mark.isPower[Int(modulus.reduce(UInt32(0)) { ($0 << 8 | UInt32($1)) % mark.prime })]
        }
    }
}
