import AccountService
import AppleIDTypes
import ArgumentParser
import Foundation

/// `siwa daily-check resume CLIENT`: an operator has seen why so many tokens died.
struct ResumeCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Let a client's check go on.",
        discussion: """
            Every token of the client that is due is asked about again. Those that are dead end their people's \
            sessions after an hour, unless they are too many again.

            \(Help.examples("siwa daily-check resume com.example.juice"))
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "The bundle id or Services ID.")
    var client: String

    @Flag(help: "Print JSON.")
    var json = false

    private struct Answer: Encodable {
        let client: String
        let state = "resumed"
    }

    func run() async throws {
        let client = ClientID(client)
        guard
            try await options.withStore({ try await $0.resumeChecks(of: client, at: Timestamp(Date()), by: .operator) })
        else {
            throw Failure(
                "no check of `\(TextForPeople.quoted(client.rawValue))` is stopped",
                hint: "siwa daily-check list shows those that are")
        }
        guard !json else { return say(try Answer(client: client.rawValue).jsonText(isSpread: true)) }
        say("The check of \(TextForPeople.quoted(client.rawValue)) goes on.")
    }
}
