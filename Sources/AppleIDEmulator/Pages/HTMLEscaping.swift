import Mustache

/// Escapes for HTML scalar by scalar.
///
/// Mustache's own escaping looks at whole characters. A quotation mark followed by a combining accent is another
/// character than a quotation mark, passes it, and ends an attribute all the same.
struct HTMLEscaping: MustacheContentType {
    /// To be named in a `CONTENT_TYPE` pragma at the top of each template.
    static let name = "SCALARS"

    func escapeText(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
