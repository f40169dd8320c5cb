import AccountService
import AppleIDTypes
import ArgumentParser
import CommandIO

/// `siwa transfer`: moves the people of an app to another team.
struct TransferCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfer",
        abstract: "Move the people of an app from one Apple team to another.",
        discussion: """
            Apple knows a person by another sub in each team. export asks Apple, for the team that sends the app, how to \
            find each person again; import asks, for the team that received it, who they are now. Both go on where an \
            earlier run ended. They work until sixty days after the new team accepted the app. See \
            Docs/app-transfer.md.

            \(Help.examples(
                "siwa transfer export --to FGHIJ67890 --config siwa.json",
                "siwa transfer import --config siwa.json", "siwa transfer status --people --config siwa.json"))
            """,
        subcommands: [
            TransferExportCommand.self, TransferImportCommand.self, TransferStatusCommand.self,
            TransferForgetCommand.self,
        ])
}

/// `siwa transfer forget`: removes the data of a transfer that doesn't take place, or that is over.
@available(siwaServer 1.0, *)
struct TransferForgetCommand: AsyncParsableCommand {
    private static let batchSize = 500

    static let configuration = CommandConfiguration(
        commandName: "forget",
        abstract: "Forget the people who are still to be moved to a team.",
        discussion: """
            For a sale that didn't take place, and for people who are left after the sixty days. Accounts stay as they are. \
            As long as people are to be moved away from this team, the service refuses others who come with a transfer_sub. \
            If the transfer takes place after all, siwa transfer export asks Apple again. A file of another service has to be \
            read again.

            Exit status: 0 when they are forgotten, 1 without --yes, or when the database cannot be read, 2 when the command \
            was not understood.

            \(Help.examples("siwa transfer forget --to FGHIJ67890 --yes --config siwa.json"))
            """)

    @OptionGroup var options: StoreOptions

    @Option(help: "The Team ID that was to receive the app.")
    var to: String

    @Flag(help: "Forget them. Without this the command only says how many they are.")
    var yes = false

    @Flag(help: "Print JSON.")
    var json = false

    private struct Answer: Encodable {
        let to: String
        let forgotten: Int
    }

    func run() async throws {
        let target = TeamID(to)
        let forgotten: Int = try await options.withStore(readsOnly: !yes) { store in
            guard yes else {
                let counts = try await store.transferCounts(to: target)
                let people = counts.exported + counts.failed.values.reduce(0, +)
                throw Failure(
                    "nothing was forgotten; it would be \(TextForPeople.count(people, "person", "people"))",
                    hint: "siwa transfer forget --to \(TextForPeople.quoted(to)) --yes forgets them")
            }
            var forgotten = 0
            while true {
                let batch = try await store.forgetTransfers(to: target, limit: Self.batchSize)
                forgotten += batch
                if batch < Self.batchSize { return forgotten }
            }
        }
        guard !json else { return say(try Answer(to: to, forgotten: forgotten).jsonText(isSpread: true)) }
        say(
            "\(TextForPeople.count(forgotten, "person is", "people are")) no longer on the way to team "
                + "\(TextForPeople.quoted(to)).")
    }
}
