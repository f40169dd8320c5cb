import AccountAPI
import AccountService
import Foundation
import Testing

/// Reads the sources and the pages, so that a kind of notice that is added later is looked at too.
@Suite("The kinds of webhook")
struct DocumentedWebhooksTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    /// The names and values of the constants in a file that look like `account.created`.
    private func constants(_ path: String) throws -> [String: String] {
        let found = try text(path).matches(
            of: /static let (?<name>\w+) = Self\(rawValue: "(?<value>[a-z_]+\.[a-z_]+)"\)/)
        return Dictionary(uniqueKeysWithValues: found.map { (String($0.name), String($0.value)) })
    }

    @Test("A receiver in Swift has a constant for each kind that the domain makes, and no other")
    func constants() throws {
        let kinds = try constants("Sources/AccountService/Webhooks/AccountHook.swift")
        try #require(kinds.count >= 8)
        #expect(try constants("Sources/AccountAPI/Webhooks/WebhookBody.swift") == kinds)
        #expect(WebhookBody.Kind.accountUpgraded.rawValue == AccountNotice.Kind.accountUpgraded.rawValue)
    }

    @Test("Each kind has a row in the guide, and is an example of the description")
    func rows() throws {
        let kinds = try Set(constants("Sources/AccountService/Webhooks/AccountHook.swift").values)
        let events = try #require(
            try text("Docs/webhooks.md").split(separator: "\n## ").first { $0.hasPrefix("The events") })
        let rows = events.matches(of: /(?m)^\| `(?<kind>[a-z_]+\.[a-z_]+)` \|/).map {
            String($0.kind)
        }
        #expect(Set(rows) == kinds && rows.count == kinds.count)
        let description = try text("Docs/openapi.yaml")
        for kind in kinds { #expect(description.contains(kind), "\(kind)") }
    }
}
