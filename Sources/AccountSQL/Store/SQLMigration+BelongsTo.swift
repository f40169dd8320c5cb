extension SQLMigration {
    /// Whose Apple the store is for: one row at most.
    static let belongsTo = SQLMigration(name: "belongs to") { word in
        [
            """
            CREATE TABLE belongs_to (
                singleton \(word.int64) NOT NULL PRIMARY KEY CHECK (singleton = 1),
                apple \(word.text) NOT NULL CHECK (apple <> '')
            )\(word.tableOptions)
            """
        ]
    }
}
