import AccountService
import ArgumentParser
import CommandIO
import Configuration
import Foundation
import Logging

/// The settings with which a command finds the database of the servers. They are settings of `siwa serve`, from the same
/// sources.
@available(siwaServer 1.0, *)
struct StoreOptions: ParsableArguments {
    @Option(help: "The JSON file with the settings of siwa serve.", completion: .file(extensions: ["json"]))
    var config: String?

    @Option(.database) var database: String?
    @Option(.databasePasswordFile) var databasePasswordFile: String?

    /// Opens the database for a piece of work, which servers may use meanwhile, and closes it.
    /// - Parameter readsOnly: True for work that only reads. Then nothing in the database changes, and the tables of an
    ///   older siwa are refused. For other work they are brought up to date first.
    func withStore<Result>(
        readsOnly: Bool = false, _ work: (_ store: AccountTransactions) async throws -> Result
    ) async throws -> Result {
        let location = try await read { DatabaseLocation.read(&$0) }
        // Opening would make the file, and the command needs a database that exists.
        if case .file(let path) = location, !FileManager.default.fileExists(atPath: path) {
            throw Failure("there is no database \(path)", hint: "it is \(Setting.database.howToSet)")
        }
        do {
            let logger = Logger.standard(level: .warning)
            let open = try await readsOnly ? location.openForReading(logger: logger) : location.open(logger: logger)
            do {
                let result = try await work(open)
                try await open.close()
                return result
            } catch {
                try await open.close()
                throw error
            }
        } catch let error as AccountError {
            throw error.failure
        }
    }

    /// Reads one thing out of the settings; throws what is wrong with it.
    /// - Parameter more: Further options of the same command that are settings too.
    func read<Value>(
        besides more: (any ParsableArguments)? = nil, _ read: (inout SettingsReader) -> Value?
    ) async throws -> Value {
        var sources = SettingsSources()
        sources.add(flagsOf: self)
        if let more { sources.add(flagsOf: more) }
        let config = try await sources.reader(file: config)
        var reader = SettingsReader(config: config)
        let value = read(&reader)
        guard reader.problems.isEmpty, let value else {
            throw SettingsProblems(problems: reader.problems)
        }
        return value
    }
}
