/// The answer to `GET /v1/deletions/{handle}`.
public struct DeletionAnswer: Hashable, Sendable, Codable {
    public var deletion: DeletionBody

    public init(deletion: DeletionBody) { self.deletion = deletion }
}
