/// The settings of the account service's HTTP side. The program that embeds the service reads them from wherever it keeps
/// its settings.
public struct AccountHTTPConfiguration: Sendable {
    /// The name by which people know the service. Every page shows it. White space around it is dropped.
    public var appName: String
    /// The look of Apple's button, which also decides whether pages are light or dark.
    public var button: AppleButton
    /// The URL of the emulator that stands in for Apple. Every page and `/readyz` show it.
    ///
    /// If it is nil, ``AccountServer`` and `AccountDomain.addAccountRoutes` take the server that the domain asks: Apple, or
    /// an emulator.
    public var emulatorURL: String?
    /// How the sign-in page uses Apple's script. Nil for a page without it.
    public var signInScript: SignInScript?
    /// The limits for requests and connections.
    public var limits: HTTPLimits
    /// The limits for streams of events.
    public var eventStreams: EventStreamLimits
    /// The proxies whose `X-Forwarded-For` the service believes. It ignores the header from anybody else.
    public var trustedProxies: [AddressRange]
    /// How many unauthenticated requests of one kind one address may make in a minute. Nil, 0 and less mean any number.
    public var requestBudget: Int?
    /// The operator's files under `/.well-known`. A path without a file is 404.
    package var wellKnownFiles = PublishedFiles()

    /// The rate limit of an operator who sets none: 300 requests of a kind in a minute.
    public static let defaultRequestBudget = 300

    /// Makes settings. Without arguments they are good for a service behind no proxy that talks to Apple.
    public init(
        appName: String = "siwa", button: AppleButton = AppleButton(), emulatorURL: String? = nil,
        signInScript: SignInScript? = nil, limits: HTTPLimits = HTTPLimits(),
        eventStreams: EventStreamLimits = EventStreamLimits(), trustedProxies: [AddressRange] = [],
        requestBudget: Int? = defaultRequestBudget
    ) {
        self.appName = appName
        self.button = button
        self.emulatorURL = emulatorURL
        self.signInScript = signInScript
        self.limits = limits
        self.eventStreams = eventStreams
        self.trustedProxies = trustedProxies
        self.requestBudget = requestBudget
    }
}

/// The limits for what a client may send, how long it may take, and how many connections it may have.
public struct HTTPLimits: Hashable, Sendable {
    /// The bytes of a body, JSON or a form. The response to a larger one is 413.
    public var maximumBodyBytes: Int
    /// The bytes of path and query. The response to a longer one is 414.
    public var maximumURIBytes: Int
    /// The bytes of a header field, and of the request line. A longer one gets 400 and ends the connection.
    public var maximumHeaderFieldBytes: Int
    /// The bytes of all header fields and the request line together.
    public var maximumHeaderBytes: Int
    /// The number of header fields.
    public var maximumHeaderCount: Int
    /// The time from the end of the headers to the end of the body. A slower body gets 408 and ends the connection.
    public var bodyTimeout: Duration
    /// How long a connection may stay open without a request, or without progress of one.
    public var idleTimeout: Duration
    /// How long a client may read nothing of a response. Then its connection ends, at most a third of the time later.
    public var writeTimeout: Duration
    /// The number of connections that the server has open at most. Further clients wait. Nil for the number of files that
    /// the system lets the process open, less 128 for everything else, and 10,000 at most. The system's limit always
    /// wins.
    public var maximumConnections: Int?
    /// The number of connections that one network may have: an IPv4 address, or the first 64 bits of an IPv6 address. The
    /// server closes further ones at once. Trusted proxies may have any number. Nil for a quarter of all; 0 for any
    /// number.
    public var maximumConnectionsPerAddress: Int?

    /// Makes limits. The defaults are those of `siwa serve`.
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

/// The limits for streams of events, and their behavior while nothing happens.
public struct EventStreamLimits: Hashable, Sendable {
    /// How often a stream looks into the database for events of other servers. Events of this server come at once.
    public var poll: Duration
    /// The time without an event after which a stream sends a comment, so that neither end takes the other for dead.
    public var comment: Duration
    /// The time after which a stream ends. Its client opens the next one.
    public var lifetime: Duration
    /// The number of streams that the server has open at most, for all accounts together. Beyond it the response is 503.
    /// Nil for half of the connections that the server may have.
    public var maximumStreams: Int?

    /// Makes limits. The defaults are those of `siwa serve`.
    public init(
        poll: Duration = .seconds(2), comment: Duration = .seconds(20), lifetime: Duration = .seconds(3_600),
        maximumStreams: Int? = nil
    ) {
        self.poll = poll
        self.comment = comment
        self.lifetime = lifetime
        self.maximumStreams = maximumStreams
    }
}
