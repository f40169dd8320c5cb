import ArgumentParser

/// `siwa accounts`: what an operator does with accounts, on the database of the servers.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "Find accounts, look at them, shut them, export them, and delete them.",
        discussion: """
            WHO is an account's id (acc_…), an address, an Apple sub, or words of a name. An id, a sub and an address \
            that fits exactly are looked up. Otherwise every account is looked at, which takes a while where there are \
            millions.

            Exit status: 0 when all went well, 1 when something failed or nobody was found, 2 when the command was not \
            understood.

            \(Help.examples("siwa accounts show johnny@example.com"))
            """,
        subcommands: [
            ListAccountsCommand.self, ShowAccountCommand.self, AccountSessionsCommand.self, DisableAccountCommand.self,
            EnableAccountCommand.self, ExportAccountCommand.self, DeleteAccountCommand.self,
        ])
}
