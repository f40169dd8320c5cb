/// The body of `POST /v1/authorizations/cancel`: the app has given up. Exactly one of id and device code.
public struct CancelAuthorizationRequest: Hashable, Sendable {
    /// Of an authorization with a redirect URI.
    public var id: String?
    /// Of one without.
    public var deviceCode: String?
    /// Proves that it is the app's to cancel: the id alone is known to the browser too.
    public var codeVerifier: String

    public init(id: String, codeVerifier: String) {
        self.id = id
        self.codeVerifier = codeVerifier
    }

    public init(deviceCode: String, codeVerifier: String) {
        self.deviceCode = deviceCode
        self.codeVerifier = codeVerifier
    }
}

extension CancelAuthorizationRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, deviceCode, codeVerifier
    }

    /// Writes the one that is there only.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(id, forKey: .id)
        try container.encodeIfPresent(deviceCode, forKey: .deviceCode)
        try container.encode(codeVerifier, forKey: .codeVerifier)
    }
}
