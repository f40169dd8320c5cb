extension SQLMigration {
    /// One row for every notification of Apple's, by its `jti`.
    static let appleNotifications = SQLMigration(name: "apple notifications") { word in
        [
            """
            CREATE TABLE apple_notifications (
                id \(word.text) NOT NULL PRIMARY KEY CHECK (id <> ''),
                type \(word.text) NOT NULL CHECK (type <> ''),
                change \(word.text) NOT NULL CHECK (change <> ''),
                team \(word.text) NOT NULL CHECK (team <> ''),
                audience \(word.text) NOT NULL CHECK (audience <> ''),
                subject \(word.text) NOT NULL CHECK (subject <> ''),
                happened_at \(word.int64) NOT NULL,
                received_at \(word.int64) NOT NULL,
                outcome \(word.text) NOT NULL CHECK (outcome <> ''),
                account_id \(word.id),
                expires_at \(word.int64) NOT NULL
            )\(word.tableOptions)
            """,
            "CREATE INDEX apple_notifications_by_receipt ON apple_notifications (received_at)",
            "CREATE INDEX apple_notifications_by_expiry ON apple_notifications (expires_at)",
        ]
    }

    /// An older program took the time of an event as Apple wrote it. One in the future kept a person out, or made every
    /// later event outdated, until that time came.
    static let eventTimes = SQLMigration(
        name: "event times",
        mends: [
            "UPDATE identities SET access_ended_at = ?1 WHERE access_ended_at > ?1",
            "UPDATE identities SET forwarding_changed_at = ?1 WHERE forwarding_changed_at > ?1",
            "UPDATE apple_notifications SET happened_at = received_at WHERE happened_at > ?1",
        ])

    /// For what Apple said of a person before there was an identity.
    static let notificationSubjects = SQLMigration(name: "notifications by subject") { _ in
        ["CREATE INDEX apple_notifications_by_subject ON apple_notifications (subject, team)"]
    }
}
