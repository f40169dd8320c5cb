import Foundation
import Testing

@Suite("The documentation of error codes")
struct DocumentedCodesTests {
    @Test("lists every code with its status, and no other")
    func same() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let source = try String(
            contentsOf: root.appending(path: "Sources/AccountAPI/Errors/ErrorCode.swift"), encoding: .utf8)
        let document = try String(contentsOf: root.appending(path: "Docs/errors.md"), encoding: .utf8)
        let coded = try pairs(
            in: source,
            matching:
                #"/// (?<status>\d{3})\. [^\n]*\n(?:    /// [^\n]*\n)*    public static let `?\w+`? = Self\("(?<code>\w+)"\)"#
        )
        let documented = try pairs(in: document, matching: #"\| `(?<code>\w+)` \| (?<status>\d{3}) \|"#)
        #expect(coded.count > 40)
        #expect(coded == documented)
    }

    private func pairs(in text: String, matching pattern: String) throws -> Set<String> {
        let expression = try NSRegularExpression(pattern: pattern)
        let whole = NSRange(text.startIndex..., in: text)
        return Set(
            expression.matches(in: text, range: whole).compactMap { match in
                guard
                    let code = Range(match.range(withName: "code"), in: text),
                    let status = Range(match.range(withName: "status"), in: text)
                else { return nil }
                return "\(text[code]) \(text[status])"
            })
    }
}
