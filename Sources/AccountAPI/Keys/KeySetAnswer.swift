/// The answer to `GET /.well-known/jwks.json` (RFC 7517): the keys that verify this server's access tokens.
public struct KeySetAnswer: Hashable, Sendable, Codable {
    public var keys: [PublicKeyBody]

    public init(keys: [PublicKeyBody]) {
        self.keys = keys
    }
}
