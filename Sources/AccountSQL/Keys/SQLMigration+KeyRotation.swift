extension SQLMigration {
    /// Null for a key that has not retired.
    static let keyRotation = SQLMigration(name: "key rotation") { word in
        ["ALTER TABLE server_keys ADD COLUMN retired_at \(word.int64)"]
    }
}
