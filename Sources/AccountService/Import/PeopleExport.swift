import AccountDatabase
import AppleIDTypes

/// Reads all accounts page by page, for an import into another siwa.
///
/// Sessions, the audit, events and waiting work aren't exported: people sign in anew at the other siwa.
package struct PeopleExport: Sendable {
    /// The number of accounts in one read.
    static let pageSize = 200

    private let store: AccountTransactions
    private let seals: (password: Seal, token: Seal)?
    private var last: AccountID?
    private var lastForgotten: ForgottenPerson?

    /// - Parameter keyRing: opens password hashes and Apple's tokens; nil leaves both out.
    package init(of store: AccountTransactions, secretsBy keyRing: KeyRing?) {
        self.store = store
        seals = keyRing.map { ring in
            let ring = KeyRingInUse(ring)
            return (Seal(.password, keyRing: ring), Seal(.appleRefreshToken, keyRing: ring))
        }
    }

    /// Returns about how many accounts there are.
    package func count() async throws -> Int { try await store.accountCount() }

    /// Returns the next accounts, in the order of their ids; empty at the end.
    /// - Throws: ``AccountError/Code/configuration`` for a secret that the key ring doesn't open.
    package mutating func next() async throws -> [ImportedPerson] {
        let page = try await store.exportedPeople(after: last, limit: Self.pageSize)
        last = page.last?.person.exported?.id ?? last
        return try page.map { row in
            var person = row.person
            guard let seals else { return person }
            for index in person.identities.indices {
                guard let exported = person.identities[index].exported else { continue }
                let id = exported.id.rawValue
                if let sealed = row.passwords[id] {
                    let text = try seals.password.open(sealed, row: id)
                    person.identities[index].password = .hash(String(decoding: text, as: UTF8.self))
                }
                person.identities[index].appleTokens = try (row.tokens[id] ?? []).map { token in
                    let text = try seals.token.open(
                        token.sealed, row: token.id.rawValue, client: token.clientID.rawValue)
                    return ImportedAppleToken(
                        client: token.clientID, token: String(decoding: text, as: UTF8.self), id: token.id,
                        obtainedAt: token.obtainedAt)
                }
            }
            return person
        }
    }

    /// Returns the next imported people whose accounts were deleted here; empty at the end.
    package mutating func nextForgotten() async throws -> [ForgottenPerson] {
        let page = try await store.exportedForgotten(after: lastForgotten, limit: Self.pageSize)
        lastForgotten = page.last ?? lastForgotten
        return page
    }
}

/// An imported person whose account was deleted. Imports leave the person out.
package struct ForgottenPerson: Equatable, Sendable {
    /// The service that the person came from, such as `firebase`.
    package var source: String
    /// The hash of the person's id at that service.
    package var hash: TokenHash

    package init(source: String, hash: TokenHash) {
        self.source = source
        self.hash = hash
    }
}

/// An account with its sealed secrets, by the ids of its identities.
struct ExportedRow: Sendable {
    var person: ImportedPerson
    var passwords: [String: [UInt8]] = [:]
    var tokens: [String: [AppleToken]] = [:]
}

extension AccountTransactions {
    /// Returns at most `limit` accounts in the order of their ids, after an account; nil begins with the oldest.
    fileprivate func exportedPeople(after id: AccountID?, limit: Int) async throws -> [ExportedRow] {
        try await read { connection in
            var rows = try connection.query(
                .exportedAccounts, [.text(id?.rawValue ?? ""), .int64(Int64(limit))]
            ) { try ExportedRow(&$0) }
            guard let first = rows.first?.person.exported?.id, let last = rows.last?.person.exported?.id else {
                return []
            }
            let range: [SQLValue] = try [.id(first), .id(last)]
            var index: [AccountID: Int] = [:]
            for (number, row) in rows.enumerated() { if let id = row.person.exported?.id { index[id] = number } }
            func add(_ columns: inout SQLColumns, _ body: (inout ExportedRow, inout SQLColumns) throws -> Void) throws {
                guard let number = index[try columns.word()] else { return }
                try body(&rows[number], &columns)
            }
            try connection.eachRow(of: .exportedIdentities, range) { columns in
                try add(&columns) { row, columns in
                    let (identity, sealed) = try ImportedIdentity.exported(&columns)
                    if let sealed, let id = identity.exported?.id.rawValue { row.passwords[id] = sealed }
                    row.person.identities.append(identity)
                }
            }
            try connection.eachRow(of: .exportedTokens, range) { columns in
                try add(&columns) { row, columns in
                    let identity = try columns.text()
                    row.tokens[identity, default: []].append(
                        try AppleToken(
                            id: columns.word(), clientID: columns.word(), sealed: columns.bytes(),
                            obtainedAt: columns.time()))
                }
            }
            try connection.eachRow(of: .exportedConsents, range) { columns in
                try add(&columns) { row, columns in
                    row.person.exported?.consents.append(
                        try PortableConsent(
                            id: columns.word(), purpose: columns.text(), textVersion: columns.text(),
                            givenAt: columns.time(), session: columns.text(), client: columns.text(),
                            address: columns.optionalText(), device: columns.optionalText(),
                            withdrawnAt: columns.optionalTime()))
                }
            }
            try connection.eachRow(of: .exportedMerges, range) { columns in
                try add(&columns) { row, columns in
                    row.person.exported?.mergedAccounts.append(
                        try PortableMerge(account: columns.word(), mergedAt: columns.time()))
                }
            }
            try connection.eachRow(of: .exportedFormerIDs, range) { columns in
                try add(&columns) { row, columns in
                    var former = try FormerID(source: columns.text(), id: columns.text())
                    former.imported = try Set(columns.text().split(separator: ",").map(String.init))
                    row.person.formerIDs.append(former)
                }
            }
            return rows
        }
    }

    /// Returns at most `limit` deleted people in the order of their sources and hashes, after a person.
    fileprivate func exportedForgotten(
        after last: ForgottenPerson?, limit: Int
    ) async throws -> [ForgottenPerson] {
        // No source is empty, so every person comes after this.
        let last = last ?? ForgottenPerson(source: "", hash: TokenHash(bytes: Array(repeating: 0, count: 32)))
        return try await read { connection in
            try connection.query(
                .exportedForgotten, [.text(last.source), .hash(last.hash), .int64(Int64(limit))]
            ) { try ForgottenPerson(source: $0.text(), hash: $0.hash()) }
        }
    }
}

extension ExportedRow {
    fileprivate init(_ columns: inout SQLColumns) throws {
        var exported = PortableAccount(id: try columns.word())
        person = ImportedPerson(line: 0, formerIDs: [])
        person.createdAt = try columns.time()
        person.name = try columns.name()
        exported.nameTypedAt = try columns.optionalTime()
        exported.phone = try columns.optionalText()
        exported.contactEmail = try columns.optionalText()
        exported.contactEmailVerifiedAt = try columns.optionalTime()
        exported.disabledAt = try columns.optionalTime()
        person.exported = exported
    }
}

extension ImportedIdentity {
    /// Reads the columns of ``SQLStatement/exportedIdentities``.
    fileprivate static func exported(_ columns: inout SQLColumns) throws -> (Self, password: [UInt8]?) {
        let id = try columns.word(IdentityID.self)
        var identity = try Self(
            provider: columns.word(), team: columns.word(), subject: Subject(columns.text()),
            email: columns.optionalText(), emailVerified: columns.flag(), isPrivateEmail: columns.flag())
        let status = try columns.optionalInt64()
        var exported = try PortableIdentity(id: id, createdAt: columns.time(), lastSignInAt: columns.time())
        exported.realUserStatus = status
        exported.organizationID = try columns.optionalText()
        exported.lastAuthorizedAt = try columns.optionalTime()
        exported.forwardsEmail = try columns.optionalFlag()
        exported.forwardingChangedAt = try columns.optionalTime()
        exported.accessEndedAt = try columns.optionalTime()
        exported.accessEndReason = try columns.optionalText()
        exported.linkConsent = try columns.optionalText().map(ConsentID.init(rawValue:))
        let sealed = try columns.optionalBytes()
        exported.passwordSetAt = try columns.optionalTime()
        exported.isPasswordOff = try columns.optionalFlag() == true
        identity.exported = exported
        return (identity, sealed)
    }
}

extension SQLStatement {
    fileprivate static let exportedAccounts: Self = """
        SELECT id, created_at, \(nameColumns), name_typed_at, phone, contact_email, contact_email_verified_at, disabled_at
        FROM accounts WHERE id > ?1 ORDER BY id LIMIT ?2
        """
    fileprivate static let exportedIdentities: Self = """
        SELECT i.account_id, i.id, i.provider, i.team, i.subject, i.email, i.email_verified, i.is_private_email,
            i.real_user_status, i.created_at, i.last_sign_in_at, i.org_id, i.last_authorized_at, i.forwarding_on,
            i.forwarding_changed_at, i.access_ended_at, i.access_end_reason, i.link_consent_id, p.sealed, p.set_at,
            p.is_off
        FROM identities i LEFT JOIN passwords p ON p.identity_id = i.id
        WHERE i.account_id >= ?1 AND i.account_id <= ?2 AND i.removed_at IS NULL ORDER BY i.account_id, i.id
        """
    fileprivate static let exportedTokens: Self = """
        SELECT i.account_id, i.id, t.id, t.client_id, t.sealed, t.obtained_at
        FROM identities i JOIN apple_tokens t ON t.identity_id = i.id
        WHERE i.account_id >= ?1 AND i.account_id <= ?2 AND i.removed_at IS NULL ORDER BY i.id, t.id
        """
    fileprivate static let exportedConsents: Self = """
        SELECT account_id, id, purpose, text_version, given_at, session_id, client_id, address, device, withdrawn_at
        FROM consents WHERE account_id >= ?1 AND account_id <= ?2 ORDER BY account_id, id
        """
    fileprivate static let exportedMerges: Self = """
        SELECT into_id, from_id, merged_at FROM merged_accounts
        WHERE into_id >= ?1 AND into_id <= ?2 ORDER BY into_id, from_id
        """
    fileprivate static let exportedFormerIDs: Self = """
        SELECT account_id, source, former_id, ways FROM imported_people
        WHERE account_id >= ?1 AND account_id <= ?2 ORDER BY account_id, source, former_id
        """
}
