/// How many wrong codes may be tried within a window of time: a counter of a store, and its bound.
public struct WrongCodeLimit: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        /// Typed by a person for a device.
        case userCodes = "user codes"
        /// Apple's, brought by an app without anything that proves them.
        case authorizationCodes = "authorization codes"
    }

    public var kind: Kind
    /// Nil for all networks together.
    public var network: CountedNetwork?
    public var limit: Int64
    /// When the current window began; it begins anew when it is over.
    public var window: Timestamp
    /// When the count of the window may go.
    public var windowEnd: Timestamp

    public init(
        of kind: Kind, from network: CountedNetwork?, limit: Int64, window: Timestamp, windowEnd: Timestamp
    ) {
        self.kind = kind
        self.network = network
        self.limit = limit
        self.window = window
        self.windowEnd = windowEnd
    }

    /// - Parameter length: of the windows, in whole seconds.
    init(of kind: Kind, from network: CountedNetwork?, limit: Int64, during length: Duration, at moment: Timestamp) {
        let seconds = length.components.seconds
        let window = Timestamp(secondsSince1970: moment.secondsSince1970 / seconds * seconds)
        self.init(of: kind, from: network, limit: limit, window: window, windowEnd: window + length)
    }
}
