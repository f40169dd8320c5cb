import AccountDatabase
package import AppleID

/// Seals everything anew under the first key of the ring, while servers run.
///
/// A value that the first key has sealed is passed over, so that a run which was interrupted goes on where it was. A
/// value that a server changes meanwhile is that server's: it stays, and is looked at in another pass.
package struct Resealing: Sendable {
    package struct Progress: Hashable, Sendable {
        package var done: Int
        package var total: Int
    }

    package struct Outcome: Hashable, Sendable {
        /// How many values were sealed anew.
        package var resealed = 0
        /// How many are sealed by another key still: because a server with an older ring goes on writing.
        package var others = 0
        /// How many do not open with any key of the ring.
        package var unopened = 0
        /// The names of the keys that the last two stand under.
        package var keysInUse: Set<String> = []
    }

    /// Values in one transaction, so that no sign-in waits long behind it.
    static let batchSize = 200
    /// Servers may write while this runs, but not for ever faster than it.
    private static let maximumPasses = 5

    private let store: AccountTransactions
    private let keyRing: KeyRing
    private let environment: AppleIDEnvironment

    package init(store: AccountTransactions, keyRing: KeyRing, environment: AppleIDEnvironment = .live) {
        self.store = store
        self.keyRing = keyRing
        self.environment = environment
    }

    /// - Parameter progress: told after each batch of the first pass.
    package func run(progress: (Progress) -> Void = { _ in }) async throws -> Outcome {
        var total = 0
        for column in SealedColumn.allCases { total += try await store.sealedCount(in: column) }
        var resealed = 0
        var last = Outcome()
        for pass in 0..<Self.maximumPasses {
            last = Outcome()
            var done = 0
            for column in SealedColumn.allCases {
                try await go(through: column, &last) { count in
                    done += count
                    if pass == 0 { progress(Progress(done: min(done, total), total: total)) }
                }
            }
            resealed += last.resealed
            if last.resealed == 0, last.others == 0 { break }
        }
        last.resealed = resealed
        try await store.append(
            AuditEntry(
                .keysResealed, at: Timestamp(environment.now()), by: .operator, account: nil,
                subject: keyRing.keys.first?.id))
        return last
    }

    private func go(through column: SealedColumn, _ outcome: inout Outcome, told: (Int) -> Void) async throws {
        let seal = Seal(column.purpose, keyRing: keyRing)
        var after: [String]?
        while true {
            let values = try await store.sealedValues(in: column, after: after, limit: Self.batchSize)
            guard let last = values.last else { return }
            after = last.key
            var replacements: [ResealedValue] = []
            for value in values where !seal.isCurrent(value.sealed) {
                let (row, client) = column.binding(of: value)
                do {
                    let plaintext = try seal.open(value.sealed, row: row, client: client)
                    replacements.append(
                        ResealedValue(value, sealed: try seal.seal(plaintext, row: row, client: client)))
                } catch let error as AccountError where error.code == .configuration {
                    outcome.unopened += 1
                    outcome.keysInUse.insert(Seal.keyName(of: value.sealed) ?? "unknown")
                }
            }
            if !replacements.isEmpty {
                let replaced = try await store.reseal(replacements, in: column)
                outcome.resealed += replaced
                if replaced < replacements.count {
                    outcome.others += replacements.count - replaced
                    outcome.keysInUse.formUnion(replacements.compactMap { Seal.keyName(of: $0.value.sealed) })
                }
            }
            told(values.count)
            try Task.checkCancellation()
        }
    }
}

extension SealedColumn {
    fileprivate var purpose: Seal.Purpose {
        switch self {
        case .serverKeys: .serverKey
        case .appleTokens, .authorizationTokens, .outboxRevocations: .appleRefreshToken
        case .outboxCodes: .waitingCode
        case .pendingProfiles: .pendingProfile
        case .authorizationStates, .authorizationResults: .authorization
        case .mails: .mail
        case .passwords: .password
        case .emailLinks: .emailLink
        }
    }

    /// Returns the row and client that the seal of a value is bound to, as those who seal it say.
    fileprivate func binding(of value: SealedValue) -> (row: String, client: String) {
        let row = value.row ?? value.key.joined(separator: "/")
        return (row, self == .authorizationStates ? "state" : value.client ?? "")
    }
}

extension AccountTransactions {
    /// How many sealed values there are, more or less.
    package func sealedCount(in column: SealedColumn) async throws -> Int {
        try await read { connection in
            try connection.first(column.statements.count, []) { try Int($0.int64()) } ?? 0
        }
    }

    /// At most `limit` sealed values, in the order of their keys, after one; nil begins with the first.
    package func sealedValues(
        in column: SealedColumn, after: [String]?, limit: Int
    ) async throws -> [SealedValue] {
        let parts = column.keyParts
        // No key is empty, so all come after this one.
        let after = after ?? Array(repeating: "", count: parts)
        guard after.count == parts else { return [] }
        return try await read { connection in
            let values = try after.map(SQLValue.text) + [.int64(Int64(max(0, limit)))]
            return try connection.query(column.statements.page, values) { columns in
                var key: [String] = []
                for _ in 0..<parts { key.append(try columns.text()) }
                return try SealedValue(
                    key: key, row: columns.optionalText(), client: columns.optionalText(), sealed: columns.bytes())
            }
        }
    }

    /// Replaces those of the values that have not changed since they were read.
    /// - Returns: how many were replaced.
    package func reseal(_ values: [ResealedValue], in column: SealedColumn) async throws -> Int {
        try await write { connection in
            var replaced = 0
            for resealed in values {
                replaced += try connection.execute(
                    column.statements.replace,
                    resealed.value.key.map(SQLValue.text) + [.bytes(resealed.value.sealed), .bytes(resealed.sealed)])
            }
            return replaced
        }
    }
}

extension SealedColumn {
    /// Texts in the primary key.
    fileprivate var keyParts: Int { self == .pendingProfiles ? 2 : 1 }

    /// How many there are; those after a key, with row and client of the seal; and the change of one that is as it was.
    fileprivate var statements: (count: SQLStatement, page: SQLStatement, replace: SQLStatement) {
        switch self {
        case .serverKeys:
            (
                "SELECT count(*) FROM server_keys",
                "SELECT id, NULL, NULL, sealed FROM server_keys WHERE id > ?1 ORDER BY id LIMIT ?2",
                "UPDATE server_keys SET sealed = ?3 WHERE id = ?1 AND sealed = ?2"
            )
        case .appleTokens:
            (
                "SELECT count(*) FROM apple_tokens",
                "SELECT id, NULL, client_id, sealed FROM apple_tokens WHERE id > ?1 ORDER BY id LIMIT ?2",
                "UPDATE apple_tokens SET sealed = ?3 WHERE id = ?1 AND sealed = ?2"
            )
        case .pendingProfiles:
            (
                "SELECT count(*) FROM kept_names",
                """
                SELECT team, subject, NULL, NULL, sealed FROM kept_names WHERE (team, subject) > (?1, ?2)
                ORDER BY team, subject LIMIT ?3
                """,
                "UPDATE kept_names SET sealed = ?4 WHERE team = ?1 AND subject = ?2 AND sealed = ?3"
            )
        case .authorizationStates:
            (
                "SELECT count(*) FROM authorizations WHERE sealed_state IS NOT NULL",
                """
                SELECT id, NULL, NULL, sealed_state FROM authorizations WHERE id > ?1 AND sealed_state IS NOT NULL
                ORDER BY id LIMIT ?2
                """,
                "UPDATE authorizations SET sealed_state = ?3 WHERE id = ?1 AND sealed_state = ?2"
            )
        case .authorizationResults:
            // Empty after a sign-in has used it.
            (
                "SELECT count(*) FROM authorizations WHERE length(sealed_result) > 0",
                """
                SELECT id, NULL, NULL, sealed_result FROM authorizations WHERE id > ?1 AND length(sealed_result) > 0
                ORDER BY id LIMIT ?2
                """,
                "UPDATE authorizations SET sealed_result = ?3 WHERE id = ?1 AND sealed_result = ?2"
            )
        case .outboxRevocations:
            (
                "SELECT count(*) FROM outbox WHERE kind = 'revocation' AND sealed IS NOT NULL",
                """
                SELECT id, NULL, client_id, sealed FROM outbox
                WHERE id > ?1 AND kind = 'revocation' AND sealed IS NOT NULL ORDER BY id LIMIT ?2
                """,
                "UPDATE outbox SET sealed = ?3 WHERE id = ?1 AND sealed = ?2"
            )
        case .outboxCodes:
            (
                "SELECT count(*) FROM outbox WHERE kind = 'code' AND sealed IS NOT NULL",
                """
                SELECT id, NULL, client_id, sealed FROM outbox
                WHERE id > ?1 AND kind = 'code' AND sealed IS NOT NULL ORDER BY id LIMIT ?2
                """,
                "UPDATE outbox SET sealed = ?3 WHERE id = ?1 AND sealed = ?2"
            )
        case .mails:
            (
                "SELECT count(*) FROM mails",
                "SELECT id, NULL, NULL, sealed FROM mails WHERE id > ?1 ORDER BY id LIMIT ?2",
                "UPDATE mails SET sealed = ?3 WHERE id = ?1 AND sealed = ?2"
            )
        case .passwords:
            (
                "SELECT count(*) FROM passwords",
                """
                SELECT identity_id, NULL, NULL, sealed FROM passwords WHERE identity_id > ?1 ORDER BY identity_id LIMIT ?2
                """,
                "UPDATE passwords SET sealed = ?3 WHERE identity_id = ?1 AND sealed = ?2"
            )
        case .emailLinks:
            (
                "SELECT count(*) FROM email_links WHERE sealed IS NOT NULL",
                """
                SELECT id, NULL, NULL, sealed FROM email_links WHERE id > ?1 AND sealed IS NOT NULL ORDER BY id LIMIT ?2
                """,
                "UPDATE email_links SET sealed = ?3 WHERE id = ?1 AND sealed = ?2"
            )
        case .authorizationTokens:
            (
                "SELECT count(*) FROM authorizations WHERE apple_token_sealed IS NOT NULL",
                """
                SELECT id, apple_token_id, client_id, apple_token_sealed FROM authorizations
                WHERE id > ?1 AND apple_token_sealed IS NOT NULL ORDER BY id LIMIT ?2
                """,
                "UPDATE authorizations SET apple_token_sealed = ?3 WHERE id = ?1 AND apple_token_sealed = ?2"
            )
        }
    }
}
