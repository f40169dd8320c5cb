import AccountService
import ArgumentParser

/// `siwa accounts disable`: shuts an account.
struct DisableAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "End an account's sessions and refuse sign-ins to it.",
        discussion: "Who tries to sign in is answered 403 account_disabled until siwa accounts enable.")

    @OptionGroup var finder: AccountFinder

    func run() async throws {
        try await finder.withAccount { directory, account in
            guard let ended = try await directory.disable(account.id) else {
                throw Failure("the account was removed meanwhile")
            }
            say("\(account.id) is disabled; \(ended) sessions ended")
        }
    }
}
