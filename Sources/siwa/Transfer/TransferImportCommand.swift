import AccountService
import AppleID
import AppleIDTypes
import ArgumentParser
import CommandIO
import Foundation
import PeopleFiles

/// `siwa transfer import`: the receiving team's half.
@available(siwaServer 1.0, *)
struct TransferImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Ask Apple, for the team that received the app, who each person is now, and move them.",
        discussion: """
            Without FILE it moves the people whom siwa transfer export has asked about on the same database. With FILE it \
            first keeps the people of the file, each of whom can sign in from then on. Servers may run meanwhile; people \
            who sign in are moved by that.

            A person who has got a second account under the new team fails with account_exists. --replacing gives the person \
            the account from before: the second account is deleted, and Apple is told nothing. If you delete the second \
            account with siwa accounts delete instead, the service revokes the person's authorization, and Apple doesn't \
            tell any more who they were before.

            Exit status: 0 when everybody is moved, 1 when somebody failed or has an account here already, or the run ended \
            early, 2 when the command was not understood. People whose accounts were deleted here don't count.

            \(Help.examples(
                "siwa transfer import --limit 1 --config siwa.json",
                "siwa transfer import people.age --identity-file key.txt --config siwa.json",
                "siwa transfer import --replacing acc_01kb2m4q8r5s7t9v0w1x2y3z4a --yes --config siwa.json"))
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var transfer: TransferOptions
    @OptionGroup var mode: TransferRunOptions

    @Argument(help: "The file of the sending service; - for standard input.", completion: .file())
    var file: String?

    @Flag(
        help: """
            Take people of FILE who have accounts here. Only for a copy of the sender's database: elsewhere such a line \
            gives an account to another person.
            """)
    var existingAccounts = false

    @Option(help: "The account that gives way to the account from before of the same person. It is deleted.")
    var replacing: [String] = []

    @Flag(help: "Replace the accounts of --replacing. Without this the command only says which accounts they are.")
    var yes = false

    @Option(help: "The file with the age identity, AGE-SECRET-KEY-1…, for a sealed FILE.", completion: .file())
    var identityFile: String?

    private struct Answer: Encodable {
        let to: String
        /// People of the file, and those of them who were not known before.
        let read, new: Int
        /// People of the file who were left out, because they have accounts here.
        let existing: Int
        /// People of the file who were left out, because their accounts were here and have been deleted.
        let deleted: Int
        let moved, movedBefore, failed, left: Int
        /// The accounts that were replaced by the former account of the same person.
        let replaced: [String]
        let dryRun: Bool
    }

    func validate() throws {
        guard identityFile == nil || file != nil else { throw ValidationError("--identity-file needs FILE.") }
        guard !existingAccounts || file != nil else { throw ValidationError("--existing-accounts needs FILE.") }
        guard !yes || !replacing.isEmpty else { throw ValidationError("--yes needs --replacing.") }
        for id in replacing where AccountID(received: id) == nil {
            throw ValidationError("--replacing is the id of an account, acc_….")
        }
    }

    func run() async throws {
        let settings = try await TransferSettings.read(transfer, options)
        let target = settings.key.team
        let answer = try await options.withStore { store in
            try await settings.requireOwn(store)
            let replacing = try await accountsToReplace(in: store)
            let (read, kept) = try await load(for: target, in: store)
            guard !mode.dryRun else {
                let total = try await store.countToImport(to: target)
                return Answer(
                    to: target.rawValue, read: read, new: kept.new, existing: kept.existing, deleted: kept.deleted,
                    moved: 0, movedBefore: 0, failed: 0, left: total + kept.new, replaced: [], dryRun: true)
            }
            let outcome = try await move(to: target, replacing: replacing, settings, in: store)
            return Answer(
                to: target.rawValue, read: read, new: kept.new, existing: kept.existing, deleted: kept.deleted,
                moved: outcome.succeeded, movedBefore: outcome.movedBefore, failed: outcome.failures,
                left: outcome.left, replaced: outcome.replaced.map(\.rawValue).sorted(), dryRun: false)
        }
        try report(answer)
        let missing = answer.dryRun ? [] : replacing.filter { !answer.replaced.contains($0) }
        for account in missing {
            complain(
                "\(TextForPeople.quoted(account)) was not replaced: nobody whom this run has asked about has a second account "
                    + "of this id")
        }
        if answer.failed > 0 || answer.existing > 0 || !missing.isEmpty { throw ExitCode(1) }
    }

    /// The accounts that the operator wants replaced.
    /// - Throws: ``Failure`` with the accounts unless the operator has confirmed them.
    private func accountsToReplace(in store: AccountTransactions) async throws -> Set<AccountID> {
        var lines: [String] = []
        let accounts = replacing.map(AccountID.init(rawValue:))
        for id in accounts {
            guard let account = try await store.account(id) else {
                throw Failure("there is no account \(id)", hint: "siwa accounts list names every account")
            }
            lines.append(AccountReport.line(account))
        }
        guard yes || mode.dryRun || lines.isEmpty else {
            throw Failure(
                "nothing was moved; the import would delete \(lines.joined(separator: ", "))",
                hint: "add --yes to give the person the account from before instead")
        }
        return Set(accounts)
    }

    /// Keeps the people of the file, unless it is a dry run, which only reads them.
    private func load(
        for target: TeamID, in store: AccountTransactions
    ) async throws -> (read: Int, kept: ReceivedCounts) {
        guard let file else { return (0, ReceivedCounts()) }
        let identity = try identityFile.map {
            try AgeIdentity(fileText: FileSecret.text($0, lines: .several, option: "identity-file"))
        }
        var reader = try TransferFileReader(file, identity: identity)
        var read = 0
        var reading: TransferReading?
        var source: TeamID?
        while let lines = try reader.next(500) {
            for line in lines {
                guard line.to == target else {
                    throw Failure(
                        "the file is for team \(TextForPeople.quoted(line.to.rawValue)), and \(Setting.teamID.path) is "
                            + TextForPeople.quoted(target.rawValue))
                }
                guard source == nil || source == line.from else {
                    throw Failure("the file holds people of several teams", hint: "read a file for each team")
                }
                source = line.from
            }
            read += lines.count
            guard let source else { continue }
            var next =
                reading ?? TransferReading(from: source, to: target, takesExistingAccounts: existingAccounts)
            if mode.dryRun {
                try await next.count(lines, in: store)
            } else {
                try await next.receive(lines, in: store)
            }
            reading = next
        }
        return (read, reading?.counts ?? ReceivedCounts())
    }

    private func move(
        to target: TeamID, replacing: Set<AccountID>, _ settings: TransferSettings, in store: AccountTransactions
    ) async throws -> TransferOutcome {
        let bar = ProgressBar("Moving people")
        let start = ContinuousClock.now
        defer { bar.clear() }
        return try await settings.asking(.import) { transport in
            let questions = settings.questions(with: settings.key, rate: mode.rate, over: transport)
            return try await TransferImport(
                store: store, questions: questions, deletesOnConsentRevoked: settings.deletesOnConsentRevoked
            ).run(to: target, replacing: replacing, limit: mode.limit) { progress in
                bar.show(progress.done, of: progress.total, note: progress.note(after: start.secondsSince))
            }
        }
    }

    private func report(_ answer: Answer) throws {
        guard !mode.json else { return say(try answer.jsonText(isSpread: true)) }
        if file != nil {
            say("\(TextForPeople.count(answer.read, "person", "people")) in the file, \(answer.new) of them new here.")
        }
        if answer.existing > 0 {
            say(
                "\(answer.existing) of them have accounts here, or came in another file, and were left out. On a copy of the "
                    + "sender's database, say --existing-accounts.")
        }
        if answer.deleted > 0 {
            say("\(answer.deleted) of them had accounts here that were deleted, and were left out.")
        }
        guard !answer.dryRun else {
            return say("\(TextForPeople.count(answer.left, "person", "people")) would be asked about.")
        }
        say(
            "\(TextForPeople.count(answer.moved, "person is", "people are")) moved to team "
                + "\(TextForPeople.quoted(answer.to)).")
        if answer.movedBefore > 0 { say("\(answer.movedBefore) had been moved by their sign-in, or are gone.") }
        for account in answer.replaced {
            say("\(account) is deleted: its person has the account from before instead.")
        }
        if answer.left > 0 { say("\(answer.left) are left for another run.") }
        if answer.failed > 0 { say("\(answer.failed) failed; siwa transfer status --people lists them.") }
    }
}
