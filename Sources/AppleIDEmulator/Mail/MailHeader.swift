/// The fields above a mail's body, or above one part of it (RFC 5322 §2.2). Lines that are no fields are passed over.
struct MailHeader: Sendable {
    static let maximumCount = 500

    /// The fields, unfolded, otherwise as they came.
    let fields: [(name: String, value: String)]
    /// The offset at which the body begins.
    let end: Int

    init(of content: some RandomAccessCollection<UInt8>) {
        var fields: [(name: String, value: String)] = []
        var rest = content[...]
        while let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[rest.startIndex..<lineEnd]
            rest = rest[content.index(after: lineEnd)...]
            let text = String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
            if text.isEmpty { break }
            if text.first == " " || text.first == "\t" {
                if !fields.isEmpty { fields[fields.count - 1].value += " " + text.trimmingSpaces }
            } else if let colon = text.firstIndex(of: ":"), fields.count < Self.maximumCount {
                let value = text[text.index(after: colon)...].trimmingSpaces
                fields.append((String(text[..<colon].trimmingSpaces), String(value)))
            }
        }
        self.fields = fields
        end = content.distance(from: content.startIndex, to: rest.startIndex)
    }

    /// All values of that name, however its letters are written.
    subscript(name: String) -> [String] {
        let name = name.lowercased()
        return fields.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// The one address of the one `From`; nil when there are none or several.
    var author: MailAddress? {
        let values = self["From"]
        return values.count == 1 ? Self.address(in: values[0]) : nil
    }

    /// `a@b`, or `Name <a@b>` with a name that may be quoted. Comments are passed over.
    private static func address(in text: String) -> MailAddress? {
        var plain = ""
        var depth = 0
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if isEscaped {
                isEscaped = false
            } else if character == "\\", isQuoted || depth > 0 {
                isEscaped = true
            } else if character == "\"", depth == 0 {
                isQuoted.toggle()
            } else if isQuoted {
                continue
            } else if character == "(" {
                depth += 1
            } else if character == ")", depth > 0 {
                depth -= 1
            } else if depth == 0 {
                plain.append(character)
            }
        }
        guard !isQuoted, depth == 0, !plain.contains(",") else { return nil }
        guard let open = plain.firstIndex(of: "<") else { return MailAddress(plain.trimmingSpaces) }
        guard let close = plain.lastIndex(of: ">"), open < close,
            plain[plain.index(after: close)...].trimmingSpaces.isEmpty
        else { return nil }
        return MailAddress(plain[plain.index(after: open)..<close])
    }
}
