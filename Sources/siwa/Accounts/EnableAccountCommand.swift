import AccountService
import ArgumentParser

/// `siwa accounts enable`: opens an account again.
struct EnableAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Take sign-ins to a disabled account again.")

    @OptionGroup var finder: AccountFinder

    func run() async throws {
        try await finder.withAccount { directory, account in
            guard try await directory.enable(account.id) else { throw Failure("the account was removed meanwhile") }
            say("\(account.id) is open")
        }
    }
}
