import AccountService
import AppleIDTypes
import ArgumentParser
import Foundation

/// `siwa outbox list`: what is parked, and why.
struct OutboxListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show what is parked, and why.",
        discussion: """
            Exit status: 0 when nothing is parked, 1 when something is or the database cannot be read, 2 when the command \
            was not understood.
            """)

    /// The oldest are shown.
    private static let limit = 1_000

    @OptionGroup var options: StoreOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let parked = try await options.withStore { try await $0.parkedInOutbox(limit: Self.limit) }
        say(try json ? Self.json(parked) : Self.text(parked))
        guard parked.isEmpty else { throw ExitCode(1) }
    }

    private static func text(_ parked: [OutboxEntry]) -> String {
        guard !parked.isEmpty else { return "Nothing is parked." }
        return parked.map { entry in
            """
            \(entry.id)  \(entry.kind.rawValue)  \(entry.failure ?? "unknown")  \(entry.clientID?.description ?? "no client"), \
            attempts: \(entry.attempts), since \(entry.waitingSince.date.formatted(.iso8601))
            """
        }.joined(separator: "\n")
    }

    private struct Parked: Encodable {
        let parked: [Entry]
    }

    private struct Entry: Encodable {
        let id: String
        let kind: String
        let client: String?
        let failure: String?
        let attempts: Int64
        let createdAt: String
    }

    private static func json(_ parked: [OutboxEntry]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let entries = parked.map { entry in
            Entry(
                id: entry.id.rawValue, kind: entry.kind.rawValue, client: entry.clientID?.description,
                failure: entry.failure, attempts: entry.attempts, createdAt: entry.createdAt.date.formatted(.iso8601))
        }
        return String(decoding: try encoder.encode(Parked(parked: entries)), as: UTF8.self)
    }
}
