import AccountAPI
import Foundation
import HTTPTypes
import Testing

@testable import AccountHTTP

@Suite("The documentation of error codes")
struct DocumentedCodesTests {
    private struct Line: Hashable {
        var code: String
        var status: String
        var text: String
    }

    private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func documented() throws -> Set<Line> {
        let document = try String(contentsOf: root.appending(path: "Docs/errors.md"), encoding: .utf8)
        return Set(
            document.matches(of: #/\| `(?<code>\w+)` \| (?<status>\d{3}) \| (?<text>.*) \|/#).map { line in
                Line(code: String(line.code), status: String(line.status), text: String(line.text))
            })
    }

    @Test("lists every code with its status, in the words of its comment, and no other")
    func same() throws {
        let source = try String(
            contentsOf: root.appending(path: "Sources/AccountAPI/Errors/ErrorCode.swift"), encoding: .utf8)
        let comments =
            #/(?<comment>(?: {4}\/\/\/ [^\n]*\n)+) {4}public static let `?\w+`? = Self\(\.(?<name>\w+)\)/#
        let cases = source.matches(of: /\n {8}case `?(?<name>\w+)`?(?: = "(?<word>\w+)")?(?=\n)/)
        let words = Dictionary(
            cases.map { (String($0.name), String($0.word ?? $0.name)) }, uniquingKeysWith: { first, _ in first })
        let coded = source.matches(of: comments).map { match in
            let comment = match.comment.split(separator: "\n").map { $0.dropFirst("    /// ".count) }
                .joined(separator: " ")
            return Line(
                code: words[String(match.name)] ?? "", status: String(comment.prefix(3)),
                text: String(comment.dropFirst("400. ".count)))
        }
        #expect(coded.count > 40)
        #expect(try documented() == Set(coded))
    }

    @Test("tells the status with which each is answered")
    func status() throws {
        for line in try documented() {
            #expect(ErrorCode.Known(rawValue: line.code)?.status.code == Int(line.status), "\(line.code)")
        }
    }
}
