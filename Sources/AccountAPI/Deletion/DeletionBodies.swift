/// The response to `DELETE /v1/account` and `POST /v1/account/delete`. Its status is 202, because the service doesn't
/// make its client wait for Apple.
public struct AccountDeletionAnswer: Hashable, Sendable, Codable {
    /// A secret for `GET /v1/deletions/{handle}`, which reports the deletion until 30 days after its end.
    public var handle: String
    /// The state of the deletion when it began.
    public var deletion: DeletionBody

    /// Creates a value for the service to send. Clients decode it.
    public init(handle: String, deletion: DeletionBody) {
        self.handle = handle
        self.deletion = deletion
    }
}

/// The response to `GET /v1/deletions/{handle}`.
public struct DeletionAnswer: Hashable, Sendable, Codable {
    /// The state of the deletion.
    public var deletion: DeletionBody

    /// Creates a value for the service to send. Clients decode it.
    public init(deletion: DeletionBody) { self.deletion = deletion }
}

/// The state of a deletion. The account itself is gone from the first moment.
public struct DeletionBody: Hashable, Sendable {
    /// How far the deletion is.
    public var status: DeletionStatus
    /// The time at which the account was deleted.
    public var requestedAt: APITime
    /// The time at which everything was done. Null before.
    public var finishedAt: APITime?
    /// The steps for the person if the service holds no token of Apple's. Null otherwise.
    public var manualRemoval: ManualRemoval?
    /// Whether the account had an Apple Account. Without one, Apple has no part in the deletion.
    public var hasApple: Bool

    /// Creates a value for the service to send. Clients decode it.
    public init(
        status: DeletionStatus, requestedAt: APITime, finishedAt: APITime?, manualRemoval: ManualRemoval?,
        hasApple: Bool = true
    ) {
        self.status = status
        self.requestedAt = requestedAt
        self.finishedAt = finishedAt
        self.manualRemoval = manualRemoval
        self.hasApple = hasApple
    }
}

extension DeletionBody: Codable {
    private enum CodingKeys: String, CodingKey { case status, requestedAt, finishedAt, manualRemoval, hasApple }

    /// Reads an answer. An older service sends no `hasApple`, and has accounts with Apple alone.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            status: try container.decode(DeletionStatus.self, forKey: .status),
            requestedAt: try container.decode(APITime.self, forKey: .requestedAt),
            finishedAt: try container.decodeIfPresent(APITime.self, forKey: .finishedAt),
            manualRemoval: try container.decodeIfPresent(ManualRemoval.self, forKey: .manualRemoval),
            hasApple: try container.decodeIfPresent(Bool.self, forKey: .hasApple) ?? true)
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(status, forKey: .status)
        try container.encode(requestedAt, forKey: .requestedAt)
        try container.encode(finishedAt, forKey: .finishedAt)
        try container.encode(manualRemoval, forKey: .manualRemoval)
        try container.encode(hasApple, forKey: .hasApple)
    }
}

/// How far a deletion is. Later versions may add values.
public struct DeletionStatus: RawRepresentable, Hashable, Sendable, Codable {
    /// The value as the response spells it.
    public let rawValue: String

    /// Makes a value, known or not, from its spelling in a response.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The service is asking Apple to end the authorization.
    public static let waiting = Self(rawValue: "waiting")
    /// The service's operator must act before Apple is asked again. For the person it means the same as ``waiting``.
    public static let parked = Self(rawValue: "parked")
    /// Everything is done.
    public static let done = Self(rawValue: "done")
    /// The person signed in again before Apple was told. There is a new account, to which Apple's authorization
    /// belongs.
    public static let withdrawn = Self(rawValue: "withdrawn")
}
