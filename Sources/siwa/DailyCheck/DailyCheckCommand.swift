import AccountService
import AppleIDTypes
import ArgumentParser
import CommandIO
import Foundation

/// `siwa daily-check`: shows the clients whose daily check of Apple's refresh tokens has stopped, and resumes it.
struct DailyCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daily-check",
        abstract: "List and resume stopped checks of Apple's refresh tokens.",
        discussion: Help.examples("siwa daily-check list", "siwa daily-check resume com.example.juice"),
        subcommands: [StoppedChecksCommand.self, ResumeCheckCommand.self],
        defaultSubcommand: StoppedChecksCommand.self)
}

/// `siwa daily-check list`: the clients whose check is stopped.
struct StoppedChecksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the clients whose check stopped because Apple refused too many tokens at once.",
        discussion: """
            Exit status: 0 when no check is stopped, 1 when one is or the database cannot be read, 2 when the command was \
            not understood.

            \(Help.examples("siwa daily-check list --json"))
            """)

    @OptionGroup var options: StoreOptions

    @Flag(help: "Print a JSON object for each, a line each.")
    var json = false

    private struct Line: Encodable {
        let client, stoppedAt: String
        let checked, died: Int64
    }

    func run() async throws {
        let stops = try await options.withStore(readsOnly: true) { try await $0.stoppedChecks() }
        guard !stops.isEmpty else { return json ? () : say("No check is stopped.") }
        for stop in stops {
            guard !json else {
                let line = Line(
                    client: stop.clientID.rawValue, stoppedAt: stop.at.date.formatted(.iso8601), checked: stop.checked,
                    died: stop.died)
                say(try line.jsonText())
                continue
            }
            say(
                "\(TextForPeople.quoted(stop.clientID.rawValue))  stopped \(stop.at.date.formatted(.iso8601)): \(stop.died) of \(stop.checked) checks "
                    + "within an hour found a dead token")
        }
        throw ExitCode(1)
    }
}

/// `siwa daily-check resume CLIENT`: resumes the check, after the operator has found out why so many tokens are invalid.
struct ResumeCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Resume a client's check.",
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
