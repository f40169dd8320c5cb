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
        let (header, before, behind) = (bytes[range], Self.beforeKeyID, Self.behindKeyID)
        guard header.count > before.count + behind.count, header.starts(with: before) else { return nil }
        guard header.suffix(behind.count).elementsEqual(behind) else { return nil }
        let keyID = header.dropFirst(before.count).dropLast(behind.count)
        guard keyID.allSatisfy(Self.isLetterOrDigit) else { return nil }
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
