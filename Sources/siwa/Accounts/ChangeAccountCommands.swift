import AccountHTTP
import AccountService
import ArgumentParser
import CommandIO
import Logging

/// `siwa accounts disable`: disables an account.
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

/// `siwa accounts enable`: enables a disabled account.
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
            The running server sends them. That needs its key ring and its public URL, too: nothing is deleted without \
            them, unless --without-mail says that the person is to get no mail.

            \(Help.examples("siwa accounts delete johnny@example.com --yes"))
            """)

    @OptionGroup var finder: AccountFinder
    @OptionGroup var ring: KeyRingOptions
    @OptionGroup var service: PublicURLOption

    @Flag(help: "Don't tell the person by mail.")
    var withoutMail = false

    @Flag(help: "Delete it. Without this the command only says which account it would be.")
    var yes = false

    @Flag(help: "Print JSON.")
    var json = false

    private struct Answer: Encodable {
        let account, handle: String
        /// Whether a running server still tells Apple.
        let asksApple: Bool
        /// Whether the person had an Apple Account here.
        let hasApple: Bool
        /// Whether the person is told by mail, if they have an address.
        let sendsMail: Bool
    }

    func run() async throws {
        let keys = try await mailKeys()
        let mail = keys.map { MailWriter(publicURL: $0.publicURL, keyRing: $0.keyRing) }
        try await finder.withAccount(readsOnly: !yes, mail: mail) { directory, account in
            guard yes else {
                throw Failure(
                    "nothing was deleted; it would be \(AccountReport.line(account))",
                    hint: "siwa accounts delete \(account.id) --yes deletes it for good")
            }
            if let keyRing = keys?.keyRing { try await keyRing.requireServersKeys(in: directory.store) }
            guard let receipt = try await directory.delete(account.id) else {
                throw Failure("the account was removed meanwhile")
            }
            guard !json else {
                let answer = Answer(
                    account: account.id.rawValue, handle: receipt.handle.rawValue,
                    asksApple: receipt.deletion.asksApple && receipt.deletion.hasApple,
                    hasApple: receipt.deletion.hasApple,
                    sendsMail: mail != nil)
                return say(try answer.jsonText(isSpread: true))
            }
            complain(
                !receipt.deletion.hasApple
                    ? "\(account.id) is deleted; Apple has no part in it"
                    : receipt.deletion.state != .done
                        ? "\(account.id) is deleted; a running server tells Apple"
                        : receipt.deletion.asksApple
                            ? "\(account.id) is deleted; its authorization at Apple had ended before"
                            : "\(account.id) is deleted; there is nothing that Apple could be told")
            if mail == nil {
                complain(
                    withoutMail
                        ? "the person gets no mail about it"
                        : "the person gets no mail about it, because the settings of this command name no mail server "
                            + "(\(Setting.mailURL.howToSet))")
            }
            say(receipt.handle.rawValue)
        }
    }

    /// Reads what the mails about the deletion need.
    /// - Returns: nil where the settings name no mail server, or the person is to get no mail.
    /// - Throws: ``SettingsProblems`` where the keys or the public URL are missing.
    private func mailKeys() async throws -> (publicURL: PublicURL, keyRing: KeyRing)? {
        let options = finder.options
        guard !withoutMail, try await options.read({ $0.text(.mailURL) != nil }) else { return nil }
        do {
            return (
                try await options.read(besides: service) { ServeSettings.readPublicURL(&$0) },
                try await options.read(besides: ring) { KeyRing.read(&$0) }
            )
        } catch let found as SettingsProblems {
            var problems = found
            problems.hint = """
                the settings name a mail server, and the mails about the deletion need the key ring and the public URL of \
                siwa serve: add --config, or --key-ring-file and --public-url, or tell nobody with --without-mail
                """
            throw problems
        }
    }
}
