extension SQLMigration {
    /// An entry outlives the account that it is about, so nothing in it refers to a row elsewhere. `owner` is who took
    /// it last.
    static let outbox = SQLMigration(name: "outbox") { word in
        [
            """
            CREATE TABLE outbox (
                id \(word.id) NOT NULL PRIMARY KEY,
                kind \(word.text) NOT NULL CHECK (kind <> ''),
                state \(word.text) NOT NULL
                    CHECK (state IN ('waiting', 'parked', 'done', 'withdrawn', 'expired')),
                client_id \(word.text) CHECK (client_id <> ''),
                sealed \(word.bytes),
                person_hash \(word.bytes) CHECK (length(person_hash) = 32),
                identity_id \(word.id),
                deletion_hash \(word.bytes) CHECK (length(deletion_hash) = 32),
                attempts \(word.int64) NOT NULL CHECK (attempts >= 0),
                created_at \(word.int64) NOT NULL,
                waiting_since \(word.int64) NOT NULL,
                next_attempt_at \(word.int64) NOT NULL,
                leased_until \(word.int64) NOT NULL,
                owner \(word.text) CHECK (owner <> ''),
                failure \(word.text) CHECK (failure <> ''),
                finished_at \(word.int64),
                CHECK ((state IN ('waiting', 'parked')) = (finished_at IS NULL)),
                CHECK (finished_at IS NULL OR sealed IS NULL)
            )\(word.tableOptions)
            """,
            "CREATE INDEX outbox_due ON outbox (next_attempt_at) WHERE state = 'waiting'",
            "CREATE INDEX outbox_parked ON outbox (created_at) WHERE state = 'parked'",
            "CREATE INDEX outbox_of_person ON outbox (person_hash) WHERE person_hash IS NOT NULL",
            "CREATE INDEX outbox_of_identity ON outbox (identity_id) WHERE finished_at IS NULL",
            "CREATE INDEX outbox_of_deletion ON outbox (deletion_hash) WHERE deletion_hash IS NOT NULL",
            "CREATE INDEX outbox_by_end ON outbox (finished_at) WHERE finished_at IS NOT NULL",
        ]
    }
}
