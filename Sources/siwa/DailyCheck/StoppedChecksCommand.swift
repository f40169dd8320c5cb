import AccountService
import AppleIDTypes
import ArgumentParser
import Foundation

/// `siwa daily-check list`: the clients whose check is stopped.
struct StoppedChecksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the clients whose check is stopped, because too many tokens died at once.")

    @OptionGroup var options: StoreOptions

    func run() async throws {
        let stops = try await options.withStore { try await $0.stoppedChecks() }
        guard !stops.isEmpty else { return say("No check is stopped.") }
        for stop in stops {
            say(
                "\(stop.clientID)  stopped \(stop.at.date.formatted(.iso8601)): \(stop.died) of \(stop.checked) checks "
                    + "within an hour found a dead token")
        }
    }
}
