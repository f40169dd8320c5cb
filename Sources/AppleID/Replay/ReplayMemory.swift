/// Remembers what was used, so that a stolen token is good for nothing once its owner has used it.
///
/// A nonce that this server made and consumes does the same and more; this is for those who cannot. Several servers
/// need one memory between them: a database with a unique column, or a cache that can add what is not there.
public protocol ReplayMemory: Sendable {
    /// Notes an identifier, at once and for everybody.
    /// - Returns: whether it was not there yet.
    /// - Throws: when that is not known. The token is refused then.
    func insert(_ identifier: ReplayIdentifier) async throws -> Bool
}

extension ReplayMemory {
    func use(_ identifier: ReplayIdentifier) async throws(AppleIDError) {
        let isNew: Bool
        do {
            isNew = try await insert(identifier)
        } catch {
            throw AppleIDError(
                .replayUnknown, "whether the token was used before could not be found out", cause: error)
        }
        guard isNew else { throw AppleIDError(.tokenReplayed, "the token was used before") }
    }
}
