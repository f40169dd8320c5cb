import AccountService
import ArgumentParser

/// `siwa accounts delete`: deletes an account as its person could.
struct DeleteAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an account for good, with all that is held about its person.",
        discussion: """
            What Apple must be told is written down with it, and told by the running server. The handle that is \
            printed shows at /deletions/HANDLE how far that is; whoever asked for the deletion may have it.

            \(Help.examples("siwa accounts delete johnny@example.com --yes"))
            """)

    @OptionGroup var finder: AccountFinder

    @Flag(help: "Delete it. Without this the command only says which account it would be.")
    var yes = false

    @Flag(help: "Print JSON.")
    var json = false

    private struct Answer: Encodable {
        let account, handle: String
        /// Whether a running server still tells Apple.
        let asksApple: Bool
    }

    func run() async throws {
        try await finder.withAccount { directory, account in
            guard yes else {
                throw Failure(
                    "nothing was deleted; it would be \(AccountReport.line(account))",
                    hint: "siwa accounts delete \(account.id) --yes deletes it for good")
            }
            guard let receipt = try await directory.delete(account.id) else {
                throw Failure("the account was removed meanwhile")
            }
            guard !json else {
                let answer = Answer(
                    account: account.id.rawValue, handle: receipt.handle.rawValue, asksApple: receipt.deletion.asksApple
                )
                return say(try answer.jsonText(isSpread: true))
            }
            complain(
                receipt.deletion.state != .done
                    ? "\(account.id) is deleted; a running server tells Apple"
                    : receipt.deletion.asksApple
                        ? "\(account.id) is deleted; its authorization at Apple had ended before"
                        : "\(account.id) is deleted; there is nothing that Apple could be told")
            say(receipt.handle.rawValue)
        }
    }
}
