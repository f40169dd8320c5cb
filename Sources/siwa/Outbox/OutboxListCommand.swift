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
        let (parked, notices) = try await options.withStore { store in
            try await (store.parkedInOutbox(limit: Self.limit), store.parkedNotices(limit: Self.limit))
        }
        say(try json ? Self.json(parked, notices) : Self.text(parked, notices))
        guard parked.isEmpty, notices.isEmpty else { throw ExitCode(1) }
    }

    private static func text(_ parked: [OutboxEntry], _ notices: [PendingNotice]) -> String {
        guard !parked.isEmpty || !notices.isEmpty else { return "Nothing is parked." }
        let entries = parked.map { entry in
            """
            \(entry.id)  \(entry.kind.rawValue)  \(entry.failure ?? "unknown")  \(entry.clientID?.description ?? "no client"), \
            attempts: \(entry.attempts), since \(entry.waitingSince.date.formatted(.iso8601))
            """
        }
        let hooks = notices.map { pending in
            """
            \(pending.notice.id)  \(pending.hook)  \(pending.failure ?? "unknown")  \(pending.notice.kind.rawValue), \
            attempts: \(pending.attempts), since \(pending.waitingSince.date.formatted(.iso8601))
            """
        }
        return (entries + hooks).joined(separator: "\n")
    }

    private struct Parked: Encodable {
        let parked: [Entry]
        let notices: [Notice]
    }

    private struct Notice: Encodable {
        let id: String
        let hook: String
        let kind: String
        let account: String
        let failure: String?
        let attempts: Int64
        let happenedAt: String
    }

    private struct Entry: Encodable {
        let id: String
        let kind: String
        let client: String?
        let failure: String?
        let attempts: Int64
        let createdAt: String
    }

    private static func json(_ parked: [OutboxEntry], _ notices: [PendingNotice]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let entries = parked.map { entry in
            Entry(
                id: entry.id.rawValue, kind: entry.kind.rawValue, client: entry.clientID?.description,
                failure: entry.failure, attempts: entry.attempts, createdAt: entry.createdAt.date.formatted(.iso8601))
        }
        let hooks = notices.map { pending in
            Notice(
                id: pending.notice.id.rawValue, hook: pending.hook, kind: pending.notice.kind.rawValue,
                account: pending.notice.accountID.rawValue, failure: pending.failure, attempts: pending.attempts,
                happenedAt: pending.notice.happenedAt.date.formatted(.iso8601))
        }
        return String(decoding: try encoder.encode(Parked(parked: entries, notices: hooks)), as: UTF8.self)
    }
}
