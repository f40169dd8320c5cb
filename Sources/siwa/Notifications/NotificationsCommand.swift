import AccountService
import AppleIDTypes
import ArgumentParser
import CommandIO
import Foundation

/// `siwa notifications`: lists Apple's notifications and their results.
struct NotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "List the last notifications from Apple, newest first.",
        discussion: """
            A line each: when it came, what Apple calls it, what became of it, and whose account it is about.

            \(Help.examples("siwa notifications --limit 10 --json"))
            """)

    @OptionGroup var options: StoreOptions

    @Option(help: "How many at most. Default: 50.")
    var limit = 50

    @Flag(help: "Print a JSON object for each, a line each.")
    var json = false

    private struct Line: Encodable {
        let receivedAt, happenedAt, type, client, outcome: String
        let account: Nullable<String>
    }

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit is 1 to 10000.") }
    }

    func run() async throws {
        let kept = try await options.withStore(readsOnly: true) { try await $0.appleNotifications(limit: limit) }
        guard !kept.isEmpty else { return json ? () : say("No notification has come within thirty days.") }
        for one in kept {
            guard !json else {
                let told = one.notification
                let line = Line(
                    receivedAt: told.receivedAt.date.formatted(.iso8601),
                    happenedAt: told.happenedAt.date.formatted(.iso8601), type: told.type.rawValue,
                    client: told.audience.rawValue, outcome: one.outcome.rawValue,
                    account: Nullable(one.account?.rawValue))
                say(try line.jsonText())
                continue
            }
            let columns = [
                one.notification.receivedAt.date.formatted(.iso8601),
                TextForPeople.quoted(one.notification.type.rawValue, limit: 60), one.outcome.rawValue,
                one.account?.rawValue ?? "-",
            ]
            say(columns.joined(separator: "  "))
        }
    }
}
