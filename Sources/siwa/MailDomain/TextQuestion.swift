/// One question of the domain name system for a name's TXT records, on the wire (RFC 1035 §4.1).
struct TextQuestion: Sendable {
    private static let text: UInt16 = 16
    private static let internet: UInt16 = 1

    /// Ours to know the answer by.
    let id: UInt16
    /// The name as lengths and labels, with the root's zero at its end.
    private let name: [UInt8]

    /// - Returns: nil for what is no name: a label is empty or longer than 63 bytes, or the whole than 255.
    init?(_ name: String, id: UInt16 = .random(in: .min ... .max)) {
        self.id = id
        var encoded: [UInt8] = []
        for label in name.split(separator: ".", omittingEmptySubsequences: false) {
            guard (1...63).contains(label.utf8.count) else { return nil }
            encoded.append(UInt8(label.utf8.count))
            encoded += label.utf8
        }
        guard encoded.count < 255 else { return nil }
        self.name = encoded + [0]
    }

    /// The message, with the wish that the server ask others (RD).
    var bytes: [UInt8] {
        Self.bytes(id) + Self.bytes(0x0100) + Self.bytes(1) + Self.bytes(0) + Self.bytes(0) + Self.bytes(0) + name
            + Self.bytes(Self.text) + Self.bytes(Self.internet)
    }

    /// What a message says to this question.
    /// - Returns: nil when it is another question's answer, or none at all: then the right one may still come.
    func answer(in message: [UInt8]) -> TextAnswer? {
        var reader = MessageReader(message[...])
        guard let header = reader.take(12), Self.word(header, 0) == id else { return nil }
        let flags = Self.word(header, 2)
        // An answer (QR) to an ordinary query (opcode 0), with our one question in it.
        guard flags & 0xF800 == 0x8000, Self.word(header, 4) == 1, let asked = reader.take(name.count + 4),
            asked.map(Self.lowercased)
                == (name + Self.bytes(Self.text) + Self.bytes(Self.internet)).map(Self.lowercased)
        else { return nil }
        guard flags & 0x0200 == 0 else { return .truncated }
        switch flags & 0x000F {
        case 0: return Self.texts(&reader, count: Self.word(header, 6)).map { .texts($0) } ?? .failed("malformed")
        case 3: return .texts([])
        case let code: return .failed("code \(code)")
        }
    }

    /// The texts among the records; each is one text, in however many pieces it comes (RFC 7208 §3.3, RFC 6376
    /// §3.6.2.2).
    private static func texts(_ reader: inout MessageReader, count: UInt16) -> [String]? {
        var texts: [String] = []
        for _ in 0..<count {
            guard reader.skipName(), let head = reader.take(10), let data = reader.take(Int(word(head, 8))) else {
                return nil
            }
            guard word(head, 0) == text, word(head, 2) == internet else { continue }
            var pieces = MessageReader(data)
            var whole: [UInt8] = []
            while let length = pieces.take(1)?.first {
                guard let piece = pieces.take(Int(length)) else { return nil }
                whole += piece
            }
            texts.append(String(decoding: whole, as: UTF8.self))
        }
        return texts
    }

    private static func bytes(_ word: UInt16) -> [UInt8] { [UInt8(word >> 8), UInt8(word & 0xFF)] }

    /// - Parameter offset: from the slice's start; the caller has made sure that two bytes are there.
    private static func word(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> UInt16 {
        UInt16(bytes[bytes.startIndex + offset]) << 8 | UInt16(bytes[bytes.startIndex + offset + 1])
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

/// Goes through a message, and never beyond its end.
private struct MessageReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// A name is labels up to a zero, or up to a pointer to the rest of it (RFC 1035 §4.1.4), which is not followed.
    mutating func skipName() -> Bool {
        while let length = take(1)?.first {
            if length == 0 { return true }
            if length & 0xC0 == 0xC0 { return take(1) != nil }
            guard length & 0xC0 == 0, take(Int(length)) != nil else { return false }
        }
        return false
    }
}
