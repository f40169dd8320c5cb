/// The response to `GET /v1/apple/credential-state`.
public struct CredentialStateAnswer: Hashable, Sendable, Codable {
    /// `authorized`, `revoked`, `notFound` or `transferred`. Later versions may add values.
    public var credentialState: String
    /// The SHA-256 of the person's `transfer_sub`, in hexadecimal digits, where the state is `transferred` and Apple
    /// has told it. The identity token of the same person under the new team carries this `transfer_sub`.
    public var transferSubjectHash: String?

    /// Creates a value for the service to send. Clients decode it.
    public init(credentialState: String, transferSubjectHash: String? = nil) {
        self.credentialState = credentialState
        self.transferSubjectHash = transferSubjectHash
    }
}
