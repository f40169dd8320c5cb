import AppleID

extension AppleIDEnvironment {
    /// A minute in all: a database that is restarted, or fails over, answers again by then.
    private static let pauses: [Duration] = [1, 2, 4, 8, 15, 30].map { .seconds($0) }

    /// Writes what is nowhere else, such as a token that Apple gives once, after the store has failed to: again and
    /// again for about a minute.
    /// - Parameter write: what may be done twice, since a write whose end is unknown may have been done.
    /// - Throws: what the last attempt threw.
    func repeating<Result>(_ write: () async throws -> Result) async throws -> Result {
        var pauses = Self.pauses[...]
        while true {
            try await sleep(pauses.removeFirst())
            do {
                return try await write()
            } catch  where !pauses.isEmpty {
                // Only the last failure is one: whoever asked hears of that.
            }
        }
    }
}
