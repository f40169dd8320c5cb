import AccountDatabase

extension SQLMigration {
    /// The people of an app that moves from one team to another, one row for each person and receiving team.
    ///
    /// `identity_id` is null for a person who came in a file of another store and has no identity here yet.
    /// `account_id` is that person's account at the sending service, so it refers to no row. An older program may
    /// remove the identity with its account, so the row goes with it.
    static let transfers = SQLMigration(name: "transfers") { word in
        [
            """
            CREATE TABLE transfers (
                id \(word.id) NOT NULL PRIMARY KEY,
                source \(word.text) NOT NULL CHECK (source <> ''),
                target \(word.text) NOT NULL CHECK (target <> ''),
                account_id \(word.id) NOT NULL,
                identity_id \(word.id) REFERENCES identities (id) ON DELETE CASCADE,
                is_received \(word.flag) NOT NULL,
                former_subject \(word.text) CHECK (former_subject <> ''),
                transfer_subject \(word.text) CHECK (transfer_subject <> ''),
                state \(word.text) NOT NULL CHECK (state IN ('exported', 'moved', 'failed')),
                failure \(word.text) CHECK (failure <> ''),
                updated_at \(word.int64) NOT NULL,
                moved_at \(word.int64),
                UNIQUE (identity_id, target),
                UNIQUE (target, transfer_subject),
                CHECK (state = 'failed' OR transfer_subject IS NOT NULL),
                CHECK ((state = 'failed') = (failure IS NOT NULL)),
                CHECK ((state = 'moved') = (moved_at IS NOT NULL))
            )\(word.tableOptions)
            """,
            "CREATE INDEX transfers_of_account ON transfers (account_id)",
            "CREATE INDEX transfers_by_state ON transfers (target, state, id)",
        ]
    }

    /// The apps that are moving are found by their former team. The rows of people who have no identity here are swept
    /// by age.
    static let transferIndexes = SQLMigration(name: "indexes of transfers") { word in
        [
            "CREATE INDEX transfers_by_source ON transfers (source, state)",
            "CREATE INDEX transfers_by_age ON transfers (updated_at) WHERE identity_id IS NULL",
        ]
    }
}
