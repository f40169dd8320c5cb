package import CommandIO
import Crypto
import Foundation

/// The recipient of a sealed file: an X25519 public key as age writes it, `age1…`.
package struct AgeRecipient: Sendable {
    let key: Curve25519.KeyAgreement.PublicKey

    /// Reads the text of a recipient.
    /// - Throws: ``Failure`` for any other text.
    package init(_ text: String) throws(Failure) {
        guard let bytes = Bech32.decode(text, prefix: "age"), bytes.count == 32 else {
            throw Failure("this is no recipient of age, age1…", isUsage: true)
        }
        do {
            key = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: bytes)
        } catch {
            throw Failure("this is no recipient of age, age1…", isUsage: true)
        }
    }
}

/// The private key that opens a sealed file, as `age-keygen` writes it.
package struct AgeIdentity: Sendable {
    let key: Curve25519.KeyAgreement.PrivateKey

    /// Reads a file of age: comments, and one line with the key.
    /// - Throws: ``Failure`` that quotes nothing from the file.
    package init(fileText: String) throws(Failure) {
        let lines = fileText.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
        guard lines.count == 1, let bytes = Bech32.decode(lines[0], prefix: "age-secret-key-"), bytes.count == 32 else {
            throw Failure("the identity file has no single line AGE-SECRET-KEY-1…", isUsage: true)
        }
        do {
            key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes)
        } catch {
            throw Failure("the identity file has no key of age", isUsage: true)
        }
    }
}

/// The format of age, version 1 (https://age-encryption.org/v1), with one X25519 recipient.
private enum AgeFormat {
    static let firstLine = "age-encryption.org/v1\n"
    static let chunk = 65_536
    static let tag = 16

    static func wrapKey(_ secret: SharedSecret, share: [UInt8], recipient: [UInt8]) -> SymmetricKey {
        secret.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: share + recipient, sharedInfo: Array("age-encryption.org/v1/X25519".utf8),
            outputByteCount: 32)
    }

    /// Computes the authentication code of a header, which ends with `---`.
    static func mac(of header: String, fileKey: SymmetricKey) -> [UInt8] {
        let key = HKDF<SHA256>.deriveKey(inputKeyMaterial: fileKey, info: Array("header".utf8), outputByteCount: 32)
        return Array(HMAC<SHA256>.authenticationCode(for: Array(header.utf8), using: key))
    }

    /// Checks an authentication code in constant time.
    static func isValid(_ mac: [UInt8], of header: String, fileKey: SymmetricKey) -> Bool {
        let key = HKDF<SHA256>.deriveKey(inputKeyMaterial: fileKey, info: Array("header".utf8), outputByteCount: 32)
        return HMAC<SHA256>.isValidAuthenticationCode(mac, authenticating: Array(header.utf8), using: key)
    }

    static func payloadKey(_ fileKey: SymmetricKey, nonce: [UInt8]) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: fileKey, salt: nonce, info: Array("payload".utf8), outputByteCount: 32)
    }

    static func nonce(_ counter: UInt64, isLast: Bool) throws -> ChaChaPoly.Nonce {
        var bytes: [UInt8] = [0, 0, 0]
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * $0)) }
        bytes.append(isLast ? 1 : 0)
        return try ChaChaPoly.Nonce(data: bytes)
    }

    static func base64(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("=", with: "")
    }

    static func bytes(base64 text: some StringProtocol) -> [UInt8]? {
        guard !text.contains("=") else { return nil }
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: String(text) + padding).map(Array.init)
    }
}

/// Seals a stream for a recipient, in the format of age.
///
/// Write the bytes of ``begin()``, then those of ``seal(_:)`` for each piece of the stream, then those of ``finish()``.
struct AgeSealer {
    private let header: [UInt8]
    private let key: SymmetricKey
    private var buffer: [UInt8] = []
    private var counter: UInt64 = 0

    init(for recipient: AgeRecipient) throws {
        let fileKey = SymmetricKey(size: .bits128)
        let ephemeral = Curve25519.KeyAgreement.PrivateKey()
        let share = Array(ephemeral.publicKey.rawRepresentation)
        let wrapKey = AgeFormat.wrapKey(
            try ephemeral.sharedSecretFromKeyAgreement(with: recipient.key), share: share,
            recipient: Array(recipient.key.rawRepresentation))
        let box = try unsafe fileKey.withUnsafeBytes {
            try unsafe ChaChaPoly.seal(
                Data($0), using: wrapKey, nonce: ChaChaPoly.Nonce(data: [UInt8](repeating: 0, count: 12)))
        }
        let text =
            AgeFormat.firstLine + "-> X25519 \(AgeFormat.base64(share))\n"
            + AgeFormat.base64(Array(box.ciphertext) + Array(box.tag)) + "\n---"
        let nonce = unsafe SymmetricKey(size: .bits128).withUnsafeBytes { unsafe Array($0) }
        header = Array("\(text) \(AgeFormat.base64(AgeFormat.mac(of: text, fileKey: fileKey)))\n".utf8) + nonce
        key = AgeFormat.payloadKey(fileKey, nonce: nonce)
    }

    func begin() -> [UInt8] { header }

    mutating func seal(_ bytes: [UInt8]) throws -> [UInt8] {
        buffer += bytes
        var sealed: [UInt8] = []
        // The last chunk has a mark. So a full chunk waits here until more bytes follow it.
        while buffer.count > AgeFormat.chunk {
            sealed += try seal(chunk: Array(buffer.prefix(AgeFormat.chunk)), isLast: false)
            buffer.removeFirst(AgeFormat.chunk)
        }
        return sealed
    }

    mutating func finish() throws -> [UInt8] {
        defer { buffer = [] }
        return try seal(chunk: buffer, isLast: true)
    }

    private mutating func seal(chunk: [UInt8], isLast: Bool) throws -> [UInt8] {
        let box = try ChaChaPoly.seal(chunk, using: key, nonce: AgeFormat.nonce(counter, isLast: isLast))
        counter += 1
        return Array(box.ciphertext) + Array(box.tag)
    }
}

/// Opens a stream that ``AgeSealer`` or the program age has sealed.
struct AgeOpener {
    /// The maximum length of a header in bytes. A header has a few lines for each recipient.
    private static let maximumHeader = 16_384

    private let identity: AgeIdentity
    private var key: SymmetricKey?
    private var buffer: [UInt8] = []
    private var counter: UInt64 = 0
    private var isOver = false

    init(identity: AgeIdentity) {
        self.identity = identity
    }

    /// The number of bytes that ``isSealed(_:)`` needs.
    static let markLength = AgeFormat.firstLine.utf8.count

    /// Whether the first bytes of a stream are those of a sealed one.
    static func isSealed(_ head: [UInt8]) -> Bool { head.starts(with: Array(AgeFormat.firstLine.utf8)) }

    /// Opens the next bytes.
    /// - Parameter isLast: Whether no more bytes follow these.
    /// - Throws: ``Failure`` if the identity doesn't open the stream, or if the stream was changed or cut off.
    mutating func open(_ bytes: [UInt8], isLast: Bool) throws -> [UInt8] {
        buffer += bytes
        if key == nil {
            guard let read = try header() else {
                guard !isLast, buffer.count <= Self.maximumHeader else { throw Self.damaged }
                return []
            }
            key = read
        }
        var opened: [UInt8] = []
        let size = AgeFormat.chunk + AgeFormat.tag
        while buffer.count > size {
            opened += try open(chunk: Array(buffer.prefix(size)), isLast: false)
            buffer.removeFirst(size)
        }
        guard isLast, !isOver else { return opened }
        isOver = true
        return try opened + open(chunk: buffer, isLast: true)
    }

    private mutating func open(chunk: [UInt8], isLast: Bool) throws -> [UInt8] {
        guard let key, chunk.count >= AgeFormat.tag else { throw Self.damaged }
        do {
            let box = try ChaChaPoly.SealedBox(
                nonce: AgeFormat.nonce(counter, isLast: isLast), ciphertext: chunk.dropLast(AgeFormat.tag),
                tag: chunk.suffix(AgeFormat.tag))
            counter += 1
            return Array(try ChaChaPoly.open(box, using: key))
        } catch {
            throw Self.damaged
        }
    }

    /// Reads the header and the nonce after it, and removes both from the buffer.
    /// - Returns: The key of the payload; nil if more bytes are needed.
    private mutating func header() throws -> SymmetricKey? {
        let text = String(decoding: buffer.prefix(Self.maximumHeader), as: UTF8.self)
        guard let mark = text.firstRange(of: "\n--- "),
            let end = text[mark.upperBound...].firstIndex(of: "\n")
        else { return nil }
        let signed = String(text[..<mark.upperBound].dropLast())
        let length = text[...end].utf8.count
        guard buffer.count >= length + 16 else { return nil }
        var lines = signed.split(separator: "\n").dropFirst()
        while let line = lines.popFirst(), let body = lines.first {
            let words = line.split(separator: " ")
            guard words.count == 3, words[0] == "->", words[1] == "X25519",
                let share = AgeFormat.bytes(base64: words[2]), let wrapped = AgeFormat.bytes(base64: body),
                share.count == 32, wrapped.count == 16 + AgeFormat.tag, let fileKey = unwrap(wrapped, share: share)
            else { continue }
            guard let mac = AgeFormat.bytes(base64: text[mark.upperBound..<end]),
                AgeFormat.isValid(mac, of: signed, fileKey: fileKey)
            else { throw Self.damaged }
            let nonce = Array(buffer[length..<(length + 16)])
            buffer.removeFirst(length + 16)
            return AgeFormat.payloadKey(fileKey, nonce: nonce)
        }
        throw Failure("the file is not sealed for this identity")
    }

    /// Unwraps a file key; nil if it is wrapped for another recipient.
    private func unwrap(_ wrapped: [UInt8], share: [UInt8]) -> SymmetricKey? {
        do {
            let secret = try identity.key.sharedSecretFromKeyAgreement(
                with: Curve25519.KeyAgreement.PublicKey(rawRepresentation: share))
            let key = AgeFormat.wrapKey(
                secret, share: share, recipient: Array(identity.key.publicKey.rawRepresentation))
            let box = try ChaChaPoly.SealedBox(
                nonce: ChaChaPoly.Nonce(data: [UInt8](repeating: 0, count: 12)), ciphertext: wrapped.prefix(16),
                tag: wrapped.suffix(AgeFormat.tag))
            return SymmetricKey(data: try ChaChaPoly.open(box, using: key))
        } catch {
            return nil
        }
    }

    private static var damaged: Failure { Failure("the sealed file is damaged, or a part of it is missing") }
}
