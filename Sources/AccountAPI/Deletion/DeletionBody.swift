/// What became of a deletion, as `GET /v1/deletions/{handle}` tells it. The account itself is gone from the first
/// moment.
public struct DeletionBody: Hashable, Sendable {
    public var status: DeletionStatus
    public var requestedAt: APITime
    /// Null while something is left to do.
    public var finishedAt: APITime?
    /// What the person can do, because the service holds no token of Apple's; else null.
    public var manualRemoval: ManualRemoval?

    public init(status: DeletionStatus, requestedAt: APITime, finishedAt: APITime?, manualRemoval: ManualRemoval?) {
        self.status = status
        self.requestedAt = requestedAt
        self.finishedAt = finishedAt
        self.manualRemoval = manualRemoval
    }
}

extension DeletionBody: Codable {
    private enum CodingKeys: String, CodingKey { case status, requestedAt, finishedAt, manualRemoval }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(status, forKey: .status)
        try container.encode(requestedAt, forKey: .requestedAt)
        try container.encode(finishedAt, forKey: .finishedAt)
        try container.encode(manualRemoval, forKey: .manualRemoval)
    }
}
