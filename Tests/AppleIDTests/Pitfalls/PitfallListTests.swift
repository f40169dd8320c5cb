import Foundation
import Testing

@Suite("List of pitfalls")
struct PitfallListTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

    private struct Row {
        let number: String
        let owner: String
        let file: String
        let test: String
    }

    private func read(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    private func rows() throws -> [Row] {
        try read("Docs/pitfalls.md").split(separator: "\n").filter { $0.hasPrefix("| Q") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            try #require(cells.count == 5, "\(line)")
            return Row(
                number: cells[0], owner: cells[2], file: cells[3].replacing("`", with: ""), test: cells[4])
        }
    }

    @Test("The list has rows 1 to 45, once and in order, each with the part that prevents the pitfall")
    func numbers() throws {
        let rows = try rows()
        #expect(rows.map(\.number) == (1...45).map { "Q\($0)" })
        #expect(Set(rows.map(\.owner)) == ["library", "account service", "client", "command", "emulator"])
    }

    @Test("Each row names an existing test, and the library's tests carry the row's number")
    func tests() throws {
        for row in try rows() {
            let names = try tests(in: row.file)
            #expect(
                row.test.hasSuffix(":") ? names.contains { $0.hasPrefix(row.test) } : names.contains(row.test),
                "\(row.number)")
            if row.owner == "library" {
                #expect(row.test == row.number + ":")
                #expect(row.file.hasPrefix("Tests/AppleIDTests/Pitfalls/"))
            }
        }
    }

    /// Names as they are declared, not as they may be mentioned.
    private func tests(in file: String) throws -> Set<String> {
        let text = try read(file)
        return Set(text.matches(of: /@Test\(\s*"((?:[^"\\]|\\.)*)"/).map { String($0.output.1) })
            .union(text.matches(of: /\ndef (test_\w+)\(/).map { String($0.output.1) })
    }

    @Test("No test of the library carries the number of a row that belongs to another part")
    func strays() throws {
        let library = Set(try rows().filter { $0.owner == "library" }.map(\.number))
        let folder = "Tests/AppleIDTests/Pitfalls"
        for name in try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: folder).path) {
            for match in try read("\(folder)/\(name)").matches(of: /"(Q[0-9]+):/) {
                #expect(library.contains(String(match.output.1)))
            }
        }
    }
}
