import AccountAPI
import AccountConnection

extension AccountClient {
    /// Asks for one more way in to the account: an email address and a password. The account service then sends a mail with
    /// a link, and the address is a way in once ``finishLink(_:)`` has taken that link.
    ///
    /// The service answers alike whether the address has an account or not. If it has one, the mail says so, and nothing
    /// else happens. It needs a sign-in of the last five minutes: call ``reauthenticate(presentationAnchor:)`` before.
    ///
    /// If an Apple Account of the person hides their own address, the service needs their consent. Then this calls
    /// `consent`, as ``link(promptingIfNeeded:presentationAnchor:consent:)`` does.
    ///
    /// Throws as ``accessToken()`` does, and `invalidResponse` and `refused`: with `requires_recent_login`, with
    /// `already_linked` if the account has an address to sign in with, with `consent_required` if no consent was given, and
    /// as ``signUp(email:password:name:)`` for the password and the address.
    /// - Parameters:
    ///   - email: the address to which the link goes.
    ///   - password: the password that the person chose.
    ///   - consent: shows the person the text of a question, and returns whether they agree; nil never asks.
    public func link(
        email: String, password: String, consent: ConsentPrompt? = nil
    ) async throws(AccountClientError) {
        try await calls.link(email: email, password: password, asking: consent)
    }

    /// Adds the address and the password for which ``link(email:password:consent:)`` has asked, with the link from the mail.
    ///
    /// Only the session that has asked can use the link. Throws as ``accessToken()`` does, and `invalidResponse` and
    /// `refused`: with `link_unknown` for a link that was used, is too old, or belongs to another session, and with
    /// `already_linked` if the account has an address now. `consent_required` means that the text has changed since, or that
    /// the account hides an address only now. The link can't get the consent: call ``link(email:password:consent:)`` again,
    /// which asks for it and sends a new link.
    /// - Returns: the identities that open the account now, oldest first.
    @discardableResult
    public func finishLink(_ link: EmailLink) async throws(AccountClientError) -> [AccountIdentity] {
        try await calls.finishLink(link)
    }
}

extension AccountCalls {
    /// Asks for a mail, up to three times. A request that is repeated after a lost answer may bring a second mail, and each
    /// link works.
    fileprivate func link(
        email: String, password: String, asking ask: ConsentPrompt?
    ) async throws(AccountClientError) {
        let now = try await session.ask(.read)
        guard let account = now.session?.account.id else { throw now.notSignedInError }
        try await withConsent(ask) { consent throws(AccountClientError) in
            let request = PasswordLinkRequest(email: email, password: password, consent: consent)
            _ = try await answer(doing: "adding an address", as: account) { token throws(ServiceError) in
                try await environment.retries(3) { () async throws(ServiceError) in
                    try await connection.send(
                        "POST", "/v1/link/password", body: request, accessToken: token,
                        languages: environment.languages(), as: AcceptedAnswer.self)
                }
            }
        }
    }

    fileprivate func finishLink(_ link: EmailLink) async throws(AccountClientError) -> [AccountIdentity] {
        let identities = try await finish(link)
        await followAccountChange()
        return identities
    }

    /// Sends a link, up to three times. If a link is unknown after a lost answer, and the account has an address now, this
    /// request has used it: an account with an address could not have asked for the link.
    private func finish(_ link: EmailLink) async throws(AccountClientError) -> [AccountIdentity] {
        // Whether the service may have carried out a call whose answer was lost.
        var isUncertain = false
        return try await call(doing: "adding an address") { token throws(ServiceError) in
            try await environment.retries(3) { () async throws(ServiceError) in
                do throws(ServiceError) {
                    return try await connection.send(
                        "POST", "/v1/link/password/finish", body: PasswordLinkFinishRequest(link: link.secret),
                        accessToken: token, languages: environment.languages(), as: LinkListAnswer.self
                    ).links.map { AccountIdentity($0) }
                } catch {
                    if error.mayHaveLostAnswer { isUncertain = true }
                    guard isUncertain, error.code == .linkUnknown else { throw error }
                    let now = try await links(token)
                    guard now.contains(where: { $0.provider == .email }) else { throw error }
                    return now
                }
            }
        }
    }
}
