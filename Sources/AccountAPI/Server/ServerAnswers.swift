/// The response to `GET /healthz`: the process is alive. The call looks at nothing else.
public struct HealthAnswer: Hashable, Sendable, Codable {
    /// The state of the process: always `ok`.
    public var status: String

    /// Creates a value for the service to send. Clients decode it.
    public init(status: String = "ok") {
        self.status = status
    }
}

/// The response to `GET /readyz`, with status 200 if the server is ready and 503 otherwise.
public struct ReadinessAnswer: Hashable, Sendable, Codable {
    /// Whether the server can serve.
    public var status: ReadinessStatus
    /// The server that sign-ins come from: `apple`, or the URL of an emulator.
    public var apple: String

    /// Creates a value for the service to send. Clients decode it.
    public init(status: ReadinessStatus, apple: String) {
        self.status = status
        self.apple = apple
    }
}

/// Whether a server can serve. Later versions may add values.
public struct ReadinessStatus: RawRepresentable, Hashable, Sendable, Codable {
    /// The value as the response spells it.
    public let rawValue: String

    /// Makes a value, known or not, from its spelling in a response.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The database answers.
    public static let ready = Self(rawValue: "ready")
    /// The database doesn't answer.
    public static let unavailable = Self(rawValue: "unavailable")
}

/// The response to `GET /.well-known/jwks.json` (RFC 7517): the keys that verify this server's access tokens.
public struct KeySetAnswer: Hashable, Sendable, Codable {
    /// The keys that sign now, will sign next, or signed tokens that are still good.
    public var keys: [PublicKeyBody]

    /// Creates a value for the service to send. Clients decode it.
    public init(keys: [PublicKeyBody]) {
        self.keys = keys
    }
}

/// A P-256 public key in the form of RFC 7518 §6.2.
public struct PublicKeyBody: Hashable, Sendable, Codable {
    /// The key type: always `EC`.
    public var kty: String
    /// The use of the key: always `sig`.
    public var use: String
    /// The algorithm: always `ES256`.
    public var alg: String
    /// The key's id. It equals the `kid` in the header of the tokens that the key signs.
    public var kid: String
    /// The curve: always `P-256`.
    public var crv: String
    /// The point's first coordinate: 32 bytes in base64url without padding.
    public var x: String
    /// The point's second coordinate: 32 bytes in base64url without padding.
    public var y: String

    /// Creates a value for the service to send. Clients decode it.
    public init(
        kty: String = "EC", use: String = "sig", alg: String = "ES256", kid: String, crv: String = "P-256", x: String,
        y: String
    ) {
        self.kty = kty
        self.use = use
        self.alg = alg
        self.kid = kid
        self.crv = crv
        self.x = x
        self.y = y
    }
}
