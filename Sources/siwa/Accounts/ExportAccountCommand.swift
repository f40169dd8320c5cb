import AccountHTTP
import AccountService
import ArgumentParser
import Logging

/// `siwa accounts export`: all that is held about a person, for whoever has asked for it.
struct ExportAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write all that is held about an account's person, as JSON.",
        discussion: """
            It is what GET /v1/account/export answers. The key ring is needed, from the same places as siwa serve has \
            it: names that wait for a sign-in to succeed are sealed.

            \(Help.examples("siwa accounts export johnny@example.com --output johnny.json"))
            """)

    @OptionGroup var finder: AccountFinder

    @Option(
        name: .shortAndLong, help: "A file for it, which only you can read. Default: standard output.",
        completion: .file())
    var output: String?

    func run() async throws {
        let keyRing = try await finder.options.read { KeyRing.read(&$0) }
        let json = try await finder.withAccount { directory, account in
            try await ExportDocument(
                store: directory.store, keyRing: keyRing, logger: Logger.standard(level: .warning)
            ).json(of: account.id)
        }
        guard let output else { return say(json) }
        try AtomicFile.write(json + "\n", to: output, permissions: 0o600)
    }
}
