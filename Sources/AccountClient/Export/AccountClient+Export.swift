public import struct Foundation.Data

extension AccountClient {
    /// All that the account service holds about the person, as a JSON document to be handed to them as a file: name,
    /// addresses, sessions, and what was done when and from where.
    ///
    /// Throws as ``accessToken()`` does.
    public func exportAccount() async throws -> Data {
        try await core.exportAccount()
    }
}
