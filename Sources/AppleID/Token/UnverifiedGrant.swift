public import AppleIDTypes

/// What Apple gave for a code when the identity token in it did not verify, or when that or anything else that belongs
/// there was left out or could not be read: the cause of that error, so that nothing of Apple's is lost with it.
///
/// None of it is to be believed. The refresh token lives, though nobody keeps it: revoke it, unless the code may have
/// been somebody else's, whose authorization that would end. Where it did not verify because its key could not be had
/// (``AppleIDError/Code/exchangeOutcomeUnknown``), the identity token can be verified later. Printing or mirroring it
/// shows no token.
public struct UnverifiedGrant: Error, Sendable, Redacted {
    /// With whom the code was redeemed, and the tokens are used.
    public let client: ClientID
    /// Absent where Apple's answer had none that can be read.
    public let identityToken: String?
    /// Likewise.
    public let accessToken: AccessToken?
    /// Likewise; the access token can be revoked then.
    public let refreshToken: RefreshToken?
    /// What the failed check had as its own cause; for want of a key or of something that can be read, that error.
    public let cause: (any Error)?
}
