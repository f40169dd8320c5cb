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

    /// From when on user codes are stored under a key. Null until a program that does so has opened the database.
    static let keyedUserCodes = SQLMigration(name: "keyed user codes") { word in
        ["ALTER TABLE belongs_to ADD COLUMN user_codes_keyed_from \(word.int64)"]
    }
}
