import AccountService
import ArgumentParser

/// Finds the account that a command is about.
struct AccountFinder: ParsableArguments {
    @OptionGroup var options: StoreOptions

    @Argument(help: "An id (acc_…), an address, an Apple sub, or words of a name.")
    var who: String

    /// Runs the work on the one account that is meant.
    func withAccount<Result>(
        _ work: (AccountDirectory, AccountRecord) async throws -> Result
    ) async throws -> Result {
        let search = try Self.search(who)
        return try await options.withStore { store in
            let directory = AccountDirectory(store: store)
            let found = try await Self.find(search, in: directory)
            switch found.count {
            case 1: return try await work(directory, found[0])
            case 0: throw Failure("no account was found", hint: "siwa accounts list shows all")
            default:
                let ids = found.prefix(5).map(\.id.rawValue).joined(separator: ", ")
                throw Failure(
                    "\(found.count) accounts were found: \(ids)\(found.count > 5 ? ", …" : "")",
                    hint: "give the id of the one you mean; siwa accounts list WHO shows them")
            }
        }
    }

    static func search(_ text: String) throws -> AccountSearch {
        do {
            return try AccountSearch(text)
        } catch {
            throw Failure(error.reason, isUsage: true)
        }
    }

    static func find(_ search: AccountSearch, in directory: AccountDirectory) async throws -> [AccountRecord] {
        let bar = ProgressBar("Looking")
        defer { bar.clear() }
        return try await directory.find(search) { bar.show($0, of: $1) }
    }
}
