import AppleIDTypes

extension Authority {
    /// `POST /auth/usermigrationinfo`, for either team.
    func migrate(_ fields: FormFields, accessToken: String?) throws(Refusal) -> MigrationAnswer {
        guard fields["client_id"] != nil, fields["client_secret"] != nil else {
            throw Refusal(.invalidClient, "client_id or client_secret is missing.")
        }
        let client = try client(of: fields, forMigration: true)
        return try current.migrate(
            MigrationRequest(fields), for: client, accessToken: accessToken, at: environment.seconds)
    }

    func transfer(_ app: ClientID, to team: TeamID) async throws -> Transfer {
        let key = Portal.Key.generated(id: KeyID(randomness.portalID()))
        let now = environment.seconds
        let transfer = try step { (state) throws(Refusal) in
            try state.transfer(app, to: team, newKey: key, at: now)
        }
        try await keep()
        return transfer
    }
}
