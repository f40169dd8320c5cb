import AccountService
import ArgumentParser

/// `siwa accounts disable`: shuts an account.
struct DisableAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "End an account's sessions and refuse sign-ins to it.",
        discussion: """
            Sign-ins to the account get 403 account_disabled until siwa accounts enable.

            \(Help.examples("siwa accounts disable johnny@example.com"))
            """)

    @OptionGroup var finder: AccountFinder

    @Flag(help: "Print JSON.")
    var json = false

    private struct Answer: Encodable {
        let account: String
        let state = "disabled"
        let sessionsEnded: Int
    }

    func run() async throws {
        try await finder.withAccount { directory, account in
            guard let ended = try await directory.disable(account.id) else {
                throw Failure("the account was removed meanwhile")
            }
            guard !json else {
                return say(try Answer(account: account.id.rawValue, sessionsEnded: ended).jsonText(isSpread: true))
            }
            say("\(account.id) is disabled; \(TextForPeople.count(ended, "session", "sessions")) ended")
        }
    }
}
