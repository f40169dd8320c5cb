package import AccountDatabase
package import Logging

/// Reads the people in the PostgreSQL database of another service, page by page. It writes nothing there.
package struct ForeignDatabase: Sendable {
    /// The services whose tables are known.
    package enum Service: Sendable {
        case supabase
        case serverpod
    }

    /// The number of people in one read. A person with two accounts at one provider has two rows.
    private static let pageSize: Int64 = 400

    private let transactions: AccountTransactions
    private let service: Service
    private var last = "00000000-0000-0000-0000-000000000000"
    private var page: [String] = []
    private var isAtEnd = false

    /// Opens the database.
    ///
    /// Throws ``AccountError`` with the code `configuration` or `unavailable` when it cannot be opened.
    /// - Parameter logger: logs when the database fails, and when it works again.
    package init(_ storage: AccountStorage, of service: Service, logger: Logger) async throws {
        transactions = try await AccountTransactions.openForeign(storage, logger: logger)
        self.service = service
    }

    /// Returns the number of people.
    package func count() async throws -> Int {
        try await transactions.read { [service] connection in
            try connection.first(service.count, []) { try Int($0.int64()) } ?? 0
        }
    }

    /// Returns the next person as a JSON object with the members of a row of the service's file; nil at the end.
    package mutating func next() async throws -> String? {
        if page.isEmpty, !isAtEnd {
            let values: [SQLValue] = try [.text(last), .int64(Self.pageSize)]
            let rows = try await transactions.read { [service] connection in
                try connection.query(service.people, values) { try (id: $0.text(), json: $0.text()) }
            }
            last = rows.last?.id ?? last
            isAtEnd = rows.count < Self.pageSize
            page = rows.reversed().map(\.json)
        }
        return page.popLast()
    }

    /// Closes the database.
    package func close() async throws { try await transactions.close() }
}

extension ForeignDatabase.Service {
    fileprivate var count: SQLStatement {
        switch self {
        case .supabase: "SELECT count(*) FROM auth.users WHERE deleted_at IS NULL"
        case .serverpod: "SELECT count(*) FROM serverpod_auth_core_user"
        }
    }

    fileprivate var people: SQLStatement {
        switch self {
        case .supabase:
            """
            SELECT CAST(u.id AS text), CAST(json_build_object('id', u.id, 'email', u.email,
                'encrypted_password', u.encrypted_password, 'email_confirmed_at', u.email_confirmed_at,
                'banned_until', u.banned_until, 'raw_user_meta_data', u.raw_user_meta_data, 'created_at', u.created_at,
                'last_sign_in_at', u.last_sign_in_at, 'identities', (
                    SELECT coalesce(json_agg(json_build_object('provider', i.provider, 'provider_id', i.provider_id,
                        'identity_data', i.identity_data)), '[]') FROM auth.identities i WHERE i.user_id = u.id)) AS text)
            FROM auth.users u WHERE u.deleted_at IS NULL AND u.id > CAST(?1 AS uuid) ORDER BY u.id LIMIT ?2
            """
        case .serverpod:
            """
            SELECT CAST(u.id AS text), CAST(json_build_object('id', u.id, 'created_at', u."createdAt",
                'blocked', u.blocked, 'user_name', p."userName", 'full_name', p."fullName",
                'apple_user_identifier', a."userIdentifier", 'apple_refresh_token', a."refreshToken",
                'apple_refresh_token_by_bundle_id', a."refreshTokenRequestedWithBundleIdentifier",
                'apple_email', a.email, 'apple_email_verified', a."isEmailVerified",
                'apple_first_name', a."firstName", 'apple_last_name', a."lastName", 'email_account', e.email) AS text)
            FROM (SELECT id, "createdAt", blocked FROM serverpod_auth_core_user
                    WHERE id > CAST(?1 AS uuid) ORDER BY id LIMIT ?2) u
                LEFT JOIN serverpod_auth_core_profile p ON p."authUserId" = u.id
                LEFT JOIN serverpod_auth_idp_apple_account a ON a."authUserId" = u.id
                LEFT JOIN serverpod_auth_idp_email_account e ON e."authUserId" = u.id
            ORDER BY u.id
            """
        }
    }
}
