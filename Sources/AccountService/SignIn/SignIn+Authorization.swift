import AppleID
import AppleIDTypes
import Logging

extension SignIn {
    /// Keeps what Apple gave for an app's authorization: no account, no session.
    ///
    /// One that was withdrawn meanwhile gets nothing, and its last page says so; one that has expired sends the browser
    /// back to the app with that.
    func authorize(_ id: AuthorizationID, by attempt: Attempt, _ response: AuthorizationResponse) async throws {
        let proven = try await prove(response, by: attempt)
        let identity = proven.identity
        try requireFresh(identity, at: now)
        if let name = proven.name {
            try await keep(name, of: identity, team: try client(of: identity).team, at: now)
        }
        // Before Apple is asked: a code that nobody waits for is better left to die.
        guard let authorization = try await store.authorization(id) else { return }
        guard authorization.isOpen(at: now) else {
            try await noteExpiry(of: id, by: attempt)
            return
        }
        guard let app = configuration.apps.first(where: { $0.id == authorization.app }) else {
            throw AccountError(.configuration, "the app of an authorization is not configured any more")
        }
        let result = AuthorizationResult(
            user: identity.subject.rawValue, identityToken: response.identityToken ?? "",
            appleCode: app.handThrough ? proven.code?.rawValue : nil,
            // Apple's form has the field at the first consent only; the address that counts is the token's.
            email: response.user == nil ? nil : identity.email, nameParts: proven.name?.parts)
        let freshUntil = Timestamp(secondsSince1970: identity.issuedAt) + Self.tokenLifetime
        var appleToken: AppleToken?
        if !app.handThrough {
            // The sign-in that follows would be refused.
            try await requireAccountAfterTransfer(of: identity)
            // Until the app can sign in with it no more: what that writes withdraws them.
            try await restRevocations(
                of: try client(of: identity).team, identity.subject, until: max(freshUntil, now + Self.revocationPause))
            appleToken = try await exchange(proven)
        }
        if let appleToken {
            // The app may give up, even now, or never come for it.
            let owner = try owner(of: identity)
            await keep(.token(appleToken, of: owner, revokingFrom: max(freshUntil, now) + OutboxEntry.unusedRest))
        }
        let finish = AuthorizationFinish(
            sealedResult: try authorizationSeal.seal(result, for: id),
            tokenHash: TokenHash(bytes: identity.signingInputDigest),
            freshUntil: freshUntil, appleToken: appleToken)
        let isKept = try await store.finishAuthorization(id, with: finish, browserHash: attempt.browserHash, at: now)
        if !isKept {
            try await noteExpiry(of: id, by: attempt)
            logger.info("An authorization ended while Apple was asked.", metadata: ["app": "\(app.id)"])
        }
    }

    /// For an authorization that is not open: without an end, its time is over. One that has an end keeps it.
    private func noteExpiry(of id: AuthorizationID, by attempt: Attempt) async throws {
        _ = try await store.failAuthorization(id, .expired, browserHash: attempt.browserHash, at: now)
    }

    /// What went wrong belongs to the app, and reaches it by the redirect or the device's next question.
    func note(_ error: any Error, in id: AuthorizationID, by attempt: Attempt) async throws {
        let failure = AuthorizationFailure(error)
        if failure != .cancelled {
            logger.warning(
                "An authorization failed.", metadata: ["client": "\(attempt.clientID)", "error": "\(error)"])
        }
        _ = try await store.failAuthorization(id, failure, browserHash: attempt.browserHash, at: now)
    }
}
