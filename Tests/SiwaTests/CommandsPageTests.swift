import ArgumentParser
import Foundation
import Testing

@testable import siwa

/// If the environment has `SIWA_RECORD=1`, the table is written anew.
@Suite("The page of commands")
struct CommandsPageTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Docs/commands.md")

    @Test("has every command of siwa with its sentence, in the order of the help, and no other")
    func siwa() throws {
        let rows = HelpTests.commands().dropFirst().map { path, command in
            "| `siwa \(path.joined(separator: " "))` | \(command.configuration.abstract) |"
        }
        #expect(rows.count > 20)
        #expect(rows.allSatisfy { $0.hasSuffix(". |") && $0.count(where: { $0 == "|" }) == 3 })
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let head = "## siwa\n\n| command | does |\n|---|---|\n"
        let start = try #require(text.firstRange(of: head)?.upperBound)
        let end = text[start...].firstRange(of: "\n\n")?.lowerBound ?? text.endIndex
        let former = text[start..<end].split(separator: "\n").map(String.init)
        if ProcessInfo.processInfo.environment["SIWA_RECORD"] == "1" {
            let rest = text[end...].drop { $0 == "\n" }
            try Data((text[..<start] + rows.joined(separator: "\n") + "\n\n" + rest).utf8).write(to: Self.page)
            return
        }
        #expect(former == rows)
    }
}
