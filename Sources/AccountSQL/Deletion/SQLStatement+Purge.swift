extension SQLStatement {
    /// Everything that goes with an account (`?1`), in the order that the references between tables ask for. Whoever
    /// adds a table with rows about people adds its statement here. Events and audit stay: their rows are ids and
    /// codes.
    static let purge: [Self] = [
        """
        DELETE FROM kept_names WHERE (team, subject) IN
            (SELECT team, subject FROM identities WHERE account_id = ?1 AND provider = 'apple')
        """,
        // Not the one that is being applied, where that is what deletes the account: it comes again.
        """
        DELETE FROM apple_notifications WHERE outcome <> 'received' AND (subject, team) IN
            (SELECT subject, team FROM identities WHERE account_id = ?1 AND provider = 'apple')
        """,
        // Those of an identity that is gone, whose row has lost its subject.
        "DELETE FROM apple_notifications WHERE account_id = ?1",
        "DELETE FROM sessions WHERE account_id = ?1",
        "DELETE FROM apple_tokens WHERE identity_id IN (SELECT id FROM identities WHERE account_id = ?1)",
        "DELETE FROM identities WHERE account_id = ?1",
        "DELETE FROM accounts WHERE id = ?1",
    ]
}
