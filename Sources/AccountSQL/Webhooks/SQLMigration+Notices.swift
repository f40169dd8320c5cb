extension SQLMigration {
    /// A notice outlives the account that it is about, so nothing in it refers to a row elsewhere. It goes when its
    /// hook has taken it. `owner` is who took it last.
    static let accountNotices = SQLMigration(name: "account notices") { word in
        [
            """
            CREATE TABLE hooks (
                name \(word.text) NOT NULL PRIMARY KEY CHECK (name <> ''),
                seen_at \(word.int64) NOT NULL
            )\(word.tableOptions)
            """,
            """
            CREATE TABLE account_notices (
                hook \(word.text) NOT NULL CHECK (hook <> ''),
                id \(word.id) NOT NULL,
                kind \(word.text) NOT NULL CHECK (kind <> ''),
                account_id \(word.id) NOT NULL,
                sequence \(word.int64) NOT NULL CHECK (sequence > 0),
                happened_at \(word.int64) NOT NULL,
                identity_id \(word.id),
                reason \(word.text),
                state \(word.text) NOT NULL CHECK (state IN ('waiting', 'parked')),
                attempts \(word.int64) NOT NULL CHECK (attempts >= 0),
                waiting_since \(word.int64) NOT NULL,
                next_attempt_at \(word.int64) NOT NULL,
                leased_until \(word.int64) NOT NULL,
                owner \(word.text) CHECK (owner <> ''),
                failure \(word.text) CHECK (failure <> ''),
                PRIMARY KEY (hook, id)
            )\(word.tableOptions)
            """,
            "CREATE INDEX account_notices_due ON account_notices (hook, next_attempt_at) WHERE state = 'waiting'",
            """
            CREATE INDEX account_notices_of_account ON account_notices (hook, account_id, sequence)
            WHERE state = 'waiting'
            """,
            "CREATE INDEX account_notices_parked ON account_notices (happened_at) WHERE state = 'parked'",
        ]
    }
}
