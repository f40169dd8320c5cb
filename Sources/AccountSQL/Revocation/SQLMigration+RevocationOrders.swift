extension SQLMigration {
    /// When the person last wanted Apple's authorization ended, whether there was anything to end it with or not: a
    /// token that comes late is a part of that. Null when they have authorized the app since.
    static let revocationOrders = SQLMigration(name: "revocation orders") { word in
        ["ALTER TABLE identities ADD COLUMN revocation_ordered_at \(word.int64)"]
    }
}
