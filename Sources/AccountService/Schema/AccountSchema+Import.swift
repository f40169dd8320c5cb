import AccountDatabase

extension SQLMigration {
    /// The people who came from another service, by the hash of their id there.
    ///
    /// A row outlives its account, so that a repeated import doesn't bring a deleted person back. It has no `former_id`
    /// then. An older program that deletes the account leaves the former id, which says nothing without the other service.
    /// `ways` names what was taken over, so that a repeated import adds nothing that the person has removed here.
    static let imports = SQLMigration(name: "imports") { word in
        [
            """
            CREATE TABLE imported_people (
                source \(word.text) NOT NULL CHECK (source <> ''),
                hash \(word.bytes) NOT NULL CHECK (length(hash) = 32),
                account_id \(word.id) NOT NULL,
                former_id \(word.text) CHECK (former_id <> ''),
                ways \(word.text) NOT NULL,
                imported_at \(word.int64) NOT NULL,
                PRIMARY KEY (source, hash)
            )\(word.tableOptions)
            """,
            "CREATE INDEX imported_people_of_account ON imported_people (account_id)",
        ]
    }
}
