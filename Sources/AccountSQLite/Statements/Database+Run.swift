import GRDB

extension Database {
    /// Runs a statement that is prepared once.
    func run(_ statement: String) throws {
        try cachedStatement(sql: statement).execute()
    }
}
