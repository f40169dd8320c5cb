import AccountService
import ArgumentParser

/// `siwa accounts enable`: opens an account again.
struct EnableAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Take sign-ins to a disabled account again.",
        discussion: Help.examples("siwa accounts enable acc_01kb2m4q8r5s7t9v0w1x2y3z4a"))

    @OptionGroup var finder: AccountFinder

    @Flag(help: "Print JSON.")
    var json = false

    private struct Answer: Encodable {
        let account: String
        let state = "open"
    }

    func run() async throws {
        try await finder.withAccount { directory, account in
            guard try await directory.enable(account.id) else { throw Failure("the account was removed meanwhile") }
            say(
                json
                    ? try Answer(account: account.id.rawValue).jsonText(isSpread: true) : "\(account.id) is open")
        }
    }
}
