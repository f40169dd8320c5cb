import Mustache

/// Escapes text for HTML, byte by byte.
///
/// Mustache's own escaping goes by characters, and a quotation mark with a combining mark behind it is another
/// character to it: it would leave that one as it is, and a browser, which goes by code points, would see the end of
/// an attribute. Names and addresses here are anybody's text.
struct HTMLText: MustacheContentType {
    /// The tag at the head of a template that has its values escaped this way.
    static let directive: String = {
        let name = "SIWA_HTML"
        MustacheContentTypes.register(HTMLText(), named: name)
        return "{{% CONTENT_TYPE:\(name)}}"
    }()

    func escapeText(_ text: String) -> String {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "&"): escaped += "&amp;".utf8
            case UInt8(ascii: "<"): escaped += "&lt;".utf8
            case UInt8(ascii: ">"): escaped += "&gt;".utf8
            case UInt8(ascii: "\""): escaped += "&quot;".utf8
            case UInt8(ascii: "'"): escaped += "&#39;".utf8
            default: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
