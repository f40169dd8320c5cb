/// How much one client may send, and how long it may take.
public struct HTTPLimits: Hashable, Sendable {
    /// JSON and forms alike; more is answered 413.
    public var maximumBodyBytes: Int
    /// Path and query; more is answered 414.
    public var maximumURIBytes: Int
    /// One header field, or the request line; more is answered 400 and ends the connection.
    public var maximumHeaderFieldBytes: Int
    /// All header fields and the request line together.
    public var maximumHeaderBytes: Int
    public var maximumHeaderCount: Int
    /// From the end of the headers to the end of the body; longer is answered 408 and ends the connection.
    public var bodyTimeout: Duration
    /// How long a connection may stay open without a request, or without progress of one.
    public var idleTimeout: Duration

    public init(
        maximumBodyBytes: Int = 65_536, maximumURIBytes: Int = 8_192, maximumHeaderFieldBytes: Int = 16_384,
        maximumHeaderBytes: Int = 32_768, maximumHeaderCount: Int = 100, bodyTimeout: Duration = .seconds(10),
        idleTimeout: Duration = .seconds(30)
    ) {
        self.maximumBodyBytes = maximumBodyBytes
        self.maximumURIBytes = maximumURIBytes
        self.maximumHeaderFieldBytes = maximumHeaderFieldBytes
        self.maximumHeaderBytes = maximumHeaderBytes
        self.maximumHeaderCount = maximumHeaderCount
        self.bodyTimeout = bodyTimeout
        self.idleTimeout = idleTimeout
    }
}
