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

    /// For what Apple said of a person before there was an identity.
    static let notificationSubjects = SQLMigration(name: "notifications by subject") { _ in
        ["CREATE INDEX apple_notifications_by_subject ON apple_notifications (subject, team)"]
    }
}
