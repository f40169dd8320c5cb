/// The answer to `DELETE /v1/account`: 202, since the service does not make its client wait for Apple.
public struct AccountDeletionAnswer: Hashable, Sendable, Codable {
    /// A secret, by which `GET /v1/deletions/{handle}` tells what became of it, until 30 days after its end.
    public var handle: String
    public var deletion: DeletionBody

    public init(handle: String, deletion: DeletionBody) {
        self.handle = handle
        self.deletion = deletion
    }
}
