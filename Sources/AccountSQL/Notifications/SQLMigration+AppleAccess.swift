extension SQLMigration {
    /// What Apple says of a person between sign-ins. `own_revoke_at` is when this service last revoked at Apple, and
    /// `removed_at` marks what is left of an identity whose Apple Account is gone: its ended sessions still name it.
    static let appleAccess = SQLMigration(name: "apple access") { word in
        [
            "ALTER TABLE identities ADD COLUMN org_id \(word.text)",
            "ALTER TABLE identities ADD COLUMN forwarding_on \(word.flag)",
            "ALTER TABLE identities ADD COLUMN forwarding_changed_at \(word.int64)",
            "ALTER TABLE identities ADD COLUMN last_authorized_at \(word.int64)",
            "ALTER TABLE identities ADD COLUMN access_ended_at \(word.int64)",
            "ALTER TABLE identities ADD COLUMN access_end_reason \(word.text)",
            "ALTER TABLE identities ADD COLUMN own_revoke_at \(word.int64)",
            "ALTER TABLE identities ADD COLUMN removed_at \(word.int64)",
        ]
    }
}
