/// Something that goes wrong between a client and Apple, ordered by a test: where, how often, and by which seed.
struct Fault: Sendable {
    static let maximumMilliseconds: Int64 = 30_000

    enum Kind: String, Sendable, CaseIterable {
        case latency
        case outage
        case edgeForbidden = "edge-403"
        case throttle
        case cutOff = "cut-off"
        case junkFields = "junk-fields"
        case wrongSignature = "wrong-signature"
        case unknownKey = "unknown-kid"
        case expiredToken = "expired-token"
        case otherAudience = "other-audience"
        case otherIssuer = "other-issuer"
        case otherNonce = "other-nonce"
        case duplicate
        case outOfOrder = "out-of-order"

        /// The endpoints at which it can happen.
        var endpoints: Set<Endpoint> {
            switch self {
            case .latency, .outage, .edgeForbidden, .throttle, .cutOff:
                Set(Endpoint.allCases).subtracting([.notifications])
            case .junkFields: [.discovery, .keys, .token, .migration]
            case .wrongSignature, .unknownKey: [.authorize, .token, .notifications]
            case .expiredToken, .otherAudience, .otherIssuer, .otherNonce: [.authorize, .token]
            case .duplicate, .outOfOrder: [.notifications]
            }
        }
    }

    /// An address of Apple's, or what Apple sends.
    enum Endpoint: String, Sendable, CaseIterable {
        case discovery
        case keys
        case authorize
        case token
        case revoke
        case migration
        case notifications

        /// Nil for addresses that only the emulator has.
        /// - Parameter path: as the router reads it.
        init?(path: String) {
            switch path {
            case "/.well-known/openid-configuration": self = .discovery
            case "/auth/keys": self = .keys
            case "/auth/authorize": self = .authorize
            case "/auth/token": self = .token
            case "/auth/revoke": self = .revoke
            case "/auth/usermigrationinfo": self = .migration
            default: return nil
            }
        }
    }

    var id = ""
    let kind: Kind
    /// The endpoint at which the fault happens; nil for all endpoints of its kind.
    let endpoint: Endpoint?
    /// The number of times that the fault still happens; nil for no end.
    var remaining: Int64?
    /// The share of the requests that the fault hits, more than 0; 1 for all.
    let share: Double
    let seed: UInt64
    /// The length of a delay.
    let milliseconds: Int64
    /// The status of an outage.
    let status: Int
    /// The `Retry-After` of a throttle, in seconds.
    let retryAfter: Int64
    private var generator: SeededGenerator
    /// The number of requests that the fault could have hit, and below it the number that it did hit.
    private(set) var seen: Int64 = 0
    private(set) var hits: Int64 = 0

    init(
        _ kind: Kind, at endpoint: Endpoint? = nil, times: Int64? = nil, share: Double = 1, seed: UInt64 = 0,
        milliseconds: Int64 = 1_000, status: Int = 503, retryAfter: Int64 = 60
    ) {
        self.kind = kind
        self.endpoint = endpoint
        remaining = times
        self.share = share
        self.seed = seed
        self.milliseconds = milliseconds
        self.status = status
        self.retryAfter = retryAfter
        generator = SeededGenerator(seed: seed)
    }

    /// Returns whether the fault happens now. It is called once for each request that the fault could hit. The same
    /// seed gives the same results.
    mutating func happens(at place: Endpoint) -> Bool {
        guard kind.endpoints.contains(place), endpoint == nil || endpoint == place, remaining != 0 else { return false }
        seen += 1
        guard share >= 1 || Double.random(in: 0..<1, using: &generator) < share else { return false }
        hits += 1
        remaining = remaining.map { $0 - 1 }
        return true
    }
}

/// A generator with equal numbers for equal seeds on every machine: SplitMix64. It is for tests, never for secrets.
struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
