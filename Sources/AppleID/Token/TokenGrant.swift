public import AppleIDTypes

/// The tokens that Apple gave for an authorization code.
public struct TokenGrant: Sendable {
    /// The identity in Apple's token response, verified like any other.
    public let identity: VerifiedIdentity
    /// The access token. It revokes the authorization if there is no refresh token.
    public let accessToken: AccessToken
    /// The refresh token. Keep it sealed: it tells each day whether the person still uses the app, and is revoked when
    /// their account is deleted.
    public let refreshToken: RefreshToken?
    /// The lifetime of the access token.
    public let expiresIn: Duration
}

/// Apple's answer to a refresh token that lives.
public struct TokenRefresh: Sendable {
    /// The identity in the answer. Apple documents an identity token, and many never got one: nil says nothing.
    public let identity: VerifiedIdentity?
    /// A new access token, of as little use as the first.
    public let accessToken: AccessToken
    /// A new refresh token, to be kept instead of the old one. Apple has not been seen to send one; the token that was
    /// asked about stays good.
    public let refreshToken: RefreshToken?
    /// The lifetime of the access token.
    public let expiresIn: Duration
}

/// The tokens that Apple gave for a code in an answer that is not good. It is the cause of the error that says so.
///
/// The identity token in the answer did not verify, or a part of the answer is missing or could not be read. With this
/// value no token of Apple's is lost.
///
/// Believe none of it. The refresh token lives, though nobody keeps it. Revoke it, unless the code may have been
/// another person's: you would end their authorization. If the identity token did not verify because its key could not
/// be fetched (``AppleIDError/Code/exchangeOutcomeUnknown``), you can verify it later. Printing or mirroring the value
/// shows no token.
public struct UnverifiedGrant: Error, Sendable, Redacted {
    /// The client that redeemed the code, with which the tokens are used.
    public let client: ClientID
    /// The identity token; absent where Apple's answer had none that can be read.
    public let identityToken: String?
    /// The access token; absent where Apple's answer had none that can be read.
    public let accessToken: AccessToken?
    /// The refresh token; absent where Apple's answer had none that can be read. The access token can be revoked then.
    public let refreshToken: RefreshToken?
    /// The cause of the failed check. If no check failed because the key or a part of the answer is missing, it is the
    /// error that says so.
    public let cause: (any Error)?
}

extension AppleIDError {
    /// Whether the reason is that Apple's answer made no sense, with tokens in the answer or without.
    package var isOfMalformedAnswer: Bool {
        if code == .malformedAnswer { return true }
        let behind = (cause as? UnverifiedGrant)?.cause ?? cause
        return (behind as? AppleIDError)?.code == .malformedAnswer
    }
}
