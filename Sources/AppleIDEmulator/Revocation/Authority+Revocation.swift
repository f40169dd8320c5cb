import AppleIDTypes

extension Authority {
    /// Looks the token up, then checks the client: public tests that call Apple send a nonsense client, secret and
    /// token, and get 200. An empty request is `invalid_client`.
    func revoke(_ fields: FormFields) async throws {
        guard fields["client_id"] != nil, fields["client_secret"] != nil else {
            throw Refusal(.invalidClient, "client_id or client_secret is missing.")
        }
        let now = environment.seconds
        let state = current
        // Without a token there is nothing to look up.
        let isClientFirst = state.quirks.contains(.clientBeforeGrant) || fields["token"] == nil
        if isClientFirst { _ = try client(of: fields) }
        let request = try RevocationRequest(fields)
        guard try state.isLive(request, at: now) else { return }
        let client = try client(of: fields)
        let events = try step { (state) throws(Refusal) in try state.revoke(request, for: client.id, at: now) }
        try await tell(events)
    }
}
