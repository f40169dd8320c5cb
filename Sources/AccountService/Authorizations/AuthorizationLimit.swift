/// How many authorizations that nobody has finished one network may have within their time.
public struct AuthorizationLimit: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        case inserted
        /// Another authorization has the same user code; nothing was written.
        case taken
        /// The network has as many as it may have until then; nothing was written.
        case tooMany(until: Timestamp)
    }

    public var network: CountedNetwork
    /// Open ones and failed ones count until they expire; else beginning and giving up would have no bound.
    public var limit: Int64

    public init(network: CountedNetwork, limit: Int64) {
        self.network = network
        self.limit = limit
    }
}
