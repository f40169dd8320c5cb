/// Apple's key set as it was answered, and when.
public struct KeptKeySet: Hashable, Sendable {
    public var json: [UInt8]
    public var fetchedAt: Timestamp

    public init(json: [UInt8], fetchedAt: Timestamp) {
        self.json = json
        self.fetchedAt = fetchedAt
    }
}
