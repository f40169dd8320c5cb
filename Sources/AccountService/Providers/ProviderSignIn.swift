public import AppleIDTypes

/// The credential that an app presents after its person signed in with another provider than Apple.
public struct ProviderSignIn: Sendable, Redacted {
    /// The id of the provider in this service's settings.
    public var provider: String
    /// The provider's identity token, in compact form.
    public var identityToken: String
    /// The raw nonce: a challenge of ours, or one that the app made and gave the provider as its lowercase hexadecimal
    /// SHA-256.
    public var nonce: String
    /// The name that the app has got beside the token. It counts only if the token has no name.
    public var name: PersonName?

    /// Makes a request. It is checked when it is used.
    public init(provider: String, identityToken: String, nonce: String, name: PersonName? = nil) {
        self.provider = provider
        self.identityToken = identityToken
        self.nonce = nonce
        self.name = name
    }
}

extension SignIn {
    /// Signs a person in with an identity token of another provider.
    ///
    /// Throws `OpenIDConnectError` for a token that does not verify and a nonce that does not fit, and ``AccountError``
    /// with ``AccountError/Code/providerUnknown``, ``AccountError/Code/nonceInvalid``,
    /// ``AccountError/Code/challengeInvalid``, ``AccountError/Code/alreadyUsed`` or
    /// ``AccountError/Code/accountDisabled``.
    public func native(_ request: ProviderSignIn, from caller: Caller) async throws -> TokenSignIn {
        try await native(.providerToken(request), from: caller)
    }
}

extension Links {
    /// Adds a person's identity at another provider to the account of an app's session, as
    /// ``linkApple(in:with:consent:from:)`` adds an Apple Account.
    ///
    /// Throws like that, with `OpenIDConnectError` and ``AccountError/Code/providerUnknown`` in place of Apple's
    /// errors.
    /// - Returns: the identities that open the account then.
    public func link(
        in session: StoredSession, with request: ProviderSignIn, consent: ConsentGiven?, from caller: Caller
    ) async throws -> [LinkedIdentity] {
        try await link(.providerToken(request), in: session, consent: consent, from: caller)
    }
}

extension Reauthentications {
    /// Renews the freshness of an app's session by a token of another provider, about the person of the identity that
    /// opened the session.
    ///
    /// Throws `OpenIDConnectError`, and ``AccountError`` with ``AccountError/Code/providerUnknown``,
    /// ``AccountError/Code/challengeInvalid``, ``AccountError/Code/credentialMismatch`` for another person's token,
    /// ``AccountError/Code/alreadyUsed`` or ``AccountError/Code/sessionEnded``.
    public func reauthenticate(
        _ session: StoredSession, with request: ProviderSignIn, from caller: Caller
    ) async throws -> Reauthenticated {
        try await reauthenticate(session, by: .providerToken(request), from: caller)
    }
}
