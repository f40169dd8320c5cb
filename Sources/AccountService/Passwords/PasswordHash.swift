import AppleID
import AppleIDTypes
import Crypto
import CryptoExtras
import Foundation

/// The hash of a password by scrypt, with the parameters and the salt that made it.
///
/// Its text is `scrypt$ln=15,r=8,p=3$salt$hash`: N=2¹⁵, r, p, and 16 bytes of salt and 32 bytes of hash in base64url.
package struct PasswordHash: Equatable, Sendable, Redacted {
    static let saltLength = 16
    static let length = 32

    let cost: PasswordCost
    let salt: [UInt8]
    let bytes: [UInt8]

    init(cost: PasswordCost, salt: [UInt8], bytes: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.bytes = bytes
    }

    /// Reads a stored hash.
    /// - Throws: ``AccountError/Code/configuration`` for a text that ``text`` would not write.
    package init(text: String) throws(AccountError) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "scrypt", let cost = PasswordCost(text: parts[1]),
            let salt = Base64URL.decode(parts[2]), salt.count == Self.saltLength,
            let bytes = Base64URL.decode(parts[3]), bytes.count == Self.length
        else {
            throw AccountError(.configuration, "a stored hash of a password has no form that this version knows")
        }
        self.init(cost: cost, salt: salt, bytes: bytes)
    }

    /// The text to store.
    package var text: String { "scrypt$\(cost.text)$\(Base64URL.text(salt))$\(Base64URL.text(bytes))" }

    /// Whether a parameter of the hash is lower than the present one. A hash with higher parameters stays.
    package func needsRehash(for present: PasswordCost) -> Bool {
        cost.roundsExponent < present.roundsExponent || cost.blockSize < present.blockSize
            || cost.parallelism < present.parallelism
    }

    /// Computes scrypt, which takes the memory and the time of the cost, on the calling thread.
    static func bytes(of password: Password, salt: [UInt8], cost: PasswordCost) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: Array(password.text.utf8), salt: salt, outputByteCount: length, rounds: 1 << cost.roundsExponent,
            blockSize: cost.blockSize, parallelism: cost.parallelism)
        return unsafe key.withUnsafeBytes { unsafe Array($0) }
    }
}

extension PasswordCost {
    fileprivate var text: String { "ln=\(roundsExponent),r=\(blockSize),p=\(parallelism)" }

    /// - Parameter text: as ``text`` writes it; nil for anything else, and for parameters out of bounds.
    fileprivate init?(text: Substring) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.split(separator: "=", maxSplits: 1).last.flatMap { Int($0) } }
        guard numbers.count == 3, let exponent = numbers[0], let blockSize = numbers[1], let parallelism = numbers[2],
            Self.roundsExponents.contains(exponent), Self.blockSizes.contains(blockSize),
            Self.parallelisms.contains(parallelism)
        else { return nil }
        self.init(roundsExponent: exponent, blockSize: blockSize, parallelism: parallelism)
        guard self.text == text else { return nil }
    }
}
