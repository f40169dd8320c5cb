/// The `details` of ``ErrorCode/credentialAlreadyInUse`` from `POST /v1/link/apple`: `{"handle", "expiresAt"}`.
public struct CredentialConflictBody: Hashable, Sendable, Codable {
    /// The secret with which `POST /v1/sign-in/handle` signs in to the other account, once, in this session.
    public var handle: String
    /// The time at which the handle expires.
    public var expiresAt: APITime

    /// Creates a value for the service to send. Clients decode it.
    public init(handle: String, expiresAt: APITime) {
        self.handle = handle
        self.expiresAt = expiresAt
    }
}

/// The body of `POST /v1/sign-in/handle`, which signs in to the account of an Apple Account that could not be linked.
public struct HandleSignInRequest: Hashable, Sendable {
    /// The handle that the error `credential_already_in_use` brought.
    public var handle: String
    /// The name by which the person knows the device. Null for the one that the session has.
    public var deviceName: String?

    /// Creates the body of a call.
    public init(handle: String, deviceName: String? = nil) {
        self.handle = handle
        self.deviceName = deviceName
    }
}

extension HandleSignInRequest: Codable {
    private enum CodingKeys: String, CodingKey { case handle, deviceName }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(handle, forKey: .handle)
        try container.encode(deviceName, forKey: .deviceName)
    }
}
