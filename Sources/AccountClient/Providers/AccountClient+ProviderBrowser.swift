import AccountAPI
public import Foundation
import OpenAuthenticationServices

extension AccountClient {
    /// Asks the person to sign in with a provider other than Apple, in a browser or by a code for one.
    ///
    /// The account service has to know the provider and has to have a credential there. A sign-in of any kind cancels the
    /// one before it. Throws as ``signIn(scopes:presentationAnchor:)`` does; `refused` with `unknown_provider` if the account
    /// service offers no sign-in with the provider in a browser.
    /// - Parameter provider: such as ``AccountIdentity/Provider/google``; Apple and addresses have calls of their own.
    @discardableResult
    public func signIn(with provider: AccountIdentity.Provider) async throws(AccountClientError) -> Account {
        try await calls.signIn(at: provider, by: providerAuthorization(at: provider))
    }

    /// Adds a person at a provider other than Apple to the account. They sign in there in a browser or by a code for one.
    ///
    /// It needs a sign-in of the last five minutes, and never asks the person for one. After `requires_recent_login`, call
    /// ``reauthenticate(with:)-(AccountIdentity.Provider)``, or another `reauthenticate` that fits the session. If Apple hides
    /// an address of the account, the service needs the person's consent. Then this calls `consent`.
    ///
    /// Throws as ``signIn(with:)-(AccountIdentity.Provider)`` and ``link(with:consent:)-(ProviderToken,_)`` do.
    /// - Returns: the identities that open the account now, oldest first.
    @discardableResult
    public func link(
        with provider: AccountIdentity.Provider, consent: ConsentPrompt? = nil
    ) async throws(AccountClientError) -> [AccountIdentity] {
        try await calls.link(at: provider, by: providerAuthorization(at: provider), asking: consent)
    }

    /// Proves that the person is there at the provider with which they signed in, in a browser or by a code for one.
    ///
    /// Throws as ``signIn(with:)-(AccountIdentity.Provider)`` does; `refused` with `credential_mismatch` when it was another
    /// person.
    /// - Returns: the time of the proof, by the account service's clock.
    @discardableResult
    public func reauthenticate(
        with provider: AccountIdentity.Provider
    ) async throws(AccountClientError) -> Date {
        try await calls.reauthenticate(at: provider, by: providerAuthorization(at: provider))
    }

    private func providerAuthorization(at provider: AccountIdentity.Provider) -> AccountCalls.Authorize {
        let performer = performer
        return { nonce, state in
            try await performer.authorized(at: provider.rawValue, nonce: nonce, state: state)
        }
    }
}

extension AccountServicePerformer {
    /// Performs an authorization at a provider, in a browser or by a code for one.
    fileprivate func authorized(
        at provider: String, nonce: String, state: String
    ) async throws(AccountClientError) -> AccountCalls.Authorized {
        let request = AppleIDRequestValues(
            requestedScopes: [OpenAuthenticationServices.ASAuthorization.Scope.fullName, .email], state: state,
            nonce: nonce)
        let result: Result<AppleIDCredentialValues, OpenAuthenticationServices.ASAuthorizationError>
        do throws(OpenAuthenticationServices.ASAuthorizationError) {
            result = .success(try await authorize(request, at: provider))
        } catch {
            result = .failure(error)
        }
        guard !Task.isCancelled else { throw .superseded }
        do {
            return AccountCalls.Authorized(try result.get())
        } catch {
            throw AccountClientError(flow: error)
        }
    }
}

extension AccountCalls {
    fileprivate func signIn(
        at provider: AccountIdentity.Provider, by authorize: @escaping Authorize
    ) async throws(AccountClientError) -> Account {
        try await session.withAuthorization { id throws(AccountClientError) in
            try await prepare()
            let nonce = Nonce(environment.randomText(byteCount: 32))
            let token = try await token(at: provider, for: nonce.hash, keeping: nonce.text, by: authorize)
            return try await present(token, id)
        }
    }

    fileprivate func link(
        at provider: AccountIdentity.Provider, by authorize: @escaping Authorize, asking ask: ConsentPrompt?
    ) async throws(AccountClientError) -> [AccountIdentity] {
        try await session.withAuthorization { _ throws(AccountClientError) in
            // The provider is given a challenge as it is.
            let nonce = try await challenge(.link)
            let token = try await token(at: provider, for: nonce, keeping: nonce, by: authorize)
            return try await present(linking: token, asking: ask)
        }
    }

    fileprivate func reauthenticate(
        at provider: AccountIdentity.Provider, by authorize: @escaping Authorize
    ) async throws(AccountClientError) -> Date {
        try await session.withAuthorization { _ throws(AccountClientError) in
            let nonce = try await challenge(.reauthenticate)
            return try await renew(with: try await token(at: provider, for: nonce, keeping: nonce, by: authorize))
        }
    }

    /// Asks the person, and refuses the answer to another request.
    private func token(
        at provider: AccountIdentity.Provider, for nonce: String, keeping raw: String, by authorize: Authorize
    ) async throws(AccountClientError) -> ProviderToken {
        let state = environment.randomText(byteCount: 32)
        let authorized = try await authorize(nonce, state)
        guard authorized.state == state, let identityToken = authorized.credential.identityToken else {
            throw AccountClientError(.invalidResponse, "the authorization answers another request")
        }
        return ProviderToken(
            provider: provider, identityToken: identityToken, nonce: raw, fullName: authorized.credential.fullName)
    }
}
