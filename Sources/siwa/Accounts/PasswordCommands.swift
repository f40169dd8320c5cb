import AccountService
import ArgumentParser
import CommandIO

/// `siwa accounts send-password-reset`: sends a person a link with which they set a new password.
struct SendPasswordResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send-password-reset", abstract: "Send the person of an account a link to set a new password.",
        discussion: """
            The mail goes to the address that the person signs in with. Its link works once, for 15 minutes, and nobody \
            but the person sees it. A running server with mail sends it. The key ring and the public URL are needed, \
            from the same places as siwa serve has them.

            \(Help.examples("siwa accounts send-password-reset johnny@example.com --config siwa.json"))
            """)

    @OptionGroup var finder: AccountFinder
    @OptionGroup var ring: KeyRingOptions
    @OptionGroup var service: PublicURLOption

    @Flag(help: "Print JSON.")
    var json = false

    private struct Answer: Encodable {
        let account: String
        let state = "queued"
    }

    func run() async throws {
        let mail = MailWriter(
            publicURL: try await finder.options.read(besides: service) { ServeSettings.readPublicURL(&$0) },
            keyRing: try await ring.keyRing(finder.options))
        try await finder.withAccount(mail: mail) { directory, account in
            do {
                guard try await directory.sendReset(to: account.id) else {
                    throw Failure("the account was removed meanwhile")
                }
            } catch let error as AccountError where error.code == .notByPassword {
                throw Failure(
                    "nobody signs in to \(account.id) with an address, so there is no password to reset",
                    hint: "siwa accounts show \(account.id) shows the ways in")
            }
            guard !json else { return say(try Answer(account: account.id.rawValue).jsonText(isSpread: true)) }
            say("In the queue: a link for the person of \(account.id), which works for 15 minutes.")
        }
    }
}

/// `siwa accounts remove-password`: removes a password that somebody else may know.
struct RemovePasswordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove-password",
        abstract: "Remove the password of an account. Its person still signs in by links in mails.",
        discussion: """
            For a password that somebody else may know. The person can still sign in by a link in a mail, and set a new \
            password by the link for a forgotten one, which ends all sessions. Until then sessions go on; siwa accounts \
            disable ends them at once.

            \(Help.examples("siwa accounts remove-password johnny@example.com --yes"))
            """)

    @OptionGroup var finder: AccountFinder

    @Flag(help: "Remove it. Without this the command only says which account it would be.")
    var yes = false

    @Flag(help: "Print JSON.")
    var json = false

    private struct Answer: Encodable {
        let account: String
        let state = "removed"
    }

    func run() async throws {
        try await finder.withAccount(readsOnly: !yes) { directory, account in
            guard try await directory.waysIn(of: account.id).hasPassword else {
                throw Failure(
                    "\(account.id) has no password", hint: "siwa accounts show \(account.id) shows the ways in")
            }
            guard yes else {
                throw Failure(
                    "nothing was removed; it would be the password of \(AccountReport.line(account))",
                    hint: "siwa accounts remove-password \(account.id) --yes removes it")
            }
            guard try await directory.removePassword(of: account.id) else {
                throw Failure("the password was removed meanwhile")
            }
            guard !json else { return say(try Answer(account: account.id.rawValue).jsonText(isSpread: true)) }
            say("\(account.id) has no password any more; links in mails sign its person in")
        }
    }
}
