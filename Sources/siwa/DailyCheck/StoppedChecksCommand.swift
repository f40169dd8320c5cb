import AccountService
import AppleIDTypes
import ArgumentParser
import Foundation

/// `siwa daily-check list`: the clients whose check is stopped.
struct StoppedChecksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the clients whose check is stopped, because too many tokens died at once.",
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
        let stops = try await options.withStore { try await $0.stoppedChecks() }
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
