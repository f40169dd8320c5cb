/// One P-256 key in the form of RFC 7518 §6.2.
public struct PublicKeyBody: Hashable, Sendable, Codable {
    /// Always `EC`.
    public var kty: String
    /// Always `sig`.
    public var use: String
    /// Always `ES256`.
    public var alg: String
    /// Equal to the `kid` in the header of the tokens that the key signs.
    public var kid: String
    /// Always `P-256`.
    public var crv: String
    /// The point's coordinates: 32 bytes each, base64url without padding.
    public var x: String
    public var y: String

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
