import AppleIDTypes

/// The header members that verification looks at.
struct TokenHeader {
    let algorithm: Claim<String>
    let keyID: Claim<String>
}

extension TokenHeader {
    private static let beforeKeyID = Array(#"{"kid":""#.utf8)
    private static let behindKeyID = Array(#"","alg":"RS256"}"#.utf8)

    /// The header as Apple writes it, known by its bytes, since nearly every token has it: `kid` of letters and digits,
    /// `alg`, and nothing else. Nil for any other, which may be as good and has to be read.
    /// - Parameter range: where among the bytes the header's JSON is.
    init?(asAppleWritesIt bytes: [UInt8], in range: Range<Int>) {
        let (header, before, behind) = (bytes.span.extracting(range), Self.beforeKeyID.span, Self.behindKeyID.span)
        let end = header.count - behind.count
        guard end > before.count else { return nil }
        for index in before.indices where header[index] != before[index] { return nil }
        for index in behind.indices where header[end + index] != behind[index] { return nil }
        for index in before.count..<end where !Self.isLetterOrDigit(header[index]) { return nil }
        let keyID = bytes[range].dropFirst(before.count).dropLast(behind.count)
        self.init(algorithm: .value("RS256"), keyID: .value(String(decoding: keyID, as: UTF8.self)))
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
