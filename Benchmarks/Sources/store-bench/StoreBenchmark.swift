import AccountSQLite
import AccountService
import ArgumentParser
import Foundation
import Logging

#if PostgreSQL
    import AccountPostgres
#endif

/// Measures durable sign-ins of the store alone: what it is worth that waiting writes share a flush to disk.
///
/// It belongs to siwa's own package, because a store that does not share is made for this alone.
@main
struct StoreBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "store-bench")

    @Argument(help: "A folder for SQLite's files, on a disk.")
    var folder: String

    @Option(help: "An empty PostgreSQL database, on a server that flushes.")
    var postgres: String?

    @Option(help: "How many rounds are counted, after one that is not.")
    var rounds = 5

    @Option(help: "Seconds for each contender in each round.")
    var seconds = 2

    @Option(help: "How many sign-ins are under way at any time.")
    var writers = 128

    func run() async throws {
        var contenders = [
            Contender("store.sqlite.single", of: "store.sqlite.single", try await sqlite("single", largestGroup: 1)),
            Contender(
                "store.sqlite.group", of: "store.sqlite.single",
                try await sqlite("group", largestGroup: SQLiteDatabase.largestGroup)),
        ]
        #if PostgreSQL
            if let postgres {
                contenders += [
                    Contender(
                        "store.postgres.one", of: "store.postgres.one",
                        try await PostgresAccountStore.open(address: postgres, connections: 1)),
                    Contender(
                        "store.postgres.eight", of: "store.postgres.one",
                        try await PostgresAccountStore.open(address: postgres, connections: 8)),
                ]
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

    private func sqlite(_ name: String, largestGroup: Int) async throws -> SQLiteAccountStore {
        try await SQLiteAccountStore(
            on: SQLiteDatabase.open(
                path: "\(folder)/\(name).sqlite", logger: Logger(label: "store-bench"), largestGroup: largestGroup))
    }
}
