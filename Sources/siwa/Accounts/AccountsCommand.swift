import AccountService
import ArgumentParser
import CommandIO

/// `siwa accounts`: what an operator does with accounts, on the database of the servers.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts",
        abstract: "Find, show, disable, export and delete accounts, and reset passwords.",
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
            EnableAccountCommand.self, SendPasswordResetCommand.self, RemovePasswordCommand.self,
            ExportAccountCommand.self, DeleteAccountCommand.self,
        ])
}

/// `siwa accounts list`: all accounts, or those that fit.
struct ListAccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List accounts, oldest first: all, or those that match.",
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
        try await options.withStore(readsOnly: true) { store in
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

    private func line(_ account: ListedAccount) throws -> String {
        json ? try AccountJSON(account).jsonText() : AccountReport.line(account)
    }
}

/// `siwa accounts show`: one account, with what happened to it last.
struct ShowAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an account, its ways in, its identities, and what happened to it last.",
        discussion: Help.examples("siwa accounts show johnny@example.com --json"))

    @OptionGroup var finder: AccountFinder

    @Flag(help: "Print JSON.")
    var json = false

    /// Entries of the audit.
    private static let history = 20

    func run() async throws {
        try await finder.withAccount(readsOnly: true) { directory, account in
            let sessions = try await directory.sessions(of: account.id).count
            let history = try await directory.history(of: account.id, limit: Self.history)
            let ways = try await directory.waysIn(of: account.id)
            say(
                json
                    ? try AccountJSON(account, ways: ways, sessions: sessions, history: history)
                        .jsonText(isSpread: true)
                    : AccountReport.text(account, ways: ways, sessions: sessions, history: history))
        }
    }
}

/// `siwa accounts sessions`: where somebody is signed in.
struct AccountSessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List an account's live sessions, newest first.",
        discussion: Help.examples("siwa accounts sessions johnny@example.com"))

    @OptionGroup var finder: AccountFinder

    @Flag(help: "Print a JSON object for each, a line each.")
    var json = false

    func run() async throws {
        try await finder.withAccount(readsOnly: true) { directory, account in
            for session in try await directory.sessions(of: account.id) {
                say(json ? try SessionJSON(session).jsonText() : AccountReport.line(session))
            }
        }
    }
}

/// Finds the account that a command is about.
struct AccountFinder: ParsableArguments {
    @OptionGroup var options: StoreOptions

    @Argument(help: "An id (acc_…), an address, an Apple sub, or words of a name.")
    var who: String

    /// Runs the work on the one account that is meant.
    /// - Parameters:
    ///   - readsOnly: True for work that only reads, as ``StoreOptions/withStore(readsOnly:_:)`` takes it.
    ///   - mail: the settings of the mail about a deletion; nil sends none.
    func withAccount<Result>(
        readsOnly: Bool = false, mail: MailWriter? = nil,
        _ work: (AccountDirectory, ListedAccount) async throws -> Result
    ) async throws -> Result {
        let search = try Self.search(who)
        return try await options.withStore(readsOnly: readsOnly) { store in
            let directory = AccountDirectory(store: store, mail: mail)
            return try await work(directory, Self.one(search, in: directory))
        }
    }

    /// Finds the one account that is meant.
    static func one(_ search: AccountSearch, in directory: AccountDirectory) async throws -> ListedAccount {
        let found = try await find(search, in: directory)
        switch found.count {
        case 1: return found[0]
        case 0:
            if let merged = try await directory.merger(of: search) {
                throw Failure(
                    "the account was merged into \(merged.into) at \(AccountReport.time(merged.at))",
                    hint: "siwa accounts show \(merged.into)")
            }
            throw Failure("no account was found", hint: "siwa accounts list shows all")
        default:
            let ids = found.prefix(5).map(\.id.rawValue).joined(separator: ", ")
            throw Failure(
                "\(found.count) accounts were found: \(ids)\(found.count > 5 ? ", …" : "")",
                hint: "give the id of the one you mean; siwa accounts list WHO shows them")
        }
    }

    static func search(_ text: String) throws -> AccountSearch {
        do {
            return try AccountSearch(text)
        } catch {
            throw Failure(error.reason, isUsage: true)
        }
    }

    static func find(_ search: AccountSearch, in directory: AccountDirectory) async throws -> [ListedAccount] {
        let bar = ProgressBar("Looking")
        defer { bar.clear() }
        return try await directory.find(search) { bar.show($0, of: $1) }
    }
}
