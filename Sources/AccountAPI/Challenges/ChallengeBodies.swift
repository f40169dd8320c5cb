/// The body of `POST /v1/challenges`.
public struct ChallengeRequest: Hashable, Sendable {
    /// The purpose that the nonce is for. Null means ``ChallengePurpose/signIn``.
    public var purpose: ChallengePurpose?

    /// Creates the body of a call.
    public init(purpose: ChallengePurpose? = nil) {
        self.purpose = purpose
    }
}

extension ChallengeRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case purpose
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(purpose, forKey: .purpose)
    }
}

/// The purpose of a challenge. A server answers ``ErrorCode/invalidRequest`` to one that it doesn't know.
public struct ChallengePurpose: RawRepresentable, Hashable, Sendable, Codable {
    /// The value as the response spells it.
    public let rawValue: String

    /// Makes a value, known or not, from its spelling in a response.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Signing in. This is the only purpose that needs no session.
    public static let signIn = Self(rawValue: "sign_in")
    /// Proving again who holds the session.
    public static let reauthenticate = Self(rawValue: "reauthenticate")
    /// Deleting the account of the session.
    public static let delete = Self(rawValue: "delete")
    /// Adding an Apple Account to the account of the session.
    public static let link = Self(rawValue: "link")
    /// Upgrading the account of the session to Sign in with Apple.
    public static let upgrade = Self(rawValue: "upgrade")
}

/// The response to `POST /v1/challenges`.
public struct ChallengeAnswer: Hashable, Sendable, Codable {
    /// The opaque nonce. The app gives Apple this value or its lowercase hexadecimal SHA-256, and gives this server the
    /// value itself.
    public var nonce: String
    /// The time at which the nonce expires.
    public var expiresAt: APITime

    /// Creates a value for the service to send. Clients decode it.
    public init(nonce: String, expiresAt: APITime) {
        self.nonce = nonce
        self.expiresAt = expiresAt
    }
}
