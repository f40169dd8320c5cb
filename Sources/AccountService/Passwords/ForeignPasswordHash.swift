import AppleID
import AppleIDTypes
import CCrypt
import Crypto
import CryptoExtras
import Foundation

/// The hash of a password by another service. It signs its person in once; then a hash of ours takes its place.
///
/// Its text is bcrypt's, `$2b$10$…`, or that of Firebase's scrypt as Supabase writes it:
/// `$fbscrypt$v=1,n=14,r=8,p=1,ss=SEPARATOR,sk=SIGNER-KEY$SALT$HASH`, with base64 in four places.
package struct ForeignPasswordHash: Equatable, Sendable, Redacted {
    /// The hash that a password is compared with.
    enum Method: Equatable, Sendable {
        case bcrypt
        case firebase(FirebaseScrypt, salt: [UInt8])
    }

    /// The highest cost of bcrypt that is checked: about a second and a half. Others use 10 to 12.
    static let bcryptCosts = 4...14

    /// The text to store.
    package let text: String
    let method: Method
    /// The bytes that a right password gives.
    let bytes: [UInt8]

    /// Reads a hash as the other service has stored it; nil for a kind that can't be checked here.
    package init?(text: String) {
        if text.hasPrefix("$2") {
            guard Self.isBcrypt(text) else { return nil }
            self.init(text: text, method: .bcrypt, bytes: Array(text.utf8))
        } else {
            guard let (scrypt, salt, hash) = Self.firebaseParts(of: text) else { return nil }
            self.init(text: text, method: .firebase(scrypt, salt: salt), bytes: hash)
        }
    }

    /// Makes the hash of an account of Firebase.
    /// - Parameters:
    ///   - salt: The account's salt.
    ///   - hash: The account's hash.
    package init?(_ scrypt: FirebaseScrypt, salt: [UInt8], hash: [UInt8]) {
        guard hash.count == scrypt.signerKey.count, salt.count <= 1_024 else { return nil }
        let parameters =
            "v=1,n=\(scrypt.memoryCost),r=\(scrypt.rounds),p=1,ss=\(Self.base64(scrypt.saltSeparator)),"
            + "sk=\(Self.base64(scrypt.signerKey))"
        self.init(
            text: "$fbscrypt$\(parameters)$\(Self.base64(salt))$\(Self.base64(hash))",
            method: .firebase(scrypt, salt: salt), bytes: hash)
    }

    private init(text: String, method: Method, bytes: [UInt8]) {
        self.text = text
        self.method = method
        self.bytes = bytes
    }

    /// Whether this machine has what checks the hash: libcrypt for bcrypt.
    package var canBeChecked: Bool {
        switch method {
        case .bcrypt: crypt_is_available() != 0
        case .firebase: true
        }
    }

    /// Hashes a password as the other service does, on the calling thread.
    func bytes(of password: Password) throws -> [UInt8] {
        switch method {
        case .bcrypt: try Self.bcrypt(password, text)
        case .firebase(let scrypt, let salt): try scrypt.bytes(of: password, salt: salt)
        }
    }

    /// The work of the check, by which the rest of the present cost is computed; nil where only its time tells.
    var cost: PasswordCost? {
        switch method {
        case .bcrypt: nil
        case .firebase(let scrypt, _): scrypt.cost
        }
    }

    // MARK: bcrypt

    /// `$2b$10$`, 22 characters of salt and 31 of hash. `$2a$` and `$2y$` are the same algorithm.
    private static func isBcrypt(_ text: String) -> Bool {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard text.utf8.count == 60, parts.count == 4, parts[0].isEmpty, ["2a", "2b", "2y"].contains(parts[1]),
            parts[2].utf8.count == 2, parts[2].allSatisfy(\.isNumber), let cost = Int(parts[2]),
            bcryptCosts.contains(cost)
        else { return false }
        return parts[3].utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "/"): true
            default: false
            }
        }
    }

    private static func bcrypt(_ password: Password, _ stored: String) throws -> [UInt8] {
        // bcrypt ends at U+0000, so it would take a part of the password for the whole.
        guard !password.text.utf8.contains(0) else { return [] }
        var output = [CChar](repeating: 0, count: 128)
        let failure = unsafe output.withUnsafeMutableBufferPointer { space in
            unsafe crypt_password(password.text, stored, space.baseAddress, space.count)
        }
        guard failure == 0 else {
            throw AccountError(.configuration, "libcrypt doesn't check this kind of hash of a password")
        }
        return output.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    }

    // MARK: Firebase

    private static func firebaseParts(of text: String) -> (FirebaseScrypt, salt: [UInt8], hash: [UInt8])? {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "fbscrypt", let salt = bytes(base64: parts[3]),
            let hash = bytes(base64: parts[4]), salt.count <= 1_024
        else { return nil }
        var values: [Substring: Substring] = [:]
        for part in parts[2].split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, values.updateValue(pair[1], forKey: pair[0]) == nil else { return nil }
        }
        guard values["v"] == "1", values["p"] == "1", let memory = values["n"].flatMap({ Int($0) }),
            let rounds = values["r"].flatMap({ Int($0) }), let signer = values["sk"].flatMap({ bytes(base64: $0) }),
            let separator = bytes(base64: values["ss"] ?? ""),
            let scrypt = FirebaseScrypt(
                signerKey: signer, saltSeparator: separator, rounds: rounds, memoryCost: memory),
            hash.count == signer.count
        else { return nil }
        return (scrypt, salt, hash)
    }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    private static func bytes(base64 text: some StringProtocol) -> [UInt8]? {
        Data(base64Encoded: String(text)).map(Array.init)
    }
}

/// The parameters of a Firebase project's password hashes, which its console shows.
///
/// Firebase derives a key from the password by scrypt, and encrypts the project's signer key with it.
package struct FirebaseScrypt: Equatable, Sendable, Redacted {
    static let memoryCosts = 1...17
    static let allRounds = 1...32
    /// The most memory that a check may take, in bytes. Firebase's own parameters take 16 MiB.
    static let maximumMemory = 64 << 20

    package let signerKey: [UInt8]
    package let saltSeparator: [UInt8]
    package let rounds: Int
    package let memoryCost: Int

    /// Takes the parameters; nil where one is out of bounds.
    package init?(signerKey: [UInt8], saltSeparator: [UInt8], rounds: Int, memoryCost: Int) {
        guard (1...256).contains(signerKey.count), saltSeparator.count <= 64, Self.allRounds.contains(rounds),
            Self.memoryCosts.contains(memoryCost), (128 * rounds) << memoryCost <= Self.maximumMemory,
            // RFC 7914, section 2: N is less than 2^(128 * r / 8).
            memoryCost < 16 * rounds
        else { return nil }
        self.signerKey = signerKey
        self.saltSeparator = saltSeparator
        self.rounds = rounds
        self.memoryCost = memoryCost
    }

    fileprivate var cost: PasswordCost {
        PasswordCost(roundsExponent: memoryCost, blockSize: rounds, parallelism: 1)
    }

    fileprivate func bytes(of password: Password, salt: [UInt8]) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: Array(password.text.utf8), salt: salt + saltSeparator, outputByteCount: 32, rounds: 1 << memoryCost,
            blockSize: rounds, parallelism: 1)
        let start = try AES._CTR.Nonce(nonceBytes: [UInt8](repeating: 0, count: 16))
        return Array(try AES._CTR.encrypt(signerKey, using: key, nonce: start))
    }
}
