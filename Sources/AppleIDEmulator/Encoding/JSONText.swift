/// JSON to be sent. Members keep their order, and those without a value are left out, as in Apple's answers.
indirect enum JSONText: Sendable {
    case string(String)
    case integer(Int64)
    /// Finite.
    case number(Double)
    case bool(Bool)
    case array([JSONText])
    case object([(String, JSONText?)])

    /// A string member, or no member.
    static func string(_ value: String?) -> JSONText? { value.map { .string($0) } }

    var text: String {
        var text = ""
        write(into: &text)
        return text
    }

    private func write(into text: inout String) {
        switch self {
        case .string(let value): Self.write(value, into: &text)
        case .integer(let value): text += String(value)
        case .number(let value): text += value == value.rounded() ? String(Int64(value)) : String(value)
        case .bool(let value): text += value ? "true" : "false"
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                element.write(into: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            var isFirst = true
            for case (let name, let value?) in members {
                if !isFirst { text += "," }
                isFirst = false
                Self.write(name, into: &text)
                text += ":"
                value.write(into: &text)
            }
            text += "}"
        }
    }

    private static func write(_ value: String, into text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..."\u{1f}", "\u{7f}":
                text += "\\u00" + [UInt8(scalar.value)].hexadecimal
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
