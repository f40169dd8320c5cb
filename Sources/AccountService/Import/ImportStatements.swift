import AccountDatabase

/// A table to which an import adds rows, with the statements that write them.
enum ImportTable: CaseIterable {
    case accounts, imported, identities, passwords, appleTokens, consents, merges

    /// The tables to which others refer, in the order that the references between them require.
    static let referred: [Self] = [.accounts, .imported, .identities]
    static let referring: [Self] = [.passwords, .appleTokens, .consents, .merges]

    /// The numbers of rows in one statement. Engines keep a prepared statement of each size for each table.
    static let sizes = [64, 8, 1]
    /// The statements of each table, one for each of ``sizes``.
    static let inserts = Dictionary(
        uniqueKeysWithValues: Self.allCases.map { table in (table, sizes.map(table.insert)) })

    var columnCount: Int {
        switch self {
        case .accounts: 15
        case .imported: 6
        case .identities: 19
        case .passwords: 5
        case .appleTokens: 6
        case .consents: 10
        case .merges: 4
        }
    }

    private var into: SQLStatement {
        switch self {
        case .accounts:
            """
            accounts (id, revision, created_at, \(SQLStatement.nameColumns), name_typed_at, phone, contact_email,
                contact_email_verified_at, contact_form, disabled_at)
            """
        case .imported: "imported_people (source, former_id, hash, account_id, ways, imported_at)"
        case .identities:
            """
            identities (id, account_id, provider, team, subject, email, email_verified, is_private_email,
                real_user_status, created_at, last_sign_in_at, org_id, last_authorized_at, forwarding_on,
                forwarding_changed_at, email_form, access_ended_at, access_end_reason, link_consent_id)
            """
        case .passwords: "passwords (identity_id, sealed, version, set_at, is_off)"
        case .appleTokens: "apple_tokens (id, identity_id, client_id, sealed, obtained_at, next_check_at)"
        case .consents:
            """
            consents (id, account_id, purpose, text_version, given_at, session_id, client_id, address, device,
                withdrawn_at)
            """
        case .merges: "merged_accounts (from_id, into_id, merged_at, handle_hash)"
        }
    }

    private func insert(_ count: Int) -> SQLStatement {
        "INSERT INTO \(into) VALUES \(SQLStatement.rows(count, of: columnCount)) ON CONFLICT DO NOTHING"
    }
}

extension SQLStatement {
    // Conditions inside CASE keep PostgreSQL from taking an index that begins with the provider or the source, of which
    // there are few, before it has counted them.
    private static let hasEmailIdentity: Self = """
        coalesce((SELECT max(CASE WHEN e.provider = 'email' AND e.removed_at IS NULL THEN 1 ELSE 0 END)
            FROM identities e WHERE e.account_id =
        """
    static let importedPerson: Self = """
        SELECT p.account_id, p.ways, NOT EXISTS (SELECT a.id FROM accounts a WHERE a.id = p.account_id),
            \(hasEmailIdentity) p.account_id), 0) = 1
        FROM imported_people p WHERE p.source = ?1 AND p.former_id = ?2
        """
    static let identityOfImported: Self = """
        SELECT i.id, i.account_id,
            coalesce((SELECT max(CASE WHEN p.source = ?4 THEN 1 ELSE 0 END)
                FROM imported_people p WHERE p.account_id = i.account_id), 0) = 1,
            \(hasEmailIdentity) i.account_id), 0) = 1,
            EXISTS (SELECT w.identity_id FROM passwords w WHERE w.identity_id = i.id)
        FROM identities i WHERE i.provider = ?1 AND i.team = ?2 AND i.subject = ?3
        """
    static let accountOfImported: Self = """
        SELECT \(hasEmailIdentity) a.id), 0) = 1 FROM accounts a WHERE a.id = ?1
        """
    /// Notes which identities and passwords of a former id were imported, beside those of earlier imports.
    static let noteImported: Self = """
        INSERT INTO imported_people (source, former_id, hash, account_id, ways, imported_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (source, former_id) DO UPDATE SET ways = CASE WHEN imported_people.ways = '' THEN excluded.ways
            WHEN imported_people.ways = excluded.ways THEN excluded.ways
            ELSE imported_people.ways || ',' || excluded.ways END
        """

    static let anyAppleNotification: Self = "SELECT id FROM apple_notifications LIMIT 1"
    /// Apple's notifications about a person, by the subject (`?2`) or its hash (`?3`). Ends of consent that this
    /// service has brought about aren't among them.
    static let notificationsOfImported: Self = """
        SELECT change, happened_at FROM apple_notifications
        WHERE team = ?1 AND subject IN (?2, ?3) AND outcome <> 'expected' AND change <> 'other'
        ORDER BY happened_at DESC LIMIT 100
        """

    static let forgottenPerson: Self = "SELECT source FROM forgotten_people WHERE source = ?1 AND hash = ?2"
    static let anyForgotten: Self = "SELECT source FROM forgotten_people WHERE source = ?1 LIMIT 1"
    static let forgetImported: Self = """
        INSERT INTO forgotten_people (source, hash) VALUES (?1, ?2) ON CONFLICT (source, hash) DO NOTHING
        """
    /// A page of the deleted people behind the source `?1` and the hash `?2`.
    static let exportedForgotten: Self = """
        SELECT source, hash FROM forgotten_people WHERE (source, hash) > (?1, ?2) ORDER BY source, hash LIMIT ?3
        """
}
