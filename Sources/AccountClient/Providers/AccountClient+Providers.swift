import AccountAPI
import AccountConnection
public import Foundation

/// The identity token that an app got from a provider other than Apple, such as Google, with the provider's own SDK.
public struct ProviderToken: Sendable {
    /// The provider, by its id in the account service's settings.
    public var provider: AccountIdentity.Provider
    /// The identity token in its compact form. Access tokens prove nothing and are not taken.
    public var identityToken: String
    /// The raw nonce. If the account service made the nonce, give it to the provider unchanged. If the app made it, give the
    /// provider its lowercase hexadecimal SHA-256.
    public var nonce: String
    /// The person's name, if the provider's SDK told it and the token lacks it.
    public var fullName: PersonNameComponents?

    /// Makes a token out of its values.
    public init(
        provider: AccountIdentity.Provider, identityToken: String, nonce: String,
        fullName: PersonNameComponents? = nil
    ) {
        self.provider = provider
        self.identityToken = identityToken
        self.nonce = nonce
        self.fullName = fullName
    }
}

extension AccountClient {
    /// Signs in with an identity token of a provider other than Apple.
    ///
    /// A sign-in of any kind cancels the one before it. Throws as ``signIn(with:)-(AppleCredential)`` does; `refused`
    /// with `unknown_provider` if the account service offers no sign-in with the provider, and with
    /// `invalid_provider_token` if the token proves nothing.
    @discardableResult
    public func signIn(with token: ProviderToken) async throws(AccountClientError) -> Account {
        try await calls.signIn(with: token)
    }

    /// Adds a person at a provider other than Apple to the account, with a token for a nonce from ``linkNonce()``.
    ///
    /// It needs a sign-in of the last five minutes, and never asks the person for one. If Apple hides an address of the
    /// account, the service needs the person's consent. Then this calls `consent`.
    ///
    /// Throws as ``signIn(with:)-(ProviderToken)`` and ``accessToken()`` do; `refused` with `requires_recent_login`,
    /// with `credential_already_in_use` if the person has another account, for which
    /// ``AccountClientError/signInHandle`` is good, and with `consent_required` if no consent was given.
    /// - Returns: the identities that open the account now, oldest first.
    @discardableResult
    public func link(
        with token: ProviderToken, consent: ConsentPrompt? = nil
    ) async throws(AccountClientError) -> [AccountIdentity] {
        try await calls.link(with: token, asking: consent)
    }

    /// Proves that the person is there with a token of the provider with which they signed in, for a nonce from
    /// ``reauthenticationNonce()``.
    ///
    /// Throws as ``signIn(with:)-(ProviderToken)`` and ``accessToken()`` do; `refused` with `credential_mismatch` when
    /// it was another person.
    /// - Returns: the time of the proof, by the account service's clock.
    @discardableResult
    public func reauthenticate(with token: ProviderToken) async throws(AccountClientError) -> Date {
        try await calls.renew(with: token)
    }
}

extension ProviderToken {
    /// The words that name other calls where a path has a provider's id.
    package static let reserved: Set<String> = ["apple", "callback", "email", "handle", "link", "password"]

    /// The provider's id as a segment of a path. A text that is no id becomes `_`, which no service knows, so that the token
    /// goes to no other call.
    fileprivate var pathSegment: String {
        let id = provider.rawValue
        let letters = "abcdefghijklmnopqrstuvwxyz0123456789-".utf8
        let isID = !id.isEmpty && id.utf8.allSatisfy(letters.contains)
        return isID && !Self.reserved.contains(id) ? id : "_"
    }
}

extension AccountCalls {
    fileprivate func signIn(with token: ProviderToken) async throws(AccountClientError) -> Account {
        try await session.withAuthorization { id throws(AccountClientError) in
            try await prepare()
            return try await present(token, id)
        }
    }

    /// Signs in with a token, within an authorization.
    func present(_ token: ProviderToken, _ id: AuthorizationID) async throws(AccountClientError) -> Account {
        let request = ProviderSignInRequest(
            identityToken: token.identityToken, nonce: token.nonce, fullName: FullName(token.fullName),
            deviceName: deviceName)
        let answer = try await callWithoutToken(doing: "signing in") { () async throws(ServiceError) in
            try await requestSession(
                "/v1/sign-in/\(token.pathSegment)", request, silenceLimit: .whileAppleIsAsked)
        }
        return try await take(answer, user: nil, id)
    }

    /// Proves that the person is there.
    func renew(with token: ProviderToken) async throws(AccountClientError) -> Date {
        try await renew(
            "/v1/reauthenticate/\(token.pathSegment)",
            with: ProviderReauthenticationRequest(identityToken: token.identityToken, nonce: token.nonce))
    }

    fileprivate func link(
        with token: ProviderToken, asking ask: ConsentPrompt?
    ) async throws(AccountClientError) -> [AccountIdentity] {
        try await session.withAuthorization { _ throws(AccountClientError) in
            try await present(linking: token, asking: ask)
        }
    }

    /// Adds the person of a token to the account, within an authorization.
    func present(
        linking token: ProviderToken, asking ask: ConsentPrompt?
    ) async throws(AccountClientError) -> [AccountIdentity] {
        let now = try await session.ask(.read)
        guard let account = now.session?.account.id else { throw now.notSignedInError }
        let request = ProviderLinkRequest(
            identityToken: token.identityToken, nonce: token.nonce, fullName: FullName(token.fullName))
        do throws(AccountClientError) {
            // If the service asks for a consent, it has not used the token up.
            let linked = try await withConsent(ask) { consent throws(AccountClientError) in
                var request = request
                request.consent = consent
                return try await send(request, of: token, as: account)
            }
            await followAccountChange()
            return linked.value
        } catch {
            throw error.withHandle(for: nil)
        }
    }

    /// Sends a token, up to three times. After a lost answer it asks first whether the link has arrived: the token is
    /// good once.
    private func send(
        _ request: ProviderLinkRequest, of token: ProviderToken, as account: String
    ) async throws(AccountClientError) -> Answered<[AccountIdentity]> {
        let before = Set(try await links().map(\.id))
        return try await answerOnce(doing: "adding a way in", as: account) { accessToken throws(ServiceError) in
            try await connection.send(
                "POST", "/v1/link/\(token.pathSegment)", body: request, accessToken: accessToken,
                languages: environment.languages(), silenceLimit: .whileAppleIsAsked, as: LinkListAnswer.self
            ).links.map { AccountIdentity($0) }
        } unlessArrived: { accessToken throws(ServiceError) in
            let now = try await links(accessToken)
            return now.contains(where: { $0.provider == token.provider && !before.contains($0.id) }) ? now : nil
        }
    }
}
