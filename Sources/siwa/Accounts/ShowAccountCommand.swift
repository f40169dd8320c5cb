import AccountService
import ArgumentParser

/// `siwa accounts show`: one account, with what happened to it last.
struct ShowAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an account, its identities, and what happened to it last.",
        discussion: Help.examples("siwa accounts show johnny@example.com --json"))

    @OptionGroup var finder: AccountFinder

    @Flag(help: "Print JSON.")
    var json = false

    /// Entries of the audit.
    private static let history = 20

    func run() async throws {
        try await finder.withAccount { directory, account in
            let sessions = try await directory.sessions(of: account.id).count
            let history = try await directory.history(of: account.id, limit: Self.history)
            say(
                json
                    ? try AccountJSON(account, sessions: sessions, history: history).jsonText(isSpread: true)
                    : AccountReport.text(account, sessions: sessions, history: history))
        }
    }
}
