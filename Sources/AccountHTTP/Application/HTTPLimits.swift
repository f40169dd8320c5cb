/// How much one client may send, how long it may take, and how many connections it may have.
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
    /// How long a client may take nothing of what is written to it. Then its connection ends, a third later at most.
    public var writeTimeout: Duration
    /// How many connections the server has open at most; further clients wait. Nil for as many as the system lets the
    /// process have open files, less 128 for everything else, and 10,000 at most. The system's limit always goes first.
    public var maximumConnections: Int?
    /// How many connections one address may have: an IPv4 address, or the first 64 bits of an IPv6 address. Further ones
    /// are closed at once. Trusted proxies may have any number. Nil for a quarter of all; 0 for any number.
    public var maximumConnectionsPerAddress: Int?

    public init(
        maximumBodyBytes: Int = 65_536, maximumURIBytes: Int = 8_192, maximumHeaderFieldBytes: Int = 16_384,
        maximumHeaderBytes: Int = 32_768, maximumHeaderCount: Int = 100, bodyTimeout: Duration = .seconds(10),
        idleTimeout: Duration = .seconds(30), writeTimeout: Duration = .seconds(30), maximumConnections: Int? = nil,
        maximumConnectionsPerAddress: Int? = nil
    ) {
        self.maximumBodyBytes = maximumBodyBytes
        self.maximumURIBytes = maximumURIBytes
        self.maximumHeaderFieldBytes = maximumHeaderFieldBytes
        self.maximumHeaderBytes = maximumHeaderBytes
        self.maximumHeaderCount = maximumHeaderCount
        self.bodyTimeout = bodyTimeout
        self.idleTimeout = idleTimeout
        self.writeTimeout = writeTimeout
        self.maximumConnections = maximumConnections
        self.maximumConnectionsPerAddress = maximumConnectionsPerAddress
    }
}
