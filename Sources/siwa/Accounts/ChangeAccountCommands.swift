import AccountHTTP
import AccountService
import ArgumentParser
import CommandIO
import Logging

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

/// `siwa accounts enable`: opens an account again.
struct EnableAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Allow sign-ins to a disabled account again.",
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

/// `siwa accounts delete`: deletes an account as its person could.
struct DeleteAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an account for good, with all data of its person.",
        discussion: """
            What Apple must be told is written down with it, and told by the running server. The handle that is \
            printed shows at /deletions/HANDLE how far that is; whoever asked for the deletion may have it.

            If the settings of siwa serve name a mail server, the person gets the same mails as by a deletion of their own. \
            The running server sends them. That needs the key ring and the public URL, too.

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
        let mail = try await mailWriter()
        try await finder.withAccount(mail: mail) { directory, account in
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
            if mail == nil {
                complain("the person gets no mail about it, because no --mail-url is set for this command")
            }
            say(receipt.handle.rawValue)
        }
    }

    /// Nil where the settings name no mail server.
    /// - Throws: ``SettingsProblems`` where they do, and the keys or the public URL are missing.
    private func mailWriter() async throws -> MailWriter? {
        let options = finder.options
        guard try await options.read({ $0.text(.mailURL) != nil }) else { return nil }
        return MailWriter(
            publicURL: try await options.read { ServeSettings.readPublicURL(&$0) },
            keyRing: try await options.read { KeyRing.read(&$0) })
    }
}

/// `siwa accounts export`: all that is held about a person, for whoever has asked for it.
struct ExportAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write all data of an account's person, as JSON.",
        discussion: """
            It is what GET /v1/account/export answers. The key ring is needed, from the same places as siwa serve has \
            it: names that wait for a sign-in to succeed are sealed.

            \(Help.examples("siwa accounts export johnny@example.com --output johnny.json"))
            """)

    @OptionGroup var finder: AccountFinder
    @OptionGroup var ring: KeyRingOptions

    @Option(
        name: .shortAndLong, help: "A file for it, which only you can read. Default: standard output.",
        completion: .file())
    var output: String?

    func run() async throws {
        let keyRing = try await ring.keyRing(finder.options)
        let json = try await finder.withAccount { directory, account in
            try await ExportDocument(
                store: directory.store, keyRing: keyRing, logger: Logger.standard(level: .warning)
            ).json(of: account.id)
        }
        guard let output else { return say(json) }
        try AtomicFile.write(json + "\n", to: output, permissions: 0o600)
    }
}
