import AccountService
import ArgumentParser
import Foundation

/// `siwa outbox retry`: the running server tries everything that is parked again.
struct OutboxRetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Have everything that is parked tried again, by the running server.")

    @OptionGroup var options: StoreOptions

    func run() async throws {
        let count = try await options.withStore { store in
            let moment = Timestamp(Date())
            return try await store.retryParked(at: moment, by: .operator)
                + store.retryParkedNotices(at: moment, by: .operator)
        }
        say(count == 1 ? "1 entry is tried again." : "\(count) entries are tried again.")
    }
}
