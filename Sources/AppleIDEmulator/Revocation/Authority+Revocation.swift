import AppleIDTypes

extension Authority {
    /// Checks who asks, then what for: an empty request is `invalid_client`.
    func revoke(_ fields: FormFields) async throws {
        guard fields["client_id"] != nil, fields["client_secret"] != nil else {
            throw Refusal(.invalidClient, "client_id or client_secret is missing.")
        }
        let client = try client(of: fields)
        let request = try RevocationRequest(fields)
        let now = environment.seconds
        let events = try step { (state) throws(Refusal) in try state.revoke(request, for: client.id, at: now) }
        try await tell(events)
    }
}
