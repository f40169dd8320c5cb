import Foundation
import Testing

@Suite("The documentation of the audit")
struct DocumentedAuditTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test("lists every event, and no other")
    func events() throws {
        let folder = root.appending(path: "Sources/AccountService")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap {
            $0 as? URL
        }
        var coded: Set<String> = []
        for file in files ?? [] where file.lastPathComponent.hasPrefix("AuditEvent") {
            let source = try String(contentsOf: file, encoding: .utf8)
            coded.formUnion(source.matches(of: #/static let \w+ = Self\(rawValue: "(\w+)"\)/#).map { String($0.1) })
        }
        let document = try String(contentsOf: root.appending(path: "Docs/operations.md"), encoding: .utf8)
        let table = try #require(document.components(separatedBy: "\n| event | subject | detail |\n").last)
            .split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("|") }
        let documented = table.flatMap { row in
            row.split(separator: "|")[0].matches(of: #/`(\w+)`/#).map { String($0.1) }
        }
        #expect(coded.count > 9)
        #expect(Set(documented) == coded && documented.count == coded.count)
    }
}
