import AccountAPI
import AccountConnection

extension AccountClient {
    /// Changes the person's name, contact address or phone number at the account service.
    ///
    /// ```swift
    /// let account = try await client.updateProfile(ProfileUpdate(phone: .set("+493012345678"))) { question in
    ///     await ask(question.text)
    /// }
    /// ```
    ///
    /// A new contact address counts when the person has opened the link that the service sends to it. Until then it is
    /// ``Account/pendingContactEmail``, and the former address counts. An update without a change asks for the account.
    ///
    /// If Apple hides the person's own address, the service needs their consent before it keeps another address or a
    /// number. Then this calls `consent` and repeats the request with the person's answer. If they say no, nothing is
    /// changed, and the error is `cancelled`. If the text has a newer version by then, the person is asked about that,
    /// three times at most.
    ///
    /// If a response is lost, the client asks for the account. It repeats the request only if the account lacks the
    /// change.
    ///
    /// Throws as ``accessToken()`` does, and `invalidResponse`, and `refused`: with `consent_required` if no consent
    /// was given, with `mail_not_configured` if the service sends no mail, with `invalid_request` for a value that it
    /// does not take.
    /// - Parameters:
    ///   - update: the values to change.
    ///   - consent: shows the person the text of a question, and returns whether they agree; nil never asks.
    /// - Returns: the account with the changes.
    @discardableResult
    public func updateProfile(
        _ update: ProfileUpdate, consent: ConsentPrompt? = nil
    ) async throws(AccountClientError) -> Account {
        try await calls.updateProfile(update, consent)
    }
}

extension AccountCalls {
    func updateProfile(
        _ update: ProfileUpdate, _ ask: ConsentPrompt?
    ) async throws(AccountClientError) -> Account {
        let now = try await session.ask(.read)
        guard let known = now.session?.account else { throw now.notSignedInError }
        guard update != ProfileUpdate() else { return try await reloadAccount() }
        let request = ProfileUpdateRequest(update)
        let answered = try await withConsent(ask) { consent throws(AccountClientError) in
            var request = request
            request.consent = consent
            return try await change(request, of: known)
        }
        return try await take(answered.value, changedBy: answered)
    }

    /// Sends a change, up to three times. After a lost answer it asks first whether the change has arrived: a contact
    /// address that is sent twice would bring the person two mails.
    /// - Parameter known: the account before the change. If it has the change already, the answer can't show whether the
    ///   request has arrived.
    private func change(
        _ request: ProfileUpdateRequest, of known: AccountBody
    ) async throws(AccountClientError) -> Answered<AccountBody> {
        try await answerOnce(doing: "changing the profile", as: known.id) { token throws(ServiceError) in
            try await connection.send(
                "PATCH", "/v1/account", body: request, accessToken: token, languages: environment.languages(),
                as: AccountAnswer.self
            ).account
        } unlessArrived: { token throws(ServiceError) in
            guard !request.isDone(in: known) else { return nil }
            let now = try await connection.send("GET", "/v1/account", accessToken: token, as: AccountAnswer.self)
            return request.isDone(in: now.account) ? now.account : nil
        }
    }
}
