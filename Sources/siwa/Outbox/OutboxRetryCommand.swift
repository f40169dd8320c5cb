import AccountService
import ArgumentParser
import Foundation

/// `siwa outbox retry`: the running server tries everything that is parked again.
struct OutboxRetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Have everything that is parked tried again, by the running server.",
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
