import AccountService
import AppleIDTypes
import ArgumentParser
import CommandIO
import Foundation

/// `siwa mail`: the mails that wait, and what an operator sends.
@available(siwaServer 1.0, *)
struct MailCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail",
        abstract: "List waiting mails, retry or remove them, test the mail server, and write to people.",
        discussion: Help.examples("siwa mail list", "siwa mail retry", "siwa mail test me@example.com"),
        subcommands: [
            MailListCommand.self, MailRetryCommand.self, MailRemoveCommand.self, MailTestCommand.self,
            MailSendCommand.self,
        ],
        defaultSubcommand: MailListCommand.self)
}

/// `siwa mail list`: the mails that wait, and why.
@available(siwaServer 1.0, *)
struct MailListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the mails that wait, are held or are parked, oldest first.",
        discussion: """
            A waiting mail is tried at its time. A held one waits for Apple's relay to forward again, or for the end of a \
            deletion. A parked one waits for siwa mail retry or siwa mail remove. Addresses are shown with --addresses \
            alone, which needs the key ring.

            Exit status: 0 when nothing is parked, 1 when something is or the database cannot be read, 2 when the command \
            was not understood.

            \(Help.examples("siwa mail list", "siwa mail list --state parked --json"))
            """)

    /// The states of mails that the command can list.
    enum State: String, ExpressibleByArgument, CaseIterable {
        case waiting, held, parked
    }

    @OptionGroup var options: StoreOptions
    @OptionGroup var ring: KeyRingOptions

    @Option(help: "Show these alone.")
    var state: State?

    @Flag(help: "Show the addresses, too.")
    var addresses = false

    @Flag(help: "Print a JSON object for each, a line each.")
    var json = false

    func run() async throws {
        let keyRing = addresses ? try await ring.keyRing(options) : nil
        let isAnyParked = try await options.withStore(readsOnly: true) { store in
            let administration =
                keyRing.map { MailAdministration(store: store, keyRing: $0) } ?? MailAdministration(store: store)
            var (last, isAnyParked) = (MailID?.none, false)
            repeat {
                let mails = try await administration.list(
                    state.flatMap { ListedMail.State(rawValue: $0.rawValue) }, after: last, showsRecipients: addresses)
                for mail in mails { say(json ? try MailJSON(mail).jsonText() : Self.line(mail)) }
                isAnyParked = isAnyParked || mails.contains { $0.state == .parked }
                if last == nil, mails.isEmpty, !json { say("No mail waits.") }
                last = mails.last?.id
            } while last != nil
            return isAnyParked
        }
        guard !isAnyParked else { throw ExitCode(1) }
    }

    private static func line(_ mail: ListedMail) -> String {
        var words = [
            mail.id.rawValue, mail.state.rawValue, TextForPeople.quoted(mail.kind.rawValue, limit: 40),
            TextForPeople.quoted(mail.failure ?? "-", limit: 40),
        ]
        if let recipient = mail.recipient { words.append(TextForPeople.quoted(recipient)) }
        let next = mail.nextAttemptAt.map { ", next \($0.date.formatted(.iso8601))" } ?? ""
        words.append("attempts: \(mail.attempts), since \(mail.createdAt.date.formatted(.iso8601))\(next)")
        return words.joined(separator: "  ")
    }

    private struct MailJSON: Encodable {
        let id, kind, state: String
        let account: Nullable<String>
        let isRelayAddress: Bool
        let failure: Nullable<String>
        let attempts: Int64
        let createdAt: String
        let nextAttemptAt: Nullable<String>
        let expiresAt: String
        /// Null unless it was asked for, and where it does not open.
        let recipient: Nullable<String>

        init(_ mail: ListedMail) {
            id = mail.id.rawValue
            kind = mail.kind.rawValue
            state = mail.state.rawValue
            account = Nullable(mail.account?.rawValue)
            isRelayAddress = mail.isRelayAddress
            failure = Nullable(mail.failure)
            attempts = mail.attempts
            createdAt = mail.createdAt.date.formatted(.iso8601)
            nextAttemptAt = Nullable(mail.nextAttemptAt?.date.formatted(.iso8601))
            expiresAt = mail.expiresAt.date.formatted(.iso8601)
            recipient = Nullable(mail.recipient)
        }
    }
}

/// `siwa mail retry`: makes the running server try parked mails again.
@available(siwaServer 1.0, *)
struct MailRetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Let the running server retry one parked mail, or all of them.",
        discussion: Help.examples("siwa mail retry", "siwa mail retry mail_01kb2m4q8r5s7t9v0w1x2y3z4a"))

    @OptionGroup var options: StoreOptions

    @Argument(help: "The id of a parked mail (mail_…). Default: all that are parked.")
    var id: String?

    @Flag(help: "Print JSON.")
    var json = false

    private struct Answer: Encodable {
        let retried: Int
    }

    func run() async throws {
        let count = try await options.withStore { store in
            try await MailAdministration(store: store).retry(id.map { MailID(rawValue: $0) })
        }
        if id != nil, count == 0 {
            throw Failure(
                "no parked mail has this id", hint: "siwa mail list --state parked shows those that are parked")
        }
        guard !json else { return say(try Answer(retried: count).jsonText(isSpread: true)) }
        say(count == 1 ? "1 mail is tried again." : "\(count) mails are tried again.")
    }
}

/// `siwa mail remove`: removes a mail from the queue.
@available(siwaServer 1.0, *)
struct MailRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a mail that waits, is held or is parked. It is never sent.",
        discussion: Help.examples("siwa mail remove mail_01kb2m4q8r5s7t9v0w1x2y3z4a"))

    @OptionGroup var options: StoreOptions

    @Argument(help: "The id of the mail (mail_…).")
    var id: String

    @Flag(help: "Print JSON.")
    var json = false

    private struct Answer: Encodable {
        let id: String
        let state = "removed"
    }

    func run() async throws {
        let id = MailID(rawValue: id)
        guard try await options.withStore({ try await MailAdministration(store: $0).remove(id) }) else {
            throw Failure("no mail that waits has this id", hint: "siwa mail list shows those that do")
        }
        guard !json else { return say(try Answer(id: id.rawValue).jsonText(isSpread: true)) }
        say("\(id) is removed.")
    }
}
