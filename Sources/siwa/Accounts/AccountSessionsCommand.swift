import AccountService
import ArgumentParser

/// `siwa accounts sessions`: where somebody is signed in.
struct AccountSessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List an account's live sessions, newest first.",
        discussion: Help.examples("siwa accounts sessions johnny@example.com"))

    @OptionGroup var finder: AccountFinder

    @Flag(help: "Print a JSON object for each, a line each.")
    var json = false

    func run() async throws {
        try await finder.withAccount { directory, account in
            for session in try await directory.sessions(of: account.id) {
                say(json ? try SessionJSON(session).jsonText() : AccountReport.line(session))
            }
        }
    }
}
