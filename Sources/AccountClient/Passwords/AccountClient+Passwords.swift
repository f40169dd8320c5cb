import AccountAPI
import AccountConnection
public import Foundation

extension AccountClient {
    /// Asks for an account with an email address and a password. The account service then sends a mail with a link, and
    /// the account exists once ``finishSignUp(link:password:)`` has taken that link.
    ///
    /// The service answers alike whether the address has an account or not. If it has one, the mail says how to sign
    /// in.
    ///
    /// Throws `backendUnavailable`, `notConfigured`, `invalidResponse`, and `refused`: with `password_refused` if the
    /// rules refuse the password, see ``AccountClientError/passwordRefusal``, with `passwords_off` or `not_found` if
    /// the service has no passwords, with `invalid_request` for a text that is no address.
    /// - Parameters:
    ///   - email: the address to which the link goes.
    ///   - password: the password that the person chose.
    ///   - name: the person's name; nil for none.
    public func signUp(
        email: String, password: String, name: PersonNameComponents? = nil
    ) async throws(AccountClientError) {
        try await calls.callWithoutSession(
            "/v1/sign-up", SignUpRequest(email: email, password: password, fullName: FullName(name)),
            doing: "signing up")
    }

    /// Signs in with an email address and a password.
    ///
    /// A sign-in of any kind cancels the one before it. Throws as `signIn(with:)` does; `refused` with
    /// `wrong_credentials` if the address or the password is wrong. After five failures the service makes the person
    /// wait. The call itself waits up to five seconds and asks again, twice. A longer wait is `backendUnavailable`, and
    /// ``AccountClientError/retryAfter`` says how long.
    @discardableResult
    public func signIn(email: String, password: String) async throws(AccountClientError) -> Account {
        try await calls.signIn(
            "/v1/sign-in/password",
            PasswordSignInRequest(email: email, password: password, deviceName: calls.deviceName))
    }

    /// Asks for a mail with a link that sets a new password. ``finishReset(link:newPassword:)`` takes the link.
    ///
    /// The service answers alike whether the address has an account or not. Throws as ``signUp(email:password:name:)``
    /// does.
    public func resetPassword(email: String) async throws(AccountClientError) {
        try await calls.callWithoutSession(
            "/v1/password/forgotten", ForgottenPasswordRequest(email: email), doing: "asking for a new password")
    }

    /// Changes the password of the person who is signed in. A password that ``savePassword(_:)`` keeps for them changes
    /// too.
    ///
    /// Throws as ``accessToken()`` does, and `invalidResponse` and `refused`: with `wrong_credentials` if the present
    /// password is another one, with `password_refused` if the rules refuse the new one, with `not_by_password` if the
    /// person signs in without a password.
    /// - Parameters:
    ///   - current: the present password; nil for a person who signs in by links alone and has signed in within five
    ///     minutes.
    ///   - new: the new password.
    ///   - endingOtherSessions: whether the person's other sessions end.
    public func changePassword(
        from current: String?, to new: String, endingOtherSessions: Bool = true
    ) async throws(AccountClientError) {
        try await calls.changePassword(
            PasswordChangeRequest(
                currentPassword: current, newPassword: new, endOtherSessions: endingOtherSessions))
    }

    /// Proves with the password that the person is there, so that calls that need a recent sign-in work for the next
    /// five minutes.
    ///
    /// Throws as ``accessToken()`` does, and `invalidResponse` and `refused`: with `wrong_credentials` for a wrong
    /// password, with `not_by_password` for a person who signs in without one.
    /// - Returns: the time of the proof, by the account service's clock.
    @discardableResult
    public func reauthenticate(password: String) async throws(AccountClientError) -> Date {
        try await calls.reauthenticate(password: password)
    }
}

extension AccountCalls {
    /// Makes a call that needs no session, up to three times. A request for a mail that is repeated after a lost answer
    /// may bring a second mail, and each link works.
    func callWithoutSession(
        _ path: String, _ request: some Encodable & Sendable, doing action: String
    ) async throws(AccountClientError) {
        try checkBackend()
        _ = try await callWithoutToken(doing: action) { () async throws(ServiceError) in
            try await connection.send(
                "POST", path, body: request, languages: environment.languages(), as: AcceptedAnswer.self)
        }
    }

    /// Signs in without Apple.
    func signIn(
        _ path: String, _ request: some Encodable & Sendable
    ) async throws(AccountClientError) -> Account {
        try await session.withAuthorization { id throws(AccountClientError) in
            try await prepare()
            let answer = try await callWithoutToken(doing: "signing in") { () async throws(ServiceError) in
                try await requestSession(path, request)
            }
            return try await take(answer, user: nil, id)
        }
    }

    /// Makes a call without an access token, up to three times. A link that is unknown after a lost answer was used by this
    /// call.
    func callWithoutToken<Value: Sendable>(
        doing action: String, _ work: () async throws(ServiceError) -> Value
    ) async throws(AccountClientError) -> Value {
        var isUncertain = false
        do throws(ServiceError) {
            return try await environment.retries(3, noting: &isUncertain, work)
        } catch {
            guard isUncertain, error.code == .linkUnknown else { throw AccountClientError(error, doing: action) }
            throw .uncertainLink(error, doing: action)
        }
    }

    func reauthenticate(password: String) async throws(AccountClientError) -> Date {
        try await renew("/v1/reauthenticate/password", with: PasswordReauthenticationRequest(password: password))
    }

    fileprivate func changePassword(_ request: PasswordChangeRequest) async throws(AccountClientError) {
        let now = try await session.ask(.read)
        guard let account = now.session?.account else { throw now.notSignedInError }
        try await change(request, as: account.id)
        guard let email = account.waysIn?.email else { return }
        await replaceSavedPassword(of: email, by: request.newPassword)
    }

    /// Sends a change, up to three times. After a lost answer the present password may be the new one already, which
    /// the service says only of a wrong one. So the repeat is not taken at its word.
    private func change(_ request: PasswordChangeRequest, as account: String) async throws(AccountClientError) {
        // Whether the service may have carried out a call whose answer was lost.
        var isUncertain = false
        _ = try await answer(doing: "changing the password", as: account) { token throws(ServiceError) in
            try await environment.retries(3) { () async throws(ServiceError) -> Void in
                do throws(ServiceError) {
                    _ = try await connection.send(
                        "POST", "/v1/password", body: request, accessToken: token, languages: environment.languages(),
                        as: AcceptedAnswer.self)
                } catch {
                    if error.mayHaveLostAnswer { isUncertain = true }
                    guard isUncertain, error.code == .wrongCredentials else { throw error }
                    // The new password proves itself if the change has arrived.
                    _ = try await connection.send(
                        "POST", "/v1/reauthenticate/password",
                        body: PasswordReauthenticationRequest(password: request.newPassword), accessToken: token,
                        as: ReauthenticationAnswer.self)
                }
            }
        }
    }
}
