import AccountDatabase
import AppleIDTypes

/// The rows that an import adds, table by table, written by statements of many rows each.
struct ImportRows {
    /// Rows in one statement: engines keep a statement of each size for each table.
    private static let sizes = [64, 8, 1]

    private let at: Timestamp
    private var rows: [Table: [SQLValue]] = [:]

    init(at moment: Timestamp) {
        at = moment
    }

    /// Adds all rows of a person who is new.
    mutating func append(_ prepared: PreparedPerson) throws {
        let person = prepared.person
        let exported = person.exported
        let account = prepared.account
        let disabledAt = exported?.disabledAt ?? (person.isDisabled ? at : nil)
        rows[.accounts, default: []] +=
            try [.id(account), .int64(1), .time(person.createdAt ?? at)] + SQLValue.name(person.name) + [
                .time(orNull: exported?.nameTypedAt), .text(orNull: exported?.phone),
                .text(orNull: exported?.contactEmail), .time(orNull: exported?.contactEmailVerifiedAt),
                .text(orNull: EmailForm.besides(exported?.contactEmail)), .time(orNull: disabledAt),
            ]
        for (former, hash) in zip(person.formerIDs, prepared.formerHashes) {
            rows[.imported, default: []] +=
                try [
                    .text(former.source), .hash(hash), .id(account), .text(former.id), .text(prepared.ways), .time(at),
                ]
        }
        for index in person.identities.indices { try append(prepared, identity: index, of: account) }
        for consent in exported?.consents ?? [] {
            rows[.consents, default: []] +=
                try [
                    .id(consent.id), .id(account), .text(consent.purpose), .text(consent.textVersion),
                    .time(consent.givenAt), .id(consent.session), .text(consent.client),
                    .text(orNull: consent.address), .text(orNull: consent.device), .time(orNull: consent.withdrawnAt),
                ]
        }
        for merge in exported?.mergedAccounts ?? [] {
            rows[.merges, default: []] +=
                try [.id(merge.account), .id(account), .time(merge.mergedAt), .hash(merge.handleHash)]
        }
    }

    /// Adds the rows of one identity of a person.
    mutating func append(_ prepared: PreparedPerson, identity index: Int, of account: AccountID) throws {
        let (person, identity) = (prepared.person, prepared.person.identities[index])
        let (ids, exported) = (prepared.identities[index], identity.exported)
        let createdAt = exported?.createdAt ?? person.createdAt ?? at
        rows[.identities, default: []] +=
            try [
                .id(ids.id), .id(account), .text(identity.provider), .text(identity.team), .text(identity.subject),
                .text(orNull: identity.email), .flag(identity.emailVerified),
                .flag(identity.isPrivateEmail), .int64(orNull: exported?.realUserStatus), .time(createdAt),
                .time(exported?.lastSignInAt ?? person.lastSignInAt ?? createdAt),
                .text(orNull: exported?.organizationID), .time(orNull: exported?.lastAuthorizedAt),
                exported?.forwardsEmail.map(SQLValue.flag) ?? .null, .time(orNull: exported?.forwardingChangedAt),
                .text(orNull: identity.provider == .apple ? EmailForm.besides(identity.email) : nil),
                .time(orNull: exported?.accessEndedAt), .text(orNull: exported?.accessEndReason),
                .id(orNull: exported?.linkConsent),
            ]
        if let sealed = ids.sealedPassword {
            let setAt = exported?.passwordSetAt ?? at
            rows[.passwords, default: []] +=
                try [
                    .id(ids.id), .bytes(sealed), .time(setAt), .time(setAt), .flag(exported?.isPasswordOff ?? false),
                ]
        }
        for token in ids.tokens {
            rows[.appleTokens, default: []] +=
                try [
                    .id(token.id), .id(ids.id), .text(token.clientID), .bytes(token.sealed), .time(token.obtainedAt),
                    .time(at + CheckRules.interval),
                ]
        }
    }

    /// Writes all rows.
    ///
    /// Throws ``SomebodyIsHere`` if one of them was there.
    func write(on connection: any SQLConnection) throws {
        // A password needs its identity: what refers to rows is written once all of these are there.
        try write(Table.referred, on: connection)
        try write(Table.referring, on: connection)
    }

    private func write(_ tables: [Table], on connection: any SQLConnection) throws {
        var steps: [SQLStep] = []
        var expected: [Int] = []
        for table in tables {
            guard var rest = rows[table]?[...], let inserts = Self.inserts[table] else { continue }
            for (size, insert) in zip(Self.sizes, inserts) {
                while rest.count >= size * table.columnCount {
                    steps.append(SQLStep(insert, Array(rest.prefix(size * table.columnCount))))
                    expected.append(size)
                    rest = rest.dropFirst(size * table.columnCount)
                }
            }
        }
        guard try connection.run(steps) == expected else { throw SomebodyIsHere() }
    }

    /// The statements of each table, one for each of ``sizes``.
    private static let inserts = Dictionary(
        uniqueKeysWithValues: Table.allCases.map { table in (table, sizes.map(table.insert)) })

    private enum Table: CaseIterable {
        case accounts, imported, identities, passwords, appleTokens, consents, merges

        /// Those to which others refer, in the order that the references between them ask for.
        static let referred: [Self] = [.accounts, .imported, .identities]
        static let referring: [Self] = [.passwords, .appleTokens, .consents, .merges]

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

        var into: SQLStatement {
            switch self {
            case .accounts:
                """
                accounts (id, revision, created_at, \(SQLStatement.nameColumns), name_typed_at, phone, contact_email,
                    contact_email_verified_at, contact_form, disabled_at)
                """
            case .imported: "imported_people (source, hash, account_id, former_id, ways, imported_at)"
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

        func insert(_ count: Int) -> SQLStatement {
            "INSERT INTO \(into) VALUES \(SQLStatement.rows(count, of: columnCount)) ON CONFLICT DO NOTHING"
        }
    }
}

extension SQLValue {
    static func time(orNull moment: Timestamp?) -> Self { moment.map(Self.time) ?? .null }
}
