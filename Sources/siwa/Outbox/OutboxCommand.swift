import AccountService
import AppleIDTypes
import ArgumentParser
import CommandIO
import Foundation

/// `siwa outbox`: messages to Apple and to the app's own backend that can't be delivered before an operator acts.
struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "List parked revocations and webhooks, or retry them.",
        discussion: Help.examples("siwa outbox list", "siwa outbox retry"),
        subcommands: [OutboxListCommand.self, OutboxRetryCommand.self], defaultSubcommand: OutboxListCommand.self)
}

/// `siwa outbox list`: lists the parked messages, and why they are parked.
struct OutboxListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List what is parked, and why.",
        discussion: """
            Exit status: 0 when nothing is parked, 1 when something is or the database cannot be read, 2 when the command \
            was not understood.

            \(Help.examples("siwa outbox list --json"))
            """)

    /// The number of entries and of notices that are shown at most, the oldest of each.
    private static let limit = 1_000

    @OptionGroup var options: StoreOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let (parked, notices) = try await options.withStore(readsOnly: true) { store in
            try await (store.parkedInOutbox(limit: Self.limit + 1), store.parkedNotices(limit: Self.limit + 1))
        }
        let list = Parked(
            parked: parked.prefix(Self.limit).map { Entry($0) }, notices: notices.prefix(Self.limit).map { Notice($0) },
            more: parked.count > Self.limit || notices.count > Self.limit)
        say(json ? try list.jsonText(isSpread: true) : list.text)
        guard list.isEmpty else { throw ExitCode(1) }
    }

    private struct Parked: Encodable {
        let parked: [Entry]
        let notices: [Notice]
        /// Whether there are others, which are not shown.
        let more: Bool

        var isEmpty: Bool { parked.isEmpty && notices.isEmpty }

        var text: String {
            guard !isEmpty else { return "Nothing is parked." }
            let lines = parked.map(\.text) + notices.map(\.text)
            return (lines + (more ? ["and more"] : [])).joined(separator: "\n")
        }
    }

    private struct Notice: Encodable {
        let id, hook, kind, account: String
        let failure: Nullable<String>
        let attempts: Int64
        let happenedAt, waitingSince: String

        init(_ pending: PendingNotice) {
            id = pending.notice.id.rawValue
            hook = pending.hook
            kind = pending.notice.kind.rawValue
            account = pending.notice.accountID.rawValue
            failure = Nullable(pending.failure)
            attempts = pending.attempts
            happenedAt = pending.notice.happenedAt.date.formatted(.iso8601)
            waitingSince = pending.waitingSince.date.formatted(.iso8601)
        }

        var text: String {
            """
            \(id)  \(TextForPeople.quoted(hook))  \(TextForPeople.quoted(failure.value ?? "unknown"))  \(kind), \
            attempts: \(attempts), since \(waitingSince)
            """
        }
    }

    private struct Entry: Encodable {
        let id, kind: String
        let client, failure: Nullable<String>
        let attempts: Int64
        let createdAt, waitingSince: String

        init(_ entry: OutboxEntry) {
            id = entry.id.rawValue
            kind = entry.kind.rawValue
            client = Nullable(entry.clientID?.rawValue)
            failure = Nullable(entry.failure)
            attempts = entry.attempts
            createdAt = entry.createdAt.date.formatted(.iso8601)
            waitingSince = entry.waitingSince.date.formatted(.iso8601)
        }

        var text: String {
            let client = client.value.map { TextForPeople.quoted($0) } ?? "no client"
            return """
                \(id)  \(kind)  \(TextForPeople.quoted(failure.value ?? "unknown"))  \(client), \
                attempts: \(attempts), since \(waitingSince)
                """
        }
    }
}

/// `siwa outbox retry`: the running server tries everything that is parked again.
struct OutboxRetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Let the running server retry everything that is parked.",
        discussion: Help.examples("siwa outbox retry"))

    @OptionGroup var options: StoreOptions

    @Flag(help: "Print JSON.")
    var json = false

    private struct Answer: Encodable {
        let retried: Int
    }

    func run() async throws {
        let count = try await options.withStore { store in
            let moment = Timestamp(Date())
            return try await store.retryParked(at: moment, by: .operator)
                + store.retryParkedNotices(at: moment, by: .operator)
        }
        guard !json else { return say(try Answer(retried: count).jsonText(isSpread: true)) }
        say(count == 1 ? "1 entry is tried again." : "\(count) entries are tried again.")
    }
}
