extension SQLMigration {
    /// Null for an account that people can sign in to.
    static let disabledAccounts = SQLMigration(name: "disabled accounts") { word in
        ["ALTER TABLE accounts ADD COLUMN disabled_at \(word.int64)"]
    }
}
