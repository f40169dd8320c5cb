extension SQLMigration {
    /// When the person wanted an entry, where that is not its creation: a code is as old as its token, and a revocation
    /// may be of what such a code has brought. And when an entry was last taken, which is when Apple is asked. The
    /// index finds codes where many revocations are due.
    static let outboxOrders = SQLMigration(name: "outbox orders") { word in
        [
            "ALTER TABLE outbox ADD COLUMN ordered_at \(word.int64)",
            "ALTER TABLE outbox ADD COLUMN asked_at \(word.int64)",
            "CREATE INDEX outbox_codes_due ON outbox (next_attempt_at) WHERE state = 'waiting' AND kind = 'code'",
        ]
    }
}
