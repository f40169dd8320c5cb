/// The body of `POST /v1/authorizations/redeem`: exactly one of handle and device code, with the verifier.
public struct RedeemAuthorizationRequest: Hashable, Sendable {
    /// From the redirect: good for one minute and one try.
    public var handle: String?
    /// From the beginning of an authorization without redirect URI.
    public var deviceCode: String?
    /// What the challenge was made of (RFC 7636 §4.1): 43 to 128 unreserved characters.
    public var codeVerifier: String

    public init(handle: String, codeVerifier: String) {
        self.handle = handle
        self.codeVerifier = codeVerifier
    }

    public init(deviceCode: String, codeVerifier: String) {
        self.deviceCode = deviceCode
        self.codeVerifier = codeVerifier
    }
}

extension RedeemAuthorizationRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case handle, deviceCode, codeVerifier
    }

    /// Writes the one that is there only: the other is no unknown value, but no part of the request.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(handle, forKey: .handle)
        try container.encodeIfPresent(deviceCode, forKey: .deviceCode)
        try container.encode(codeVerifier, forKey: .codeVerifier)
    }
}
