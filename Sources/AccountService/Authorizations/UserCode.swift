import AppleID
import AppleIDTypes
import Crypto

/// The code that a person types to say which device is theirs: eight letters that are not mistaken for one another and
/// spell no words (RFC 8628 §6.1). There are 20⁸ codes, and guessing is limited.
struct UserCode: Hashable, Sendable, Redacted {
    static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)
    static let length = 8

    private let letters: [UInt8]

    /// - Parameter randomBytes: as many as asked for, from a cryptographic source.
    init(randomBytes: (Int) -> [UInt8]) {
        // A byte that would make some letters likelier than others is thrown away.
        let fair = 256 - 256 % Self.alphabet.count
        var letters: [UInt8] = []
        while letters.count < Self.length {
            letters += randomBytes(Self.length).filter { Int($0) < fair }
                .map { Self.alphabet[Int($0) % Self.alphabet.count] }
        }
        self.letters = Array(letters.prefix(Self.length))
    }

    /// Reads the code that a person typed, in whatever case, with or without hyphens and spaces; nil when the text
    /// cannot be a code.
    init?(typed text: String) {
        guard text.utf8.count <= 64 else { return nil }
        let letters = text.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: " ") }.map { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 0x20 : byte
        }
        guard letters.count == Self.length, letters.allSatisfy(Self.alphabet.contains) else { return nil }
        self.letters = letters
    }

    /// The code with a hyphen in its middle.
    var text: String {
        String(decoding: letters[..<4] + [UInt8(ascii: "-")] + letters[4...], as: UTF8.self)
    }

    /// The hash that a server of the previous version stores.
    var formerHash: TokenHash { TokenHash(of: letters) }

    /// The hash to store. Nobody can find the code by trying all codes without a key of the ring.
    func hash(with key: SymmetricKey) -> TokenHash {
        TokenHash(bytes: Array(HMAC<SHA256>.authenticationCode(for: letters, using: key)))
    }
}

/// The keys under which user codes are stored: one for each key of the ring, of which the first writes and all find.
struct UserCodeKeys: Sendable {
    /// How long after the start of the first server of this version an older one may still run beside it.
    static let upgrade: Duration = .hours(1)

    private let keyRing: KeyRingInUse
    private var keys: [SymmetricKey] { keyRing.derivedKeys(for: "user codes").map(\.key) }
    /// From when on codes are written under a key. A server of the previous version only finds codes in the former form,
    /// so that one is written while such a server may be asked for them.
    private let keyedFrom: Timestamp

    init(keyRing: KeyRingInUse, keyedFrom: Timestamp) {
        self.keyRing = keyRing
        self.keyedFrom = keyedFrom
    }

    /// The hash to store for a new code.
    func hash(of code: UserCode, at moment: Timestamp) -> TokenHash {
        moment < keyedFrom ? code.formerHash : code.hash(with: keys[0])
    }

    /// The hashes that a code may be stored as, most likely first.
    func hashes(of code: UserCode) -> [TokenHash] {
        keys.map { code.hash(with: $0) } + [code.formerHash]
    }
}
