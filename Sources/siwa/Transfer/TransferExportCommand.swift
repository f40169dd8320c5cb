import AccountService
import AppleID
import AppleIDTypes
import ArgumentParser
import CommandIO
import Foundation
import PeopleFiles

/// `siwa transfer export`: the sending team's half.
@available(siwaServer 1.0, *)
struct TransferExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Ask Apple, for the team that sends the app, for the transfer_sub of each person.",
        discussion: """
            The sending team is the former one of the settings, where that is set, and else the team of the settings. The \
            answers are kept in the database. For a service with another database, --output writes a line of JSON for each \
            person, with the account's id and the transfer_sub, and never a sub or an address.

            Exit status: 0 when Apple has answered about everybody, 1 when somebody failed or the run ended early, 2 when \
            the command was not understood.

            \(Help.examples(
                "siwa transfer export --to FGHIJ67890 --limit 1 --config siwa.json",
                "siwa transfer export --to FGHIJ67890 --output people.age --config siwa.json \\\n  --seal-to age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"))
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var transfer: TransferOptions
    @OptionGroup var mode: TransferRunOptions

    @Option(help: "The Team ID that receives the app. Default: the team of the settings, where a former one is set.")
    var to: String?

    @Option(help: "The file for the people with a transfer_sub, or - for standard output.", completion: .file())
    var output: String?

    @Option(help: "Seal the file for this recipient, age1…, with age (https://age-encryption.org).")
    var sealTo: String?

    private struct Answer: Encodable {
        let from, to: String
        let exported, failed, left: Int
        let output: Nullable<String>
        /// The people in the output.
        let written: Nullable<Int>
        /// The SHA-256 of the output, in hexadecimal digits.
        let sha256: Nullable<String>
        let dryRun: Bool
    }

    func validate() throws {
        guard sealTo == nil || output != nil else { throw ValidationError("--seal-to needs --output.") }
        guard !mode.json || output != "-" else { throw ValidationError("--json and --output - both print.") }
        if let sealTo {
            do {
                _ = try AgeRecipient(sealTo)
            } catch {
                throw ValidationError("--seal-to: \(error.problem).")
            }
        }
    }

    func run() async throws {
        let settings = try await TransferSettings.read(transfer, options)
        let (sender, target) = try teams(settings)
        let answer = try await options.withStore { store in
            try await settings.requireOwn(store)
            guard !mode.dryRun else {
                let total = try await store.countToExport(from: sender.team, to: target)
                return Answer(
                    from: sender.team.rawValue, to: target.rawValue, exported: 0, failed: 0, left: total,
                    output: Nullable(nil), written: Nullable(nil), sha256: Nullable(nil), dryRun: true)
            }
            let outcome = try await export(by: sender, to: target, settings, in: store)
            var written: WrittenTransferFile?
            if let output { written = try await write(to: output, from: sender.team, to: target, in: store) }
            return Answer(
                from: sender.team.rawValue, to: target.rawValue, exported: outcome.succeeded, failed: outcome.failures,
                left: outcome.left, output: Nullable(output), written: Nullable(written?.people),
                sha256: Nullable(written?.sha256), dryRun: false)
        }
        try report(answer)
        if answer.failed > 0 { throw ExitCode(1) }
    }

    private func teams(_ settings: TransferSettings) throws -> (sender: AppleClientKey, target: TeamID) {
        let given = to.map { TeamID($0) }
        if let former = settings.formerKey {
            guard given == nil || given == settings.key.team else {
                throw Failure(
                    "--to is another team than \(Setting.teamID.path), which has the app now",
                    hint: "leave --to out, or leave the former team's settings out if this team sends the app",
                    isUsage: true)
            }
            return (former, settings.key.team)
        }
        guard let given else {
            throw Failure(
                "--to is missing: the Team ID that receives the app",
                hint: "after the app has moved, set \(Setting.formerTeamID.howToSet) instead", isUsage: true)
        }
        guard given != settings.key.team else {
            throw Failure(
                "--to is the team of the settings, which sends the app",
                hint:
                    "give the team that receives it; or set \(Setting.formerTeamID.howToSet) if the app has moved already",
                isUsage: true)
        }
        return (settings.key, given)
    }

    private func export(
        by sender: AppleClientKey, to target: TeamID, _ settings: TransferSettings, in store: AccountTransactions
    ) async throws -> TransferOutcome {
        let bar = ProgressBar("Asking Apple")
        let start = ContinuousClock.now
        defer { bar.clear() }
        return try await settings.asking(.export) { transport in
            let questions = settings.questions(with: sender, rate: mode.rate, over: transport)
            let proof = settings.formerKey.map { _ in
                settings.questions(with: settings.key, rate: mode.rate, over: transport)
            }
            return try await TransferExport(store: store, questions: questions, target: proof)
                .run(from: sender.team, to: target, limit: mode.limit) { progress in
                    bar.show(progress.done, of: progress.total, note: progress.note(after: start.secondsSince))
                }
        }
    }

    private func write(
        to path: String, from source: TeamID, to target: TeamID, in store: AccountTransactions
    ) async throws -> WrittenTransferFile {
        let file = try TransferFileWriter(path, sealedFor: sealTo.map { try AgeRecipient($0) })
        do {
            var last: TransferID?
            while true {
                let page = try await store.exportedPeople(from: source, to: target, after: last, limit: 500)
                guard let end = page.last else { break }
                try file.write(page.compactMap(TransferLine.init(_:)).map(\.text))
                last = end.id
            }
            return try file.finish()
        } catch {
            file.discard()
            throw error
        }
    }

    private func report(_ answer: Answer) throws {
        guard !mode.json else { return say(try answer.jsonText(isSpread: true)) }
        // Standard output may have the people.
        let tell = output == "-" ? complain : say
        guard !answer.dryRun else {
            return tell("\(TextForPeople.count(answer.left, "person", "people")) would be asked about.")
        }
        tell(
            "\(TextForPeople.count(answer.exported, "person", "people")) got a transfer_sub for team "
                + "\(TextForPeople.quoted(answer.to)).")
        if let written = answer.written.value, let sha256 = answer.sha256.value {
            tell("\(TextForPeople.count(written, "person is", "people are")) in the file. Its SHA-256 is \(sha256).")
        }
        if answer.left > 0 { tell("\(answer.left) are left for another run.") }
        if answer.failed > 0 {
            tell(
                "\(answer.failed) failed; siwa transfer status --people --to \(TextForPeople.quoted(answer.to)) lists them."
            )
        }
    }
}

extension ContinuousClock.Instant {
    /// The seconds since this moment.
    var secondsSince: Double {
        let parts = duration(to: .now).components
        return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
    }
}
