import AccountDatabase

extension SQLMigration {
    /// The people who came from another service, by their id there, and the hashes of those whose account was deleted here.
    ///
    /// Files have people in the order of their ids, so that a million of them go to the end of the table; a hash as the key
    /// would put each on another page. A row of `forgotten_people` keeps a repeated import from bringing a deleted person
    /// back. An older program that deletes the account leaves the row of `imported_people`. `ways` names the identities and
    /// the password that were imported, so that a repeated import adds nothing that the person has removed here.
    static let imports = SQLMigration(name: "imports") { word in
        [
            """
            CREATE TABLE imported_people (
                source \(word.text) NOT NULL CHECK (source <> ''),
                former_id \(word.text) NOT NULL CHECK (former_id <> ''),
                hash \(word.bytes) NOT NULL CHECK (length(hash) = 32),
                account_id \(word.id) NOT NULL,
                ways \(word.text) NOT NULL,
                imported_at \(word.int64) NOT NULL,
                PRIMARY KEY (source, former_id)
            )\(word.tableOptions)
            """,
            "CREATE INDEX imported_people_of_account ON imported_people (account_id)",
            """
            CREATE TABLE forgotten_people (
                source \(word.text) NOT NULL CHECK (source <> ''),
                hash \(word.bytes) NOT NULL CHECK (length(hash) = 32),
                PRIMARY KEY (source, hash)
            )\(word.tableOptions)
            """,
        ]
    }
}
