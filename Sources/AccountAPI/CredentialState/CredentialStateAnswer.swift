/// The answer to `GET /v1/apple/credential-state`.
public struct CredentialStateAnswer: Hashable, Sendable, Codable {
    /// `authorized`, `revoked` or `notFound`; words may be added.
    public var credentialState: String

    public init(credentialState: String) {
        self.credentialState = credentialState
    }
}
