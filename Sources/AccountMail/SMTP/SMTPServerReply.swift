/// A reply of a mail server: a code, and one or more lines of text (RFC 5321 §4.2).
///
/// The text may quote an address, so it is not for logs.
package struct SMTPServerReply: Hashable, Sendable {
    /// Three digits, 200 to 599.
    package let code: Int
    /// The texts of the lines, without the codes and the line endings.
    package let lines: [String]

    package init(code: Int, lines: [String]) {
        self.code = code
        self.lines = lines
    }

    /// Whether the server has done what it was asked.
    package var isPositive: Bool { (200..<300).contains(code) }

    /// Whether the server asks to try again later.
    package var isTransient: Bool { (400..<500).contains(code) }

    /// The enhanced status code at the head of the text (RFC 3463), such as `5.1.1`.
    package var enhancedStatus: String? {
        guard let word = lines.first?.prefix(while: { $0 != " " }) else { return nil }
        let parts = word.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, Int(parts[0]) == code / 100,
            parts.allSatisfy({ (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        return String(word)
    }

    /// The code and the enhanced status code, as a failure of a mail names them: `smtp_550_5.1.1`.
    package var failure: String { "smtp_\(code)" + (enhancedStatus.map { "_" + $0 } ?? "") }
}

/// Cuts what a mail server sends into replies, within bounds.
struct SMTPReplyReader: Sendable {
    /// An error of a server that doesn't speak SMTP, or speaks too much.
    struct NotSMTP: Error, Equatable {}

    /// Bytes of a line, with its ending. RFC 5321 has 512; servers that answer EHLO with more exist.
    static let maximumLine = 2_048
    /// Bytes of a whole reply.
    static let maximumReply = 65_536

    private var buffer: [UInt8] = []
    /// The offset at which the next line begins.
    private var start = 0
    private var code: Int?
    private var lines: [String] = []

    /// Whether nothing has come that no reply has used.
    var isEmpty: Bool { buffer.isEmpty && lines.isEmpty }

    mutating func append(_ bytes: some Collection<UInt8>) { buffer.append(contentsOf: bytes) }

    /// Returns the next reply; nil when more bytes are needed.
    mutating func next() throws(NotSMTP) -> SMTPServerReply? {
        while let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
            guard end > start, buffer[end - 1] == UInt8(ascii: "\r"), end + 1 - start <= Self.maximumLine,
                end + 1 <= Self.maximumReply
            else { throw NotSMTP() }
            let isLast = try read(buffer[start..<end - 1])
            start = end + 1
            if isLast, let code {
                let reply = SMTPServerReply(code: code, lines: lines)
                buffer.removeFirst(start)
                start = 0
                self.code = nil
                lines = []
                return reply
            }
        }
        guard buffer.count - start <= Self.maximumLine, buffer.count <= Self.maximumReply else { throw NotSMTP() }
        return nil
    }

    /// - Returns: Whether the line is the last of its reply.
    private mutating func read(_ line: ArraySlice<UInt8>) throws(NotSMTP) -> Bool {
        let digits = line.prefix(3)
        guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }),
            !line.contains(UInt8(ascii: "\r")), !line.contains(0)
        else { throw NotSMTP() }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard (200...599).contains(number), code == nil || code == number else { throw NotSMTP() }
        code = number
        let rest = line.dropFirst(3)
        guard let mark = rest.first else {
            lines.append("")
            return true
        }
        guard mark == UInt8(ascii: " ") || mark == UInt8(ascii: "-") else { throw NotSMTP() }
        lines.append(String(decoding: rest.dropFirst(), as: UTF8.self))
        return mark == UInt8(ascii: " ")
    }
}
