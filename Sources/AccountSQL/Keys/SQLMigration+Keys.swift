extension SQLMigration {
    /// One key of a purpose is active and one is next; retired ones may be many.
    static let keys = SQLMigration(name: "keys") { word in
        [
            """
            CREATE TABLE server_keys (
                id \(word.id) NOT NULL PRIMARY KEY,
                purpose \(word.text) NOT NULL CHECK (purpose <> ''),
                state \(word.text) NOT NULL CHECK (state IN ('next', 'active', 'retired')),
                sealed \(word.bytes) NOT NULL,
                created_at \(word.int64) NOT NULL
            )\(word.tableOptions)
            """,
            "CREATE UNIQUE INDEX server_keys_in_use ON server_keys (purpose, state) WHERE state <> 'retired'",
            """
            CREATE TABLE apple_key_set (
                singleton \(word.int64) NOT NULL PRIMARY KEY CHECK (singleton = 1),
                json \(word.bytes) NOT NULL,
                fetched_at \(word.int64) NOT NULL
            )\(word.tableOptions)
            """,
        ]
    }
}
