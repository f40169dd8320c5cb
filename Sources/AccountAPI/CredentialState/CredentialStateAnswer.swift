/// The response to `GET /v1/apple/credential-state`.
public struct CredentialStateAnswer: Hashable, Sendable, Codable {
    /// `authorized`, `revoked`, `notFound` or `transferred`. Later versions may add values.
    public var credentialState: String

    /// Creates a value for the service to send. Clients decode it.
    public init(credentialState: String) {
        self.credentialState = credentialState
    }
}
