/// What Apple has told the service about the person.
public struct ExportedNotification: Hashable, Sendable, Codable {
    /// Apple's word for it, such as `consent-revoked`.
    public var type: String
    /// The app or Services ID that it was about.
    public var clientID: String
    /// What became of it here.
    public var outcome: String
    /// By Apple's clock.
    public var happenedAt: APITime
    public var receivedAt: APITime

    public init(type: String, clientID: String, outcome: String, happenedAt: APITime, receivedAt: APITime) {
        self.type = type
        self.clientID = clientID
        self.outcome = outcome
        self.happenedAt = happenedAt
        self.receivedAt = receivedAt
    }
}
