import Foundation

/// The values of a mail, made fit for its templates.
///
/// Each value but `text` is one line. Control characters and characters that change the direction of the text around
/// them are gone, because names of devices and services are anybody's text. `happenedAt` is a time in words. An
/// announcement's `text` is there as `paragraphs`, too. For each `way` there is a value such as `wayIsApple`, because
/// templates can't compare.
struct MailValues: Sendable {
    private var values: [String: String]
    private var paragraphs: [String]

    init(_ values: [String: String], language: String) {
        var values = values
        paragraphs = []
        for (name, value) in values {
            switch name {
            case "text":
                let text = Self.lines(value)
                values[name] = text
                paragraphs = text.split(separator: #/\n\s*\n/#).map(String.init)
            case "happenedAt": values[name] = Self.time(value, language: language) ?? Self.oneLine(value)
            default: values[name] = Self.oneLine(value)
            }
        }
        switch values["way"] {
        case "apple": values["wayIsApple"] = "true"
        case "email": values["wayIsEmail"] = "true"
        case "password": values["wayIsPassword"] = "true"
        case "link": values["wayIsLink"] = "true"
        case "other": values["wayIsOther"] = "true"
        case "provider": values["wayIsProvider"] = "true"
        default: break
        }
        values["language"] = language
        // An empty value is as good as none: a section for it stays away.
        self.values = values.filter { !$0.value.isEmpty }
    }

    /// The values as templates see them.
    var context: [String: Any] {
        var context: [String: Any] = values
        context["paragraphs"] = paragraphs
        return context
    }

    func adding(title: String) -> Self {
        var copy = self
        copy.values["title"] = title
        return copy
    }

    var escapedForHTML: Self {
        var copy = self
        copy.values = values.mapValues(Self.escaped)
        copy.paragraphs = paragraphs.map(Self.escaped)
        return copy
    }

    /// Escapes a text for HTML. It goes by bytes, because a character of Swift's may be a quotation mark together with
    /// what follows it.
    private static func escaped(_ text: String) -> String {
        var escaped: [UInt8] = []
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

    /// A text in one line: each run of white space and control characters is one space.
    static func oneLine(_ text: String) -> String {
        lines(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// A text without control characters but line breaks, and without characters that turn the text around.
    private static func lines(_ text: String) -> String {
        var kept = String.UnicodeScalarView()
        var wasReturn = false
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A where wasReturn: break
            case 0x0A, 0x0D, 0x2028, 0x2029: kept.append("\n")
            case 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C: break
            default: kept.append(scalar.properties.generalCategory == .control ? " " : scalar)
            }
            wasReturn = scalar.value == 0x0D
        }
        return String(kept)
    }

    /// A time in UTC, as the language writes it.
    /// - Parameter text: by RFC 3339.
    private static func time(_ text: String, language: String) -> String? {
        let formats = [
            Date.ISO8601FormatStyle(), Date.ISO8601FormatStyle(includingFractionalSeconds: true),
        ]
        guard let date = formats.lazy.compactMap({ try? $0.parse(text) }).first else { return nil }
        var style = Date.FormatStyle(date: .long, time: .shortened, locale: Locale(identifier: language))
        style.timeZone = .gmt
        // Some languages put a narrow space before the half of the day, which not every mail program can show.
        return style.format(date).replacing("\u{202F}", with: " ") + " UTC"
    }
}
