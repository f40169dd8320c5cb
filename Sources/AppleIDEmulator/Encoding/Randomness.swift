import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Opaque values in the shapes that Apple's have.
struct Randomness {
    private let bytes: (Int) -> [UInt8]

    init(_ environment: EmulatorEnvironment) {
        bytes = environment.randomBytes
    }

    /// Ten capital letters and digits, as the portal names keys, and Apple its own in recent years.
    func portalID() -> String {
        letters(10, from: "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    }

    /// A code (`c`), access token (`a`) or refresh token (`r`), shaped like public samples: prefix, 32 hexadecimal
    /// digits, a digit, a few lowercase letters, and 22 base64url characters that carry 128 bits by themselves.
    func token(_ prefix: Character) -> String {
        let hex = bytes(16).hexadecimal
        let digit = letters(1, from: "0123456789")
        let word = letters(4, from: "mnpqrstuvwxyz")
        return "\(prefix)\(hex).\(digit).\(word).\(Base64URL.encode(bytes(16)))"
    }

    /// Names a page under way; 128 bits.
    func pageID() -> String { Base64URL.encode(bytes(16)) }

    /// The `jti` of a notification: 22 characters, as in samples.
    func notificationID() -> String { Base64URL.encode(bytes(16)) }

    /// Slightly uneven for alphabets whose size does not divide 256; these are names, not secrets.
    private func letters(_ count: Int, from alphabet: String) -> String {
        let alphabet = Array(alphabet)
        return String(bytes(count).map { alphabet[Int($0) % alphabet.count] })
    }
}

/// Compares a text with a secret, in a time that tells nothing about the secret.
enum SecretText {
    /// Compares hashes, because they have equal length, and the place of their first difference tells nothing about the
    /// texts.
    static func areEqual(_ given: String, _ secret: String) -> Bool {
        SHA256.hash(data: Data(given.utf8)) == SHA256.hash(data: Data(secret.utf8))
    }
}
