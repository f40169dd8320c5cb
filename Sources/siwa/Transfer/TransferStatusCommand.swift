import AccountService
import AppleIDTypes
import ArgumentParser
import CommandIO
import Foundation

/// `siwa transfer status`: how far it is, and who is left.
@available(siwaServer 1.0, *)
struct TransferStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show how far a transfer is, and who is left.",
        discussion: """
            Exit status: 0 when nobody is left, 1 when somebody is or the database cannot be read, 2 when the command was \
            not understood.

            \(Help.examples("siwa transfer status --people --json --config siwa.json"))
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var team: TeamOption

    @Option(help: "The Team ID that receives the app. Default: the team of the settings.")
    var to: String?

    @Flag(help: "List the people who are left, a line each, with what to do.")
    var people = false

    @Flag(help: "Print JSON; with --people an object for each person, a line each.")
    var json = false

    private struct Answer: Encodable {
        let to: String
        let notAsked, exported, moved, failed: Int
        let failures: [String: Int]
    }

    private struct Line: Encodable {
        let account: String
        let state: String
        let failure: Nullable<String>
        let todo: String
        /// Null for a person whose transfer subject Apple hasn't been asked for.
        let updatedAt: Nullable<String>
    }

    func run() async throws {
        let target: TeamID
        if let to {
            target = TeamID(to)
        } else {
            target = try await options.read(besides: team) { reader in
                reader.requiredText(.teamID, what: "the team that receives the app; or say --to").map { TeamID($0) }
            }
        }
        let isDone = try await options.withStore(readsOnly: true) { store in
            let counts = try await store.transferCounts(to: target)
            if people { try await list(to: target, in: store) } else { try show(counts, to: target) }
            return counts.waiting + counts.exported + counts.failed.values.reduce(0, +) == 0
        }
        if !isDone { throw ExitCode(1) }
    }

    private func show(_ counts: TransferCounts, to target: TeamID) throws {
        let failed = counts.failed.values.reduce(0, +)
        guard !json else {
            let failures = Dictionary(uniqueKeysWithValues: counts.failed.map { ($0.key.rawValue, $0.value) })
            let answer = Answer(
                to: target.rawValue, notAsked: counts.waiting, exported: counts.exported, moved: counts.moved,
                failed: failed, failures: failures)
            return say(try answer.jsonText(isSpread: true))
        }
        say("To team \(TextForPeople.quoted(target.rawValue)):")
        say("not asked  \(counts.waiting)")
        say("exported   \(counts.exported)")
        say("moved      \(counts.moved)")
        say("failed     \(failed)")
        for (failure, count) in counts.failed.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            say("  \(TextForPeople.quoted(failure.rawValue))  \(count): \(failure.advice)")
        }
    }

    private func list(to target: TeamID, in store: AccountTransactions) async throws {
        var last: TransferID?
        while true {
            let page = try await store.peopleLeft(to: target, after: last, limit: 500)
            guard let end = page.last else { break }
            for person in page {
                try show(
                    Line(
                        account: person.account.rawValue, state: person.state.rawValue,
                        failure: Nullable(person.failure?.rawValue),
                        todo: person.failure?.advice ?? TransferFailure.exportedAdvice,
                        updatedAt: Nullable(person.updatedAt.date.formatted(.iso8601))))
            }
            last = end.id
        }
        var lastIdentity: IdentityID?
        while true {
            let page = try await store.peopleNotAsked(to: target, after: lastIdentity, limit: 500)
            guard let end = page.last else { return }
            for person in page {
                try show(
                    Line(
                        account: person.account.rawValue, state: "not_asked", failure: Nullable(nil),
                        todo: TransferFailure.notAskedAdvice, updatedAt: Nullable(nil)))
            }
            lastIdentity = end.identity
        }
    }

    private func show(_ line: Line) throws {
        guard !json else { return say(try line.jsonText()) }
        let moment = line.updatedAt.value.map { "  \($0)" } ?? ""
        let failure = line.failure.value.map { "\(TextForPeople.quoted($0)): " } ?? ""
        say("\(TextForPeople.quoted(line.account))  \(line.state)\(moment)  \(failure)\(line.todo)")
    }
}

/// The setting of the team, for a command that needs no key.
struct TeamOption: ParsableArguments {
    @Option(.teamID) var teamID: String?
}
