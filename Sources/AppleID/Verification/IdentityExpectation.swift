public import AppleIDTypes

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What an identity token has to be, beyond being Apple's. Printing or mirroring it shows none of it.
public struct IdentityExpectation: Sendable, Redacted {
    /// One of these has to be the token's audience; an empty set refuses every token.
    public let audiences: Set<ClientID>
    /// Absent only for tokens that came from Apple's token endpoint, and in diagnostics.
    package let nonce: NonceExpectation?
    /// Whether a token is taken that has no nonce and says that its platform supports none. ``VerifiedIdentity/nonce``
    /// is ``NonceResult/unsupported`` then: whoever stole the token could have sent it too. Only for who then has Apple
    /// redeem the code that came with it, by ``AppleIDClient/exchange(code:client:nonce:redirectURI:codeVerifier:)``,
    /// and signs nobody in without.
    public let acceptsUnsupportedNonce: Bool
    /// Checked against `c_hash`.
    public let authorizationCode: HashExpectation?
    /// Checked against `at_hash`.
    public let accessToken: HashExpectation?
    /// When the token has to be valid; the environment's clock when absent.
    public let time: Date?

    /// For a token that came through a browser or a device.
    public init(
        audiences: Set<ClientID>, nonce: NonceExpectation, acceptsUnsupportedNonce: Bool = false,
        authorizationCode: HashExpectation? = nil, accessToken: HashExpectation? = nil, time: Date? = nil
    ) {
        self.init(
            audiences: audiences, nonce: Optional(nonce), acceptsUnsupportedNonce: acceptsUnsupportedNonce,
            authorizationCode: authorizationCode, accessToken: accessToken, time: time)
    }

    /// For a token from Apple's token endpoint, and for the diagnostic command.
    package init(
        audiences: Set<ClientID>, nonce: NonceExpectation?, acceptsUnsupportedNonce: Bool = false,
        authorizationCode: HashExpectation? = nil, accessToken: HashExpectation? = nil, time: Date? = nil
    ) {
        self.audiences = audiences
        self.nonce = nonce
        self.acceptsUnsupportedNonce = acceptsUnsupportedNonce
        self.authorizationCode = authorizationCode
        self.accessToken = accessToken
        self.time = time
    }
}
