import AppleIDTypes

extension Authority {
    /// `POST /auth/token`: checks the grant, then the client, and answers in Apple's shape.
    func token(_ fields: FormFields) async throws -> JSONText {
        let request = try TokenRequest(fields)
        let lifetime = IssuedAccessToken.lifetime
        let issue: TokenIssue
        do {
            issue = try redeem(request, of: fields)
        } catch {
            // A step that is refused changes nothing; this quirk is a consequence of the refusal.
            if case .code(let code) = request { try await endTokens(ofReused: code.code.rawValue, by: fields) }
            throw error
        }
        try await keep()
        return .object([
            ("access_token", .string(issue.accessToken)),
            ("token_type", .string(current.quirks.contains(.lowercaseTokenType) ? "bearer" : "Bearer")),
            ("expires_in", .integer(lifetime)), ("refresh_token", .string(issue.refreshToken)),
            ("id_token", .string(try issue.claims.map(sign))),
        ])
    }

    private func redeem(_ request: TokenRequest, of fields: FormFields) throws(Refusal) -> TokenIssue {
        let now = environment.seconds
        let state = current
        if !state.quirks.contains(.clientBeforeGrant) { try state.checkGrantIsLive(request, at: now) }
        var isForMigration = false
        if case .credentials = request { isForMigration = true }
        let client = try client(of: fields, forMigration: isForMigration)
        let fresh = FreshTokens(randomness)
        return try step { (state) throws(Refusal) in try state.redeem(request, for: client, fresh: fresh, at: now) }
    }

    /// The quirk `code-reuse-revokes`: a client that sends its used code again ends the tokens of the first use.
    private func endTokens(ofReused code: String, by fields: FormFields) async throws {
        guard current.quirks.contains(.codeReuseRevokes) else { return }
        let client: Registry.Client
        do throws(Refusal) {
            client = try self.client(of: fields)
        } catch {
            // Only the code's own client may end anything. The refusal of the code stands.
            return
        }
        let now = environment.seconds
        try step { $0.endTokens(ofReused: code, for: client.id, at: now) }
        try await keep()
    }

    /// Which client sent this form, by its `client_id` and a good `client_secret`.
    /// - Parameter forMigration: takes also the keys of a team that gave the app away.
    func client(of fields: FormFields, forMigration: Bool = false) throws(Refusal) -> Registry.Client {
        let state = current
        let keys = forMigration ? state.transfers.formerKeys : [:]
        return try ClientSecretRules(registry: state.registry, now: environment.seconds, formerKeys: keys)
            .check(fields["client_secret"] ?? "", clientID: fields["client_id"] ?? "")
    }
}
