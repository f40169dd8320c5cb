import Foundation
import Testing

/// The table of the documentation and the tests of this target are one list.
@Suite("The table of the seeds' snippets")
struct SeedTableTests {
    private let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test("has a row for each test and a test for each row")
    func same() throws {
        let tests = try tests()
        let rows = try rows()
        #expect(tests.count > 30)
        #expect(Set(tests).count == tests.count)
        #expect(Set(rows).count == rows.count)
        #expect(Set(tests).subtracting(rows) == [], "tests without a row")
        #expect(Set(rows).subtracting(tests) == [], "rows without a test")
    }

    /// Names like "Juice › Section › what".
    private func tests() throws -> [String] {
        let folder = root.appending(path: "Tests/SeedTests")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var names: [String] = []
        for case let file as URL in try #require(files) where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            names += text.matches(of: /@Test\(\s*"(?<name>[^"]+ › [^"]+ › [^"]+)"/).map { String($0.output.name) }
        }
        return names
    }

    /// First cells of the tables below the heading that names them.
    private func rows() throws -> [String] {
        let text = try String(contentsOf: root.appending(path: "Docs/seeds.md"), encoding: .utf8)
        return text.matches(of: /(?m)^\| (?<name>[^|›]+ › [^|›]+ › [^|›]+?) \|/).map { String($0.output.name) }
    }
}
