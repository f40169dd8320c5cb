/// What an authorization leads to: redeemable once, within five minutes, by the client that obtained it.
///
/// Printing or mirroring it does not show it.
public struct AuthorizationCode: AppleWord, Redacted {
    /// As Apple sent it; a secret until it is redeemed.
    public let rawValue: String

    /// Not checked: whether it is one is for Apple to say.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Not the code, unlike the description of other words.
    public var description: String { "AuthorizationCode(redacted)" }
}
