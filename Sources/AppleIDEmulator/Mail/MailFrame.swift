/// The HTML of a mail as a document of its own, for a frame of the page that shows the mail.
///
/// Anybody can have written it. The policy that the document is served with (`Page.Powers.mail`) lets it run no script,
/// send no form and load nothing.
enum MailFrame {
    /// The powers of the frame: a link opens a tab of its own, which is not in the sandbox.
    static let sandbox = "allow-popups allow-popups-to-escape-sandbox"

    /// The rules by which a browser shows the document, also outside of the frame.
    static let contentSecurityPolicy = [
        "sandbox \(sandbox)", "default-src 'none'", "style-src 'unsafe-inline'", "img-src data:", "form-action 'none'",
        "base-uri 'none'", "frame-ancestors 'self'",
    ].joined(separator: "; ")

    /// Makes the document. A link without a target would load in the frame, so the first `base` gives it one: of
    /// several, only the first counts.
    static func document(_ html: String) -> String {
        "<!doctype html><meta charset=\"utf-8\"><base target=\"_blank\">" + withoutPreconnects(html)
    }

    /// No policy keeps `<link rel="preconnect">` from opening a connection, and Chromium opens one for a frame before it
    /// looks at the policy. So none of these elements is left. A browser takes the letters after `<` for the element's
    /// name as they stand, without references to characters.
    private static func withoutPreconnects(_ html: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(html.utf8)[...]
        let names = ["link", "iframe", "frame"].map { Array($0.utf8) }
        bytes.reserveCapacity(rest.count)
        while let byte = rest.popFirst() {
            bytes.append(byte)
            guard byte == UInt8(ascii: "<") else { continue }
            let isConnecting = names.contains { $0 == rest.prefix($0.count).map(lowercased) }
            if isConnecting { bytes += Array("x-".utf8) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
    }
}

/// The web addresses in a mail, so that a person can see where its links lead, and open them.
enum MailLinks {
    static let maximumCount = 50

    /// Returns the addresses in the HTML and then those in the text, each once, in their order.
    static func all(in body: MailBody) -> [String] {
        var links: [String] = []
        for text in (body.html.map(targets) ?? []) + (body.text.map(addresses) ?? []) {
            guard links.count < maximumCount else { break }
            guard let address = WebAddress(text)?.text, !links.contains(address) else { continue }
            links.append(address)
        }
        return links
    }

    /// The `href` of each `a`.
    private static func targets(_ html: String) -> [String] {
        var targets: [String] = []
        var rest = Array(html.utf8)[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            guard let name = rest.first, [UInt8(ascii: "a"), UInt8(ascii: "A")].contains(name) else { continue }
            rest = rest.dropFirst()
            guard rest.first.map(endsName) ?? true else { continue }
            let attributes = attributes(&rest)
            if let target = attributes.first(where: { $0.name == "href" })?.value { targets.append(target) }
        }
        return targets
    }

    /// Reads up to the `>` of a tag, by the forms that an attribute can have.
    private static func attributes(_ rest: inout ArraySlice<UInt8>) -> [(name: String, value: String)] {
        var attributes: [(name: String, value: String)] = []
        while true {
            rest = rest.drop { isSpace($0) || $0 == UInt8(ascii: "/") }
            guard let byte = rest.first, byte != UInt8(ascii: ">") else { return attributes }
            let name = rest.prefix { !endsName($0) && $0 != UInt8(ascii: "=") }
            rest = rest.dropFirst(max(1, name.count)).drop(while: isSpace)
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop(while: isSpace)
            let value: ArraySlice<UInt8>
            if let quote = rest.first, ["\"", "'"].contains(Unicode.Scalar(quote)) {
                value = rest.dropFirst().prefix { $0 != quote }
                rest = rest.dropFirst(value.count + 2)
            } else {
                value = rest.prefix { !isSpace($0) && $0 != UInt8(ascii: ">") }
                rest = rest.dropFirst(value.count)
            }
            attributes.append((text(name).lowercased(), withoutReferences(text(value))))
        }
    }

    /// Returns the web addresses in a text. An address ends at white space or a bracket. A full stop or a comma at its end
    /// belongs to the sentence.
    private static func addresses(_ text: String) -> [String] {
        text.split { $0.isWhitespace || "<>\"".contains($0) }.compactMap { word in
            guard let start = word.firstRange(of: "http://") ?? word.firstRange(of: "https://") else { return nil }
            var address = word[start.lowerBound...]
            while let last = address.last, ".,;:!?)]'".contains(last) { address = address.dropLast() }
            return String(address)
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Whether a byte ends the name of a tag.
    private static func endsName(_ byte: UInt8) -> Bool {
        isSpace(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// Reads the references to characters that an address needs.
    private static func withoutReferences(_ value: String) -> String {
        [("&#x3D;", "="), ("&#61;", "="), ("&#x2F;", "/"), ("&#47;", "/"), ("&amp;", "&"), ("&#38;", "&")]
            .reduce(String(value.trimmingSpaces)) { $0.replacing($1.0, with: $1.1) }
    }
}
