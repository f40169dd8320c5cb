/// What an authorization leads to: redeemable once, within five minutes, by the client that obtained it.
public struct AuthorizationCode: AppleWord {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
