import Foundation
import Testing

@Suite("The tables of standards")
struct StandardsTableTests {
    private static let pages = [
        "Docs/standards.md", "Docs/password-standards.md", "Docs/openid-connect-standards.md",
        "Docs/linking-attacks.md",
    ]
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

    private struct Row {
        let number: String
        let file: String
        let test: String
    }

    private func read(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    /// The rows below each heading of a page.
    private func tables(_ page: String) throws -> [(heading: String, rows: [Row])] {
        try read(page).components(separatedBy: "\n## ").dropFirst().map { part in
            let lines = part.split(separator: "\n")
            let rows = try lines.filter { $0.wholeMatch(of: /\| [0-9].*/) != nil }.compactMap { line -> Row? in
                let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                // A row of three cells is about a requirement that nothing here meets, and it says so.
                if cells.count == 3 {
                    #expect(cells[2].contains("**not "), "\(line)")
                    return nil
                }
                try #require(cells.count == 5, "\(line)")
                return Row(number: cells[0], file: cells[3].replacing("`", with: ""), test: cells[4])
            }
            return (String(lines.first ?? ""), rows)
        }
    }

    @Test("name existing tests", arguments: pages)
    func tests(page: String) throws {
        for row in try tables(page).flatMap(\.rows) {
            #expect(try tests(in: row.file).contains(row.test), "\(row)")
        }
    }

    /// Names as they are declared, not as they may be mentioned.
    private func tests(in file: String) throws -> Set<String> {
        let text = try read(file)
        return Set(text.matches(of: /@Test\(\s*"((?:[^"\\]|\\.)*)"/).map { String($0.output.1) })
            .union(text.matches(of: /\ndef (test_\w+)\(/).map { String($0.output.1) })
    }

    @Test("have every requirement that concerns us in the documents about tokens and sessions")
    func complete() throws {
        let tables = try tables("Docs/standards.md")
        #expect(
            tables.map { $0.heading.prefix { $0 != ":" } } == [
                "RFC 8725", "RFC 9700", "OWASP ASVS 5.0, chapter V9", "OWASP ASVS 5.0, chapter V7",
                "OWASP ASVS 5.0, chapter V10",
            ])
        #expect(Set(tables[0].rows.map(\.number)) == Set((1...12).map { "3.\($0)" }))
        let practices = ["2.1", "2.1.1", "2.1.2", "2.2.1", "2.2.2", "2.3", "2.4", "2.5", "2.6"]
        #expect(Set(tables[1].rows.map(\.number)) == Set(practices + (1...17).map { "4.\($0)" }))
        #expect(
            Set(tables[2].rows.map(\.number)) == ["9.1.1", "9.1.2", "9.1.3", "9.2.1", "9.2.2", "9.2.3", "9.2.4"])
        #expect(Set(tables[3].rows.map(\.number)) == numbers(of: "7", [3, 4, 2, 5, 3, 2]))
        // These are about dynamic registration, `authorization_details`, confidential clients and OpenID Providers.
        let others: Set = ["10.4.7", "10.4.15", "10.4.16", "10.6.1", "10.6.2"]
        #expect(
            Set(tables[4].rows.map(\.number)) == numbers(of: "10", [2, 3, 5, 16, 5, 2, 3]).subtracting(others))
    }

    @Test("have every requirement on passwords: ASVS 5.0 V6 at level 1, V11.4.2, NIST SP 800-63B-4, and pre-hijacking")
    func completeForPasswords() throws {
        let tables = try tables("Docs/password-standards.md")
        #expect(
            tables.map { $0.heading.prefix { $0 != ":" } } == [
                "OWASP ASVS 5.0, chapter V6 at level 1", "OWASP ASVS 5.0, chapter V6 beyond level 1",
                "OWASP ASVS 5.0, section V11.4", "NIST SP 800-63B-4, section 3.1.1", "Pre-hijacking",
            ])
        let levelOne = ["6.1.1", "6.1.1"] + (1...8).map { "6.2.\($0)" } + ["6.3.1", "6.3.2", "6.4.1", "6.4.2"]
        #expect(tables[0].rows.map(\.number) == levelOne)
        #expect(tables[2].rows.map(\.number) == ["11.4.2", "11.4.2"])
        let listed = (1...9).map { "3.1.1.2 (\($0))" } + "abcdefghij".map { "3.1.1.2 (\($0))" }
        #expect(Set(tables[3].rows.map(\.number)) == Set(["3.1.1.1", "3.2.2"] + listed))
        #expect(tables[4].rows.map(\.number) == ["1", "1", "2", "3", "3", "3", "4", "4", "5"])
    }

    @Test("have what RFC 9700 and ASVS 5.0 require of a client of other providers, and each attack")
    func completeForProviders() throws {
        let tables = try tables("Docs/openid-connect-standards.md")
        #expect(
            tables.map { $0.heading.prefix { $0 != ":" } } == [
                "RFC 9700", "OWASP ASVS 5.0, section V6.8", "OWASP ASVS 5.0, chapter V10", "Attacks",
            ])
        let practices = ["2.1", "2.1.1", "2.1.2", "2.3", "2.4", "2.5", "2.6"]
        let sections = practices + ["4.11", "4.12", "4.14", "4.15"] + (1...8).map { "4.\($0)" }
        #expect(Set(tables[0].rows.map(\.number)) == Set(sections))
        // Rows of three cells, about SAML and logout, aren't among them.
        #expect(Set(tables[1].rows.map(\.number)) == ["6.8.1", "6.8.2", "6.8.4"])
        let clients = ["10.1.1", "10.1.2"] + (1...3).map { "10.2.\($0)" } + (1...4).map { "10.5.\($0)" }
        #expect(Set(tables[2].rows.map(\.number)) == Set(clients))
        #expect(Set(tables[3].rows.map(\.number)) == Set((1...14).map { "\($0)" }))
    }

    @Test("have each attack on links and merges, and each race")
    func completeForLinks() throws {
        let tables = try tables("Docs/linking-attacks.md")
        #expect(
            tables.map(\.heading) == ["Attacks on links", "Races of links", "Attacks on merges", "Races of merges"])
        let counts = [6, 6, 5, 7]
        #expect(tables.map { Set($0.rows.map(\.number)) } == counts.map { Set((1...$0).map(\.description)) })
    }

    /// - Parameter counts: how many requirements each section of a chapter has.
    private func numbers(of chapter: String, _ counts: [Int]) -> Set<String> {
        Set(counts.enumerated().flatMap { index, count in (1...count).map { "\(chapter).\(index + 1).\($0)" } })
    }
}
