public import AppleIDTypes

/// What a person's consent at Apple has brought an authorization.
public struct AuthorizationFinish: Hashable, Sendable, Redacted {
    /// The credential, sealed. Empty after a sign-in has used it.
    public var sealedResult: [UInt8]
    /// The SHA-256 of the identity token's signing input, by which the token is known.
    public var tokenHash: TokenHash
    /// From then on no sign-in takes the identity token, and so no code of ours.
    public var freshUntil: Timestamp
    /// Of the redeemed code, sealed under the identifier and client that it keeps when a sign-in takes it over.
    public var appleToken: AppleToken?

    public init(sealedResult: [UInt8], tokenHash: TokenHash, freshUntil: Timestamp, appleToken: AppleToken?) {
        self.sealedResult = sealedResult
        self.tokenHash = tokenHash
        self.freshUntil = freshUntil
        self.appleToken = appleToken
    }
}
