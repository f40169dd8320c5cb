import AccountService
import ArgumentParser

/// `siwa accounts list`: all accounts, or those that fit.
struct ListAccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List accounts, oldest first: all, or those that fit.",
        discussion: """
            A line for each account, in columns under a header. An address that fits exactly is looked up; otherwise every \
            account is looked at, because letter case and accents don't count then.

            \(Help.examples("siwa accounts list", "siwa accounts list zoë --json"))
            """)

    @OptionGroup var options: StoreOptions

    @Argument(help: "An id (acc_…), an address, an Apple sub, or words of a name. Default: all.")
    var who: String?

    @Flag(help: "Print a JSON object for each, a line each.")
    var json = false

    func run() async throws {
        let search = try who.map(AccountFinder.search)
        try await options.withStore { store in
            let directory = AccountDirectory(store: store)
            if let search {
                let found = try await AccountFinder.find(search, in: directory)
                guard !found.isEmpty else { throw Failure("no account was found") }
                sayHeader()
                for account in found { say(try line(account)) }
            } else {
                sayHeader()
                try await directory.forEach { say(try line($0)) }
            }
        }
    }

    private func sayHeader() {
        if !json { say(AccountReport.header) }
    }

    private func line(_ account: AccountRecord) throws -> String {
        json ? try AccountJSON(account).jsonText() : AccountReport.line(account)
    }
}
