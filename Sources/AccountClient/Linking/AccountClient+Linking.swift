import AccountAPI
import AccountConnection

#if canImport(Darwin)
    import AuthenticationServices
#else
    import OpenAuthenticationServices
#endif

extension AccountClient {
    /// Lists the identities with which the person can sign in to their account, oldest first.
    ///
    /// Throws as ``accessToken()`` does, and `invalidResponse`.
    public func links() async throws(AccountClientError) -> [AccountIdentity] {
        try await calls.links()
    }

    /// Adds an Apple Account to the account: the person signs in with Apple, and from then on that opens this account too.
    ///
    /// The Apple Account may belong to another person than an Apple Account that opens the account already. It needs a
    /// sign-in of the last five minutes. Without one, the client asks the person to sign in with Apple once more, if Apple
    /// opened this session, and then adds the new Apple Account. If an email address or another provider opened it, the client
    /// doesn't ask: the error is `refused` with `requires_recent_login`. So call ``reauthenticate(password:)`` or
    /// `reauthenticate(with:)` before.
    ///
    /// If Apple hides the address of one Apple Account, and the account has or gets an address or a phone number, the
    /// service needs the person's consent. Then this calls `consent` and repeats the request with the person's answer, three
    /// times at most while the text changes. If they say no, nothing is changed, and the error is `cancelled`.
    ///
    /// Throws as ``signIn(scopes:presentationAnchor:)`` and ``accessToken()`` do; `refused` with `credential_already_in_use`
    /// if the Apple Account opens another account, for which ``AccountClientError/signInHandle`` is good, and with
    /// `consent_required` if no consent was given. If the response with the handle is lost, the error is `refused` with
    /// a code that ends with `already_used`. Then let the person add the Apple Account once more, with a new credential.
    /// - Parameters:
    ///   - promptingIfNeeded: whether the person may be asked for a recent sign-in. Otherwise it is `refused` with
    ///     `requires_recent_login`.
    ///   - presentationAnchor: the window over which Apple's sheet comes, as for ``signIn(scopes:presentationAnchor:)``.
    ///   - consent: shows the person the text of a question, and returns whether they agree; nil never asks.
    /// - Returns: the identities that open the account now, oldest first.
    @discardableResult
    public func link(
        promptingIfNeeded: Bool = true, presentationAnchor: PresentationAnchor? = nil, consent: ConsentPrompt? = nil
    ) async throws(AccountClientError) -> [AccountIdentity] {
        let scopes = AccountCalls.scopes(ofUpgrade: await account)
        return try await calls.link(
            by: ask(for: scopes, over: presentationAnchor), asking: consent,
            proof: promptingIfNeeded ? ask(for: [], over: presentationAnchor) : nil)
    }

    /// Adds an Apple Account to the account, with the credential that the app's own `ASAuthorizationController` was given for
    /// a nonce from ``linkNonce()``.
    ///
    /// Ask Apple for the name too if the account has none, because Apple tells it once. This call never asks the person for a
    /// recent sign-in. After `requires_recent_login`, call ``reauthenticate(presentationAnchor:)``, and then this again with the
    /// same credential. Otherwise it works and throws as ``link(promptingIfNeeded:presentationAnchor:consent:)`` does.
    @discardableResult
    public func link(
        with credential: AppleCredential, consent: ConsentPrompt? = nil
    ) async throws(AccountClientError) -> [AccountIdentity] {
        try await calls.link(with: credential, asking: consent)
    }

    /// Asks the account service for the nonce of one link, good for ten minutes and in this session alone.
    ///
    /// The request to Apple gets the nonce's lowercase hexadecimal SHA-256, and `link(with:consent:)` the nonce itself.
    public func linkNonce() async throws(AccountClientError) -> String {
        try await calls.challenge(.link)
    }

    /// Signs in to the other account of an Apple Account that could not be linked, with the handle that the error had in
    /// place of Apple's credential, which can't be used twice. Nothing of the two accounts is joined, and the present
    /// session ends.
    ///
    /// Ask the person first. Throws as ``signIn(scopes:presentationAnchor:)`` and ``accessToken()`` do; `refused` with
    /// `handle_invalid` for a handle that was used, is too old, or was given to another session.
    @discardableResult
    public func signIn(with handle: SignInHandle) async throws(AccountClientError) -> Account {
        try await calls.signIn(with: handle)
    }
}

extension AccountCalls {
    func links() async throws(AccountClientError) -> [AccountIdentity] {
        try await call(doing: "asking for the ways in") { token throws(ServiceError) in try await links(token) }
    }

    /// Asks for the ways in, with an access token.
    func links(_ token: String) async throws(ServiceError) -> [AccountIdentity] {
        try await connection.send("GET", "/v1/links", accessToken: token, as: LinkListAnswer.self)
            .links.map { AccountIdentity($0) }
    }

    /// - Parameter proof: asks the person when a recent sign-in is needed; nil never asks.
    fileprivate func link(
        by authorize: @escaping Authorize, asking ask: ConsentPrompt?, proof: Authorize?
    ) async throws(AccountClientError) -> [AccountIdentity] {
        try await session.withAuthorization { _ throws(AccountClientError) in
            let nonce = Nonce(try await challenge(.link))
            return try await add(try await authorizedCredential(for: nonce, by: authorize), ask, proof)
        }
    }

    fileprivate func link(
        with credential: AppleCredential, asking ask: ConsentPrompt?
    ) async throws(AccountClientError) -> [AccountIdentity] {
        try await session.withAuthorization { _ throws(AccountClientError) in try await add(credential, ask, nil) }
    }

    private func add(
        _ credential: AppleCredential, _ ask: ConsentPrompt?, _ proof: Authorize?
    ) async throws(AccountClientError) -> [AccountIdentity] {
        let nonce = try Self.checkedNonce(of: credential, from: "linkNonce()")
        let now = try await session.ask(.read)
        guard let account = now.session?.account.id else { throw now.notSignedInError }
        let name = FullName(credential.fullName)
        let request = AppleLinkRequest(
            identityToken: credential.identityToken, authorizationCode: credential.authorizationCode, nonce: nonce,
            clientID: credential.clientID, fullName: name ?? now.record.pendingName(of: credential.user))
        // Apple tells a name once. So it is stored before anything else can fail.
        if let name { _ = try await session.ask(.keepName(name, user: credential.user)) }
        do throws(AccountClientError) {
            // If the service asks for a recent sign-in or a consent, it has used up neither the nonce nor the code.
            let linked = try await withRecentProof(by: proof) { () throws(AccountClientError) in
                try await withConsent(ask) { consent throws(AccountClientError) in
                    var request = request
                    request.consent = consent
                    return try await send(request, as: account)
                }
            }
            try await note(.linked(user: credential.user, linked.epoch))
            await followAccountChange()
            return linked.value
        } catch {
            throw error.withHandle(for: credential.user)
        }
    }

    /// Sends a credential, up to three times. After a lost answer it asks first whether the link has arrived: the credential
    /// is good once.
    private func send(
        _ request: AppleLinkRequest, as account: String
    ) async throws(AccountClientError) -> Answered<[AccountIdentity]> {
        let before = Set(try await links().map(\.id))
        return try await answerOnce(doing: "adding an Apple Account", as: account) { token throws(ServiceError) in
            try await connection.send(
                "POST", "/v1/link/apple", body: request, accessToken: token, languages: environment.languages(),
                silenceLimit: .whileAppleIsAsked, as: LinkListAnswer.self
            ).links.map { AccountIdentity($0) }
        } unlessArrived: { token throws(ServiceError) in
            let now = try await links(token)
            return now.contains(where: { $0.provider == .apple && !before.contains($0.id) }) ? now : nil
        }
    }

    fileprivate func signIn(with handle: SignInHandle) async throws(AccountClientError) -> Account {
        try await session.withAuthorization { id throws(AccountClientError) in
            try await prepare()
            let request = HandleSignInRequest(handle: handle.secret, deviceName: deviceName)
            let answer = try await call(doing: "signing in") { token throws(ServiceError) in
                try await environment.retries(3) { () async throws(ServiceError) in
                    try await requestSession("/v1/sign-in/handle", request, accessToken: token)
                }
            }
            return try await take(answer, user: handle.user, id)
        }
    }
}
