import AccountAPI
import AccountConnection

extension AccountClient {
    /// Asks for a mail with a link that signs in, without a password. ``finishSignIn(link:email:)`` takes the link.
    ///
    /// A person whose address has no account gets one by the link, because it proves the address. Throws as
    /// ``signUp(email:password:name:)`` does.
    public func requestSignInLink(email: String) async throws(AccountClientError) {
        try await calls.callWithoutSession(
            "/v1/sign-in/link", SignInLinkRequest(email: email), doing: "asking for a link")
    }

    /// Asks what a link from a mail does. The link stays good.
    ///
    /// Throws `backendUnavailable`, `notConfigured`, `invalidResponse`, and `refused` with `link_unknown` for a link
    /// that was used or is too old.
    public func details(of link: EmailLink) async throws(AccountClientError) -> EmailLinkDetails {
        try await calls.details(of: link)
    }

    /// Completes a sign-up and signs in: with the link from the mail, and with the password of the sign-up once more.
    ///
    /// The password is asked again because somebody else may have begun the sign-up with this person's address. A
    /// person who doesn't know it chooses another with ``finishSignUp(link:newPassword:email:)``.
    ///
    /// Throws as `signIn(with:)` does; `refused` with `wrong_credentials` for another password, with `link_unknown`
    /// for a link that was used or is too old. If the answer is lost, the link is used: the error is `link_unknown`,
    /// and its hint says to sign in.
    @discardableResult
    public func finishSignUp(link: EmailLink, password: String) async throws(AccountClientError) -> Account {
        try await calls.signIn(
            "/v1/sign-up/finish",
            SignUpFinishRequest(link: link.secret, password: password, deviceName: calls.deviceName))
    }

    /// Completes a sign-up with another password than the sign-up's, and signs in. The service drops the name of the
    /// sign-up too.
    ///
    /// The person types the address, because somebody else may have signed up with an address of their own and
    /// forwarded the link: the person would get an account whose mail somebody else reads. Fill the address in only if
    /// the person signed up on this device.
    ///
    /// Throws as ``finishSignUp(link:password:)`` does; `refused` with `password_refused` if the rules refuse the
    /// password, with `email_needed` for another address.
    /// - Parameter email: the address to which the link was sent, as the person types it or the app remembers it.
    @discardableResult
    public func finishSignUp(
        link: EmailLink, newPassword: String, email: String
    ) async throws(AccountClientError) -> Account {
        try await calls.signIn(
            "/v1/sign-up/finish",
            SignUpFinishRequest(
                link: link.secret, newPassword: newPassword, email: email, deviceName: calls.deviceName))
    }

    /// Signs in with the link from the mail that ``requestSignInLink(email:)`` has asked for.
    ///
    /// Throws as `signIn(with:)` does; `refused` with `email_needed` if the address is missing or another one, with
    /// `link_unknown` for a link that was used or is too old, also by a call of this whose answer was lost.
    /// - Parameter email: the address to which the link was sent, as the person types it or the app remembers it.
    @discardableResult
    public func finishSignIn(link: EmailLink, email: String?) async throws(AccountClientError) -> Account {
        try await calls.signIn(
            "/v1/sign-in/link/finish",
            SignInLinkFinishRequest(link: link.secret, email: email, deviceName: calls.deviceName))
    }

    /// Sets a new password with the link from the mail that ``resetPassword(email:)`` has asked for. All of the
    /// person's sessions end, and nobody is signed in by this: sign in with the new password.
    ///
    /// Throws `backendUnavailable`, `notConfigured`, `invalidResponse`, and `refused` with `password_refused` if the
    /// rules refuse the password, with `link_unknown` for a link that was used or is too old. If the answer is lost,
    /// the link is used: the error is `link_unknown`, and its hint says to sign in.
    public func finishReset(link: EmailLink, newPassword: String) async throws(AccountClientError) {
        try await calls.callWithoutSession(
            "/v1/password/reset", PasswordResetRequest(link: link.secret, password: newPassword),
            doing: "setting a new password")
    }
}

extension AccountCalls {
    func details(of link: EmailLink) async throws(AccountClientError) -> EmailLinkDetails {
        try checkBackend()
        do throws(ServiceError) {
            let answer = try await environment.retries(3) { () async throws(ServiceError) in
                try await connection.send(
                    "POST", "/v1/email-links", body: EmailLinkRequest(link: link.secret), as: EmailLinkAnswer.self)
            }
            return EmailLinkDetails(answer)
        } catch {
            throw AccountClientError(error, doing: "asking about a link")
        }
    }
}
