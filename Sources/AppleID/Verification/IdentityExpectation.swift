public import AppleIDTypes

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The values that an identity token has to have, beyond being Apple's. Printing or mirroring it shows none of them.
public struct IdentityExpectation: Sendable, Redacted {
    /// The accepted audiences; an empty set refuses every token.
    public let audiences: Set<ClientID>
    /// The expected nonce; absent only for tokens that came from Apple's token endpoint, and in diagnostics.
    package let nonce: NonceExpectation?
    /// Whether a token is accepted that has no nonce and says that its platform supports none.
    ///
    /// ``VerifiedIdentity/nonce`` is ``NonceResult/unsupported`` then, and a thief could have sent the token too. Set
    /// it only if you then have Apple redeem the code that came with the token, by
    /// ``AppleIDClient/exchange(code:client:nonce:redirectURI:codeVerifier:)``, and sign nobody in without that.
    public let acceptsUnsupportedNonce: Bool
    /// The authorization code beside the token, checked against `c_hash`.
    public let authorizationCode: BindingExpectation?
    /// The access token beside the token, checked against `at_hash`.
    public let accessToken: BindingExpectation?
    /// The time at which the token has to be valid; absent for the environment's clock.
    public let time: Date?

    /// Creates an expectation of a token that came through a browser or a device.
    public init(
        audiences: Set<ClientID>, nonce: NonceExpectation, acceptsUnsupportedNonce: Bool = false,
        authorizationCode: BindingExpectation? = nil, accessToken: BindingExpectation? = nil, time: Date? = nil
    ) {
        self.init(
            audiences: audiences, nonce: Optional(nonce), acceptsUnsupportedNonce: acceptsUnsupportedNonce,
            authorizationCode: authorizationCode, accessToken: accessToken, time: time)
    }

    /// Creates an expectation for a token from Apple's token endpoint, or for the diagnostic command.
    package init(
        audiences: Set<ClientID>, nonce: NonceExpectation?, acceptsUnsupportedNonce: Bool = false,
        authorizationCode: BindingExpectation? = nil, accessToken: BindingExpectation? = nil, time: Date? = nil
    ) {
        self.audiences = audiences
        self.nonce = nonce
        self.acceptsUnsupportedNonce = acceptsUnsupportedNonce
        self.authorizationCode = authorizationCode
        self.accessToken = accessToken
        self.time = time
    }
}

/// The `nonce` that a token has to carry, by what the app gave Apple. Printing or mirroring it shows no value.
///
/// | the app gave Apple | expect |
/// |---|---|
/// | a nonce of your server's, raw | ``issued(_:)`` |
/// | a nonce of your server's, hashed | ``issued(_:)`` |
/// | a nonce of its own, hashed | ``hashed(ofRaw:)`` |
/// | none | ``noneSent`` |
///
/// Hashed means SHA-256 in lowercase hexadecimal. A raw nonce that the app made is no proof, since the token shows it.
public enum NonceExpectation: Hashable, Sendable, Redacted {
    /// The token carries the lowercase hexadecimal SHA-256 of this value, which the app hashed before it gave it to
    /// Apple.
    case hashed(ofRaw: String)
    /// The token carries this value, verbatim or as its lowercase hexadecimal SHA-256. Your server made the value and
    /// consumes it once.
    case issued(String)
    /// The request had no nonce, so a token that carries one answers another request.
    case noneSent
}

/// The code or access token that came beside an identity token, and whether the token must be bound to it. Printing or
/// mirroring it does not show which.
public enum BindingExpectation: Hashable, Sendable, Redacted {
    /// If the token has the hash claim, it has to match this value.
    case ifPresent(String)
    /// The token has to have the hash claim, and it has to match this value.
    case required(String)
}
