/// Makes header fields of values (RFC 5322, RFC 2047).
///
/// A value never gets into a field as it is: text becomes words, quoted strings or encoded words, all printable ASCII. So
/// no value can begin another field.
enum HeaderField {
    /// The number of columns at which a field goes on in the next line.
    private static let columns = 76

    /// A field of unstructured text, such as a subject.
    static func text(_ name: String, _ text: String) -> String {
        let isPlain =
            !text.contains("=?") && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            && text.split(separator: " ").allSatisfy { $0.utf8.count <= 60 }
        return folded(name, isPlain ? text.split(separator: " ").map(String.init) : encodedWords(text))
    }

    /// A field with one address. The name may be any text.
    static func mailbox(_ name: String, displayName: String?, _ address: MailboxAddress) -> String {
        guard let displayName else { return folded(name, ["\(address)"]) }
        return folded(name, phrase(displayName) + ["<\(address)>"])
    }

    /// A field of tokens that this package makes.
    static func tokens(_ name: String, _ words: String...) -> String { folded(name, words) }

    /// A display name as one quoted string, or as encoded words.
    private static func phrase(_ text: String) -> [String] {
        guard text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }), text.utf8.count <= 60 else {
            return encodedWords(text)
        }
        let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return ["\"\(escaped)\""]
    }

    /// RFC 2047 §2: at most 75 characters each, and each has whole characters.
    static func encodedWords(_ text: String) -> [String] {
        let (head, tail) = ("=?utf-8?B?", "?=")
        // 52 characters of base64, so that the word stands beside the field's name.
        let limit = 39
        var words: [String] = []
        var bytes: [UInt8] = []
        func finish() {
            words.append(head + Base64Lines.text(bytes) + tail)
            bytes = []
        }
        for character in text {
            // A character of Swift's may have any number of code points.
            let units =
                character.utf8.count <= limit ? [String(character)] : character.unicodeScalars.map { String($0) }
            for unit in units {
                if bytes.count + unit.utf8.count > limit { finish() }
                bytes += unit.utf8
            }
        }
        if !bytes.isEmpty { finish() }
        return words
    }

    /// The words behind the name, with a line break and a space where a line is full.
    private static func folded(_ name: String, _ words: [String]) -> String {
        var field = name + ":"
        var column = field.utf8.count
        for (index, word) in words.enumerated() {
            if index > 0, column + 1 + word.utf8.count > columns {
                field += "\r\n"
                column = 0
            }
            field += " " + word
            column += 1 + word.utf8.count
        }
        return field + "\r\n"
    }
}
