import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import TaskSignals
import Testing

/// The service's answers in the order of the calls, as text, for a comparison with a recorded file.
///
/// Random values are replaced by numbered names, such as `<acc 1>`: equal values have equal names. The clock stands
/// still in tests, so times are written as they are. Pages are written without their bodies, errors without their
/// messages, because programs rely on neither.
final class WireTranscript: Sendable {
    private let state = Lock(State())

    /// Headers that most answers have. They are written where they are absent.
    private static let usualHeaders = [
        "cache-control: no-store", "content-type: application/json", "referrer-policy: same-origin",
        "x-content-type-options: nosniff", "x-request-id: <request>",
        "content-security-policy: default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
            + "frame-ancestors 'none'; base-uri 'none'",
    ]

    private struct State {
        var text = ""
        var names = ValueNames()
    }

    /// Appends an answer.
    /// - Parameter call: The method, the path and what is special about the request. Random values are replaced here,
    ///   too.
    @discardableResult
    func note(_ call: String, _ answer: TestResponse) throws -> TestResponse {
        try state.withLock { state in
            var lines = ["", "\(answer.status.code)"]
            let id = try #require(answer.header("X-Request-ID"))
            let headers = answer.headers.map {
                // The name of a page's file has a hash of its content.
                "\($0.name.canonicalName): \($0.value)".replacing(id, with: "<request>")
                    .replacing(/-[0-9a-f]{16}\./, with: "-….")
            }
            lines += headers.filter { !Self.usualHeaders.contains($0) && !$0.hasPrefix("content-length:") }.sorted()
            lines += Self.usualHeaders.filter { !headers.contains($0) }.map { "without \($0)" }
            lines.append(try Self.body(of: answer))
            let text = lines.joined(separator: "\n").replacing(id, with: "<request>")
            state.text += "## " + state.names.replacing(in: call) + state.names.replacing(in: text) + "\n"
        }
        return answer
    }

    /// Compares with `Recorded/NAME.txt`.
    func expect(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let text = try state.withLock { state in try state.text + state.names.tokens() }
        try Recording.expect(name, text, location: sourceLocation)
    }

    private static func body(of answer: TestResponse) throws -> String {
        switch answer.headers[.contentType]?.prefix(while: { $0 != ";" }) {
        case nil: return answer.text
        case "application/json":
            let value = try JSONSerialization.jsonObject(with: Data(answer.body.readableBytesView))
            let text = try JSONSerialization.data(
                withJSONObject: value, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
            return String(decoding: text, as: UTF8.self).replacing(/"message" : ".*"/, with: #""message" : …"#) + "\n"
        case "text/html": return "(a page)\n"
        default: return answer.text
        }
    }
}

/// Names for random values: equal values have equal names.
private struct ValueNames {
    private var names: [Substring: String] = [:]
    private var counts: [String: Int] = [:]
    private var namedTokens: [(name: String, token: Substring)] = []

    /// In this order: a later one would find parts of an earlier one.
    private static var kinds: [(kind: String?, pattern: Regex<Substring>)] {
        [
            ("token", /eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/),
            ("challenge", /c1\.[\w.-]{20,}/),
            ("refresh token", /ses_[0-9a-z]{26}\.[\w-]+/),
            // The name is the prefix.
            (nil, /(?:acc|aut|con|idn|key|ses)_[0-9a-z]{26}/),
            ("deletion", /del_[\w-]{43}/),
            ("sub", /\d{6}\.[0-9a-f]{32}\.\d{4}/),
            ("address", /[0-9a-z]+@privaterelay\.appleid\.com/),
            ("user code", /\b[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}\b/),
            ("secret", /[\w-]{40,}/),
        ]
    }

    mutating func replacing(in text: String) -> String {
        var text = text
        for (kind, pattern) in Self.kinds {
            text = text.replacing(pattern) { match in name(of: match.output, kind: kind) }
        }
        return text
    }

    private mutating func name(of value: Substring, kind: String?) -> String {
        if let name = names[value] { return name }
        let kind = kind ?? String(value.prefix { $0 != "_" })
        let count = counts[kind, default: 0] + 1
        counts[kind] = count
        let name = "<\(kind) \(count)>"
        names[value] = name
        if kind == "token" { namedTokens.append((name, value)) }
        return name
    }

    /// The headers and claims of all tokens.
    mutating func tokens() throws -> String {
        var text = ""
        for (name, token) in namedTokens {
            text += "## \(name)\n"
            for part in token.split(separator: ".").prefix(2) {
                let value = try JSONSerialization.jsonObject(with: try #require(Data(base64URL: part)))
                let json = try JSONSerialization.data(
                    withJSONObject: value, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
                text += replacing(in: String(decoding: json, as: UTF8.self)) + "\n"
            }
        }
        return text.replacing(/"(c_hash|jti|kid|nonce)" : "[^<"]*"/) { "\"\($0.output.1)\" : …" }
    }
}

extension Data {
    fileprivate init?(base64URL text: Substring) {
        let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
        self.init(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + padding)
    }
}
