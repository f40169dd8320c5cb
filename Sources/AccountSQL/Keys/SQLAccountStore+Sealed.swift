public import AccountService

extension SQLAccountStore {
    public func sealedCount(in column: SealedColumn) async throws -> Int {
        try await database.read { connection in
            try connection.first(column.statements.count, []) { try Int($0.int64()) } ?? 0
        }
    }

    public func sealedValues(
        in column: SealedColumn, after: [String]?, limit: Int
    ) async throws -> [SealedValue] {
        let parts = column.keyParts
        // No key is empty, so all come after this one.
        let after = after ?? Array(repeating: "", count: parts)
        guard after.count == parts else { return [] }
        return try await database.read { connection in
            let values = try after.map(SQLValue.text) + [.int64(Int64(max(0, limit)))]
            return try connection.query(column.statements.page, values) { columns in
                var key: [String] = []
                for _ in 0..<parts { key.append(try columns.text()) }
                return try SealedValue(
                    key: key, row: columns.optionalText(), client: columns.optionalText(), sealed: columns.bytes())
            }
        }
    }

    public func reseal(_ values: [ResealedValue], in column: SealedColumn) async throws -> Int {
        try await database.write { connection in
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
    fileprivate var keyParts: Int { self == .keptNames ? 2 : 1 }

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
        case .keptNames:
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
