import AccountService
import ArgumentParser
import CommandIO
import Foundation

/// `siwa mail send`: sends an announcement to one person or to all.
@available(siwaServer 1.0, *)
struct MailSendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send an announcement to the person of one account, or to all people.",
        discussion: """
            The mails go into the queue, and the running server sends them. An account gets an announcement of one NAME \
            once: a run that was interrupted can be repeated, and so can one after which there are new accounts. An \
            address gets at most one announcement a day; a further one waits. Disabled accounts get none, unless they are \
            named by --to.

            The text is plain, with empty lines between its paragraphs.

            \(Help.examples(
                "siwa mail send 2027-terms --all --subject News --text-file terms.txt --dry-run --config siwa.json",
                "siwa mail send new-password --without-password --subject Welcome --text-file new.txt --config siwa.json",
                "siwa mail send welcome --to johnny@example.com --subject Hello --text-file hello.txt --config siwa.json"))
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var ring: KeyRingOptions
    @OptionGroup var service: PublicURLOption

    @Argument(help: "Your name for the announcement: lowercase letters, digits and hyphens, at most 40.")
    var name: String

    @Option(help: "The account: an id (acc_…), an address, an Apple sub, or words of a name.")
    var to: String?

    @Flag(help: "Write to everybody.")
    var all = false

    @Flag(help: "Write to all who sign in with an address and have no password, as after an import.")
    var withoutPassword = false

    @Option(help: "The subject.")
    var subject: String

    @Option(help: "A file with the text in UTF-8; - for standard input.", completion: .file())
    var textFile: String

    @Option(help: "The language of the text (BCP 47), such as de, for the words around it. Default: English.")
    var language: String?

    @Flag(help: "Only count the mails that would be sent.")
    var dryRun = false

    @Flag(help: "With --all and --without-password: send. Without this the command only counts.")
    var yes = false

    @Flag(help: "Print JSON.")
    var json = false

    private static let maximumSubjectLength = 200
    private static let maximumTextBytes = 100_000

    private struct Answer: Encodable {
        let queued, toldBefore, withoutAddress, disabled: Int
        let dryRun: Bool
    }

    func validate() throws {
        guard [to != nil, all, withoutPassword].count(where: \.self) == 1 else {
            throw ValidationError("Say --to WHO, --all, or --without-password.")
        }
        guard Announcement.Name(rawValue: name) != nil else {
            throw ValidationError("NAME has 1 to 40 lowercase letters, digits and hyphens, such as 2027-terms.")
        }
        guard !subject.allSatisfy(\.isWhitespace), subject.count <= Self.maximumSubjectLength,
            !subject.contains(where: \.isNewline)
        else {
            throw ValidationError("--subject is one line of at most \(Self.maximumSubjectLength) characters.")
        }
    }

    func run() async throws {
        guard let name = Announcement.Name(rawValue: name) else { return }
        var announcement = Announcement(name: name, subject: subject, text: try text(), language: language)
        announcement.isForMissingPasswords = withoutPassword
        let search = try to.map(AccountFinder.search)
        let keyRing = try await ring.keyRing(options)
        let publicURL = try await options.read(besides: service) { ServeSettings.readPublicURL(&$0) }
        let counts = dryRun || (to == nil && !yes)
        let bar = ProgressBar(counts ? "Counting" : "Queueing")
        let outcome = try await options.withStore(readsOnly: counts) { store in
            defer { bar.clear() }
            if !counts { try await keyRing.requireServersKeys(in: store) }
            let administration = MailAdministration(store: store, keyRing: keyRing, publicURL: publicURL)
            var account: AccountID?
            if let search {
                account = try await AccountFinder.one(search, in: AccountDirectory(store: store)).id
            }
            return try await administration.announce(announcement, to: account, isDryRun: counts) {
                bar.show($0, of: $1)
            }
        }
        if counts, !dryRun {
            throw Failure(
                "nothing was sent; it would be \(Self.words(outcome))",
                hint: "the same with --yes sends; with --dry-run it only counts")
        }
        guard !json else {
            let answer = Answer(
                queued: outcome.queued, toldBefore: outcome.toldBefore, withoutAddress: outcome.withoutAddress,
                disabled: outcome.disabled, dryRun: dryRun)
            return say(try answer.jsonText(isSpread: true))
        }
        say(dryRun ? "It would be \(Self.words(outcome))." : "In the queue: \(Self.words(outcome)).")
    }

    private func text() throws -> String {
        let text = (textFile == "-" ? try SmallFile.standardInput() : try SmallFile.text(textFile))
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { throw Failure("--text-file: the text is empty", isUsage: true) }
        guard text.utf8.count <= Self.maximumTextBytes else {
            throw Failure("--text-file: the text has more than \(Self.maximumTextBytes) bytes", isUsage: true)
        }
        return text
    }

    private static func words(_ outcome: AnnouncementOutcome) -> String {
        let mails = TextForPeople.count(outcome.queued, "mail", "mails")
        let others = [
            (outcome.toldBefore, "told before"), (outcome.withoutAddress, "without an address"),
            (outcome.disabled, "disabled"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return others.isEmpty ? mails : "\(mails) (left out: \(others.joined(separator: ", ")))"
    }
}

/// The setting of the service's URL, for a command that makes links.
struct PublicURLOption: ParsableArguments {
    @Option(.publicURL) var publicURL: String?
}
