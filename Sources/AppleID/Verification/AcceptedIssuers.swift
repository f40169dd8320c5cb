/// Whose `iss` counts. The one that all of Apple's tokens carry is always among them.
public struct AcceptedIssuers: Hashable, Sendable {
    let names: [String]

    /// `https://appleid.apple.com` and nothing else: what every token seen so far carries.
    public static let apple = Self(names: [AppleServer.apple.issuer])

    /// That, and `https://account.apple.com`, which Apple's discovery document named in June 2025. No token has been
    /// seen with it; it is here for the day when one is.
    public static let appleAndAccount = Self(names: [AppleServer.apple.issuer, "https://account.apple.com"])
}
