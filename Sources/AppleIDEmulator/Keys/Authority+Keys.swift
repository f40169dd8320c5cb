import AppleIDTypes

extension Authority {
    /// As many as Apple's key set has had for years.
    static let usualKeys = 3

    /// What `/auth/keys` shows.
    var publishedKeys: [SigningKey] {
        let state = current
        return state.quirks.contains(.oneKey) ? Array(state.signingKeys.prefix(1)) : state.signingKeys
    }

    /// Makes one more key, if there are fewer than usual; it is published and signs nothing.
    /// - Returns: whether there may be still more to do.
    func addSigningKey() async throws -> Bool {
        guard configuration.signingKey == nil, signingKeys.count < Self.usualKeys else { return false }
        let key = try await SigningKey.make(id: KeyID(randomness.portalID()))
        try step { $0.addSpare(key) }
        try await keep()
        return true
    }

    /// Makes a key that signs from now on.
    func rotateKeys() async throws {
        let key = try await SigningKey.make(id: KeyID(randomness.portalID()))
        try step { (state) throws(Refusal) in try state.rotate(to: key) }
        try await keep()
    }
}
