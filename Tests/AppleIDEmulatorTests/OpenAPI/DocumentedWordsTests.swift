import Foundation
import HTTPTypes
import Testing

@testable import AppleIDEmulator

/// Words that stand in the documentation and in the code are the same.
@Suite("The emulator's words in the documentation")
struct DocumentedWordsTests {
    private static let documents = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Docs")

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Self.documents.appending(path: name), encoding: .utf8)
    }

    private var quirks: Set<String> { Set(BehaviourTable.quirks) }

    /// Returns the words in backticks in the given column of a page's tables, words of quirks alone.
    private func words(_ page: String, column: Int) throws -> [String] {
        try text(page).split(separator: "\n").filter { $0.hasPrefix("|") }.flatMap { line -> [String] in
            let cells = line.split(separator: "|")
            guard cells.count > column else { return [] }
            return cells[column].matches(of: /`([a-z0-9-]+)`/).map { String($0.1) }
        }
    }

    /// The codes that Apple documents for its endpoints.
    private static let applesCodes: [Refusal.Code] = [
        .invalidRequest, .invalidClient, .invalidGrant, .invalidScope, .unauthorizedClient, .unsupportedGrantType,
    ]

    @Test("the table of refusals has every code of the control calls, with its one status")
    func refusals() throws {
        let rows = try text("emulator-refusals.md").split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^\| `([a-z_]+)` \| ([0-9]{3}) \|/).map { (String($0.1), Int($0.2) ?? 0) }
        }
        let documented = Dictionary(rows) { first, _ in first }
        #expect(documented.count == rows.count, "each stands once")
        let codes = Refusal.Code.allCases.filter { !Self.applesCodes.contains($0) }
        for code in codes { #expect(documented[code.rawValue] == code.status.code, "\(code)") }
        let own = Set(codes.map(\.rawValue))
        #expect(Set(documented.keys).subtracting(own) == ["invalid_request", "invalid_client", "invalid_scope"])
    }

    @Test("the table of behaviour is the one in the code")
    func behaviourTable() throws {
        var rows: [String] = []
        for field in BehaviourTable.fields {
            for other in field.alternatives {
                rows.append(
                    "| `\(other.quirk)` | `\(field.name)`: `\(other.value)` | \(other.effect) | \(field.evidence) |")
            }
        }
        let documented = try text("emulator-behaviour.md").split(separator: "\n").map(String.init)
            .filter { line in BehaviourTable.fields.contains { line.contains("| `\($0.name)`: `") } }
        #expect(documented == rows, "Docs/emulator-behaviour.md has these rows:\n\(rows.joined(separator: "\n"))")
    }

    @Test("the table of open questions has every quirk except two that are no question")
    func openQuestions() throws {
        let known = try Set(words("emulator-open-questions.md", column: 2))
        #expect(known.subtracting(quirks) == [])
        #expect(quirks.subtracting(known) == ["capability-off", "relay-transformation-error"])
    }

    @Test("the OpenAPI file has exactly the existing quirks")
    func openAPI() throws {
        let document = try #require(
            JSONSerialization.jsonObject(with: Data(try text("emulator-openapi.json").utf8)) as? [String: any Sendable])
        let components = try #require(document["components"] as? [String: any Sendable])
        let schemas = try #require(components["schemas"] as? [String: any Sendable])
        let quirk = try #require(schemas["Quirk"] as? [String: any Sendable])
        #expect(try #require(quirk["enum"] as? [String]) == quirks.sorted())
    }

    @Test("the OpenAPI file has every field of behaviour, with its values")
    func behaviourSchema() throws {
        let document = try #require(
            JSONSerialization.jsonObject(with: Data(try text("emulator-openapi.json").utf8)) as? [String: any Sendable])
        let components = try #require(document["components"] as? [String: any Sendable])
        let schemas = try #require(components["schemas"] as? [String: any Sendable])
        let schema = try #require(schemas["Behaviour"] as? [String: any Sendable])
        let properties = try #require(schema["properties"] as? [String: [String: any Sendable]])
        #expect(Set(properties.keys) == Set(BehaviourTable.fields.map(\.name)))
        for field in BehaviourTable.fields {
            let words = properties[field.name]?["enum"] as? [String] ?? ["false", "true"]
            #expect(words == field.values.map(\.description), "\(field.name)")
        }
    }
}
