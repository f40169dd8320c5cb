import AccountDatabase

extension SQLMigration {
    /// The OpenID Providers that people sign in with, each with the issuer that it stands for. An identity's key has
    /// the id and the issuer, so neither may change alone.
    ///
    /// The attempt of a browser that went to such a provider names it, and holds the secrets of the attempt sealed. An
    /// older program leaves both null, as an attempt at Apple has them. The authorization of an app names its provider, too.
    static let providers = SQLMigration(name: "providers") { word in
        [
            """
            CREATE TABLE providers (
                id \(word.text) NOT NULL PRIMARY KEY CHECK (id <> ''),
                issuer \(word.text) NOT NULL UNIQUE CHECK (issuer <> ''),
                first_seen_at \(word.int64) NOT NULL
            )\(word.tableOptions)
            """,
            "ALTER TABLE attempts ADD COLUMN provider \(word.text) CHECK (provider <> '')",
            "ALTER TABLE attempts ADD COLUMN sealed_provider \(word.bytes)",
            "ALTER TABLE authorizations ADD COLUMN provider \(word.text) CHECK (provider <> '')",
        ]
    }
}
