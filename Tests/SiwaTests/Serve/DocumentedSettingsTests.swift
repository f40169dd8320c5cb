import Foundation
import Testing

@testable import siwa

@Suite("The documentation of settings")
struct DocumentedSettingsTests {
    /// The rows of a table in `Docs`, from the line with these headings on.
    private static func rows(_ page: String, below head: String) throws -> [String] {
        let docs = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Docs")
        let lines = try String(contentsOf: docs.appending(path: page), encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == head })
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map(String.init)
    }

    /// The names of the settings that the first cell of a row is about.
    private static func names(in row: String) -> [String] {
        let cell = row.split(separator: "|").first ?? ""
        return cell.matches(of: /`(?:--([a-z-]+)|SIWA_([A-Z_]+))`/).map { match in
            match.1.map(String.init) ?? (match.2 ?? "").lowercased().replacing("_", with: "-")
        }
    }

    @Test("has a row for each setting of siwa serve, with its default, and for nothing else")
    func service() throws {
        let rows = try Self.rows("service-settings.md", below: "| setting | needed | meaning |")
        let documented = Set(rows.flatMap(Self.names))
        // Its content is told of beside the file that it comes from.
        #expect(documented.union([Setting.privateKey.name]) == Set(Setting.ofService.map(\.name)))
        for setting in Setting.ofService {
            guard let standard = setting.standard?.split(separator: ",").first, standard != "none" else { continue }
            let row = try #require(rows.first { Self.names(in: $0).contains(setting.name) })
            #expect(row.replacing(",", with: "").contains(standard), "\(setting.name): \(standard)")
        }
    }
}
