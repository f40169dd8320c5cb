import AccountDatabase
import AccountSQLite
import AccountService
import ArgumentParser
import Foundation
import Logging

#if PostgreSQL
    import AccountPostgres
#endif

/// Measures the store alone: what it is worth that waiting writes share a flush to disk, and what it costs that many
/// people have accounts.
///
/// It belongs to siwa's own package, because a store that does not share is made for this alone.
@main
struct StoreBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "store-bench")

    @Argument(help: "A folder for SQLite's files, on a disk.")
    var folder: String

    @Option(help: "A PostgreSQL server that flushes, as postgres://user@host:port/database. Schemas are made there.")
    var postgres: String?

    @Option(help: "How many rounds are counted, after one that is not.")
    var rounds = 5

    @Option(help: "Seconds for each contender in each round.")
    var seconds = 2

    @Option(help: "How many calls are under way at any time.")
    var writers = 128

    @Option(help: "How many people have accounts where there are many; few are a thousand.")
    var people: Int64 = 1_000_000

    func run() async throws {
        var contenders = pair(
            "sqlite", ("single", try await sqlite("single", largestGroup: 1)), ("group", try await sqlite("group")))
        contenders += try await crowds("sqlite", few: sqlite("few"), many: sqlite("many"))
        #if PostgreSQL
            if postgres != nil {
                contenders += pair(
                    "postgres", ("one", try await postgres("one", connections: 1)),
                    ("eight", try await postgres("eight")))
                contenders += try await crowds("postgres", few: postgres("few"), many: postgres("many"))
            }
        #endif
        // They take turns, so that whatever else the machine does meets all of them.
        for round in 0...rounds {
            for index in contenders.indices {
                let rate = try await contenders[index].rate(writers: writers, for: .seconds(seconds))
                if round > 0 { contenders[index].rates.append(rate) }
            }
        }
        let report = Dictionary(uniqueKeysWithValues: contenders.map { ($0.name, $0.figures(among: contenders)) })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        print(String(decoding: try encoder.encode(report), as: UTF8.self))
    }

    private typealias Candidate = (name: String, store: AccountTransactions)

    /// First sign-ins, each of another person; and a small write, one row, of which the shared flush is nearly all the
    /// work.
    private func pair(_ engine: String, _ plain: Candidate, _ sharing: Candidate) -> [Contender] {
        [plain, sharing].flatMap { candidate in
            [
                Contender("store.\(engine).\(candidate.name)", of: "store.\(engine).\(plain.name)") {
                    _ = try await candidate.store.signIn(.of(.new()))
                },
                Contender("store.\(engine).row.\(candidate.name)", of: "store.\(engine).row.\(plain.name)") {
                    try await candidate.store.insertAttempt(.new())
                },
            ]
        }
    }

    /// Anybody out of few or many: their sessions read, and their next sign-ins.
    private func crowds(
        _ engine: String, few: AccountTransactions, many: AccountTransactions
    ) async throws -> [Contender] {
        var contenders: [Contender] = []
        for (store, size, name) in [(few, 1_000, "few"), (many, people, "many")] {
            let crowd = try await Crowd(size, in: store.database)
            contenders += [
                Contender("store.\(engine).session.\(name)", of: "store.\(engine).session.few") {
                    guard try await store.session(crowd.anybodysSession()) != nil else { throw Mistake.nobodyThere }
                },
                Contender("store.\(engine).return.\(name)", of: "store.\(engine).return.few") {
                    guard try await !store.signIn(.of(crowd.anybody())).isNewAccount else { throw Mistake.nobodyThere }
                },
            ]
        }
        return contenders
    }

    private func sqlite(
        _ name: String, largestGroup: Int = SQLiteDatabase.largestGroup
    ) async throws -> AccountTransactions {
        try await AccountTransactions(
            on: SQLiteDatabase.open(
                path: "\(folder)/\(name).sqlite", logger: Logger(label: "store-bench"), largestGroup: largestGroup))
    }

    #if PostgreSQL
        private func postgres(_ schema: String, connections: Int = 8) async throws -> AccountTransactions {
            try await AccountTransactions.open(
                .postgres("\(postgres ?? "")?options=-csearch_path%3D\(schema)", connections: connections))
        }
    #endif

    enum Mistake: Error {
        case nobodyThere
    }
}
