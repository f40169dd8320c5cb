import AccountAPI
import AccountConnection

#if canImport(Darwin)
    import AuthenticationServices
#else
    import OpenAuthenticationServices
#endif

extension AccountClient {
    /// Replaces the person's email address and password by Sign in with Apple. The account and its id stay.
    ///
    /// The person proves with their password that they are there, and is asked to sign in with Apple. From then on they
    /// sign in with Apple alone: the service and this device forget the password. The address becomes the contact
    /// address if there is none. An account without a name gets the one that Apple tells.
    ///
    /// If Apple hides the person's own address, or that of another Apple Account which opens the account, the service
    /// needs their consent, because it knows their address already. Then this calls `consent` and repeats the request with
    /// the person's answer, three times at most while the text changes. If they say no, nothing is changed, and the error is
    /// `cancelled`.
    ///
    /// Throws as ``reauthenticate(presentationAnchor:)`` does; `refused` with `wrong_credentials` for a wrong password,
    /// with `credential_already_in_use` if the Apple Account belongs to another account of the service, with
    /// `consent_required` if no consent was given, with `not_by_password` if the person signs in with Apple already.
    /// - Parameters:
    ///   - password: the present password; nil for a person who signs in by links alone and has signed in within five
    ///     minutes.
    ///   - endingOtherSessions: whether the person's other sessions end.
    ///   - presentationAnchor: the window over which Apple's sheet comes, as for
    ///     ``signIn(scopes:presentationAnchor:)``.
    ///   - consent: shows the person the text of a question, and returns whether they agree; nil never asks.
    /// - Returns: the account after the upgrade.
    @discardableResult
    public func upgradeToApple(
        password: String?, endingOtherSessions: Bool = false, presentationAnchor: PresentationAnchor? = nil,
        consent: ConsentPrompt? = nil
    ) async throws(AccountClientError) -> Account {
        let scopes = AccountCalls.scopes(ofUpgrade: await account)
        return try await calls.upgradeToApple(
            password: password, asking: consent, endingOtherSessions: endingOtherSessions,
            by: ask(for: scopes, over: presentationAnchor))
    }

    /// Replaces the person's email address and password by Sign in with Apple, with the credential that the app's own
    /// `ASAuthorizationController` was given for a nonce from ``upgradeNonce()``.
    ///
    /// Ask Apple for the name too if the account has none, because Apple tells it once. The upgrade needs a recent
    /// sign-in: call ``reauthenticate(password:)`` first. Otherwise it does and throws what
    /// ``upgradeToApple(password:endingOtherSessions:presentationAnchor:consent:)`` does.
    @discardableResult
    public func upgradeToApple(
        with credential: AppleCredential, endingOtherSessions: Bool = false, consent: ConsentPrompt? = nil
    ) async throws(AccountClientError) -> Account {
        try await calls.upgradeToApple(with: credential, asking: consent, endingOtherSessions: endingOtherSessions)
    }

    /// Asks the account service for the nonce of one upgrade, good for ten minutes and in this session alone.
    ///
    /// The request to Apple gets the nonce's lowercase hexadecimal SHA-256, and
    /// ``upgradeToApple(with:endingOtherSessions:consent:)`` the nonce itself.
    public func upgradeNonce() async throws(AccountClientError) -> String {
        try await calls.challenge(.upgrade)
    }
}

extension AccountCalls {
    /// The scopes to ask Apple for. Apple tells the name only once, so it is asked for if the account has none.
    static func scopes(ofUpgrade account: Account?) -> [ASAuthorization.Scope] {
        account?.name == nil ? [.fullName, .email] : [.email]
    }

    @discardableResult
    func upgradeToApple(
        password: String?, asking ask: ConsentPrompt?, endingOtherSessions: Bool,
        by authorize: @escaping Authorize
    ) async throws(AccountClientError) -> Account {
        if let password { _ = try await reauthenticate(password: password) }
        return try await session.withAuthorization { _ throws(AccountClientError) in
            let nonce = Nonce(try await challenge(.upgrade))
            let credential = try await authorizedCredential(for: nonce, by: authorize)
            return try await replace(by: credential, ask, endingOtherSessions)
        }
    }

    fileprivate func upgradeToApple(
        with credential: AppleCredential, asking ask: ConsentPrompt?, endingOtherSessions: Bool
    ) async throws(AccountClientError) -> Account {
        try await session.withAuthorization { _ throws(AccountClientError) in
            try await replace(by: credential, ask, endingOtherSessions)
        }
    }

    private func replace(
        by credential: AppleCredential, _ ask: ConsentPrompt?, _ endingOtherSessions: Bool
    ) async throws(AccountClientError) -> Account {
        let nonce = try Self.checkedNonce(of: credential, from: "upgradeNonce()")
        let now = try await session.ask(.read)
        guard let known = now.session?.account else { throw now.notSignedInError }
        let name = FullName(credential.fullName)
        let request = AccountUpgradeRequest(
            identityToken: credential.identityToken, authorizationCode: credential.authorizationCode, nonce: nonce,
            fullName: name ?? now.record.pendingName(of: credential.user), clientID: credential.clientID,
            endOtherSessions: endingOtherSessions)
        // Apple tells a name once. So it is stored before anything else can fail.
        if let name { _ = try await session.ask(.keepName(name, user: credential.user)) }
        // If the service asks for a consent, it has used up neither the nonce nor the code.
        let answered = try await withConsent(ask) { consent throws(AccountClientError) in
            var request = request
            request.consent = consent
            return try await send(request, of: known)
        }
        // The service has forgotten the password, whatever session there is now.
        await removeSavedPassword(of: known.waysIn?.email)
        let upgrade = AccountUpgrade(
            account: answered.value.account, user: credential.user, access: answered.value.access)
        let after = try await note(.upgraded(upgrade, answered.epoch))
        return try await reviewed(after, after: answered)
    }

    /// The part of the answer that is known even if the answer itself was lost.
    private struct Upgraded: Sendable {
        var account: AccountBody
        var access: AccessToken?
    }

    /// Sends an upgrade, up to three times. After a lost answer it asks first whether the upgrade has arrived: the
    /// credential is good once.
    /// - Parameter known: the account before the upgrade.
    private func send(
        _ request: AccountUpgradeRequest, of known: AccountBody
    ) async throws(AccountClientError) -> Answered<Upgraded> {
        try await answerOnce(doing: "upgrading the account", as: known.id) { token throws(ServiceError) in
            let answer = try await environment.countingFromRequest { () async throws(ServiceError) in
                try await connection.send(
                    "POST", "/v1/account/upgrade", body: request, accessToken: token,
                    languages: environment.languages(), silenceLimit: .whileAppleIsAsked,
                    as: AccountUpgradeAnswer.self)
            }
            return Upgraded(
                account: answer.account,
                access: AccessToken(
                    token: answer.accessToken, expiresAt: environment.now() + .seconds(answer.expiresIn)))
        } unlessArrived: { token throws(ServiceError) in
            let now = try await connection.send("GET", "/v1/account", accessToken: token, as: AccountAnswer.self)
            return now.account.isUpgraded(from: known) ? Upgraded(account: now.account) : nil
        }
    }
}

extension AccountBody {
    /// Whether an upgrade has replaced the address with which the person signed in by an Apple Account.
    ///
    /// An Apple Account alone doesn't tell. It may be another one, which opened the account before.
    /// - Parameter former: the account before the upgrade.
    fileprivate func isUpgraded(from former: AccountBody) -> Bool {
        guard let ways = waysIn, former.waysIn?.email != nil else { return false }
        return ways.apple && ways.email == nil
    }
}
