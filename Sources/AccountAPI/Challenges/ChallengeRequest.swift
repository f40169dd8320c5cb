/// The body of `POST /v1/challenges`.
public struct ChallengeRequest: Hashable, Sendable {
    /// What the nonce shall be good for; null is ``ChallengePurpose/signIn``.
    public var purpose: ChallengePurpose?

    public init(purpose: ChallengePurpose? = nil) {
        self.purpose = purpose
    }
}

extension ChallengeRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case purpose
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(purpose, forKey: .purpose)
    }
}
