import AppleID
import AppleIDTypes
import Logging

/// The verification of the answer that a browser brings from Apple.
extension CredentialVerifier {
    /// Verifies the identity token in the form that Apple had the browser post, and compares it with the form's code and
    /// with the client and the nonce of the attempt.
    func verify(_ response: AuthorizationResponse, by attempt: Attempt) async throws -> VerifiedToken {
        if let error = response.error {
            guard error == .userCancelledAuthorize else {
                throw AccountError(.refusedByApple, "Apple ended the sign-in with an error")
            }
            throw AccountError(.cancelled, "the person cancelled the sign-in")
        }
        guard let token = response.identityToken else {
            throw AccountError(.identityTokenMissing, "Apple's answer has no identity token")
        }
        guard let code = response.code else {
            throw AccountError(.codeMissing, "Apple's answer has no authorization code")
        }
        let nonce = attempt.nonce.map { NonceExpectation.issued($0) } ?? .noneSent
        let identity = try await apple.identityVerifier.verify(
            token,
            expecting: IdentityExpectation(
                audiences: [attempt.clientID], nonce: nonce,
                authorizationCode: .required(code.rawValue)))
        return VerifiedToken(
            identity: identity, identityToken: token, nonce: nonce, code: code,
            redirectURI: configuration.publicURL.appending(SignIn.callbackPath),
            name: PersonName(givenName: response.user?.firstName, familyName: response.user?.lastName),
            usedNonce: nil)
    }

    /// Keeps the name that comes with an answer of Apple's which is refused: it came without the cookie of the browser that
    /// began the attempt, from the browser inside another app for instance, or another person came back than the session's.
    /// Apple gives the name once, and it would be lost. Each request of a browser asks for it, also that of a fresh proof.
    ///
    /// The token has to prove everything that it proves in a sign-in, for this very attempt; no code is redeemed, and
    /// there is no session and no account. The work is done after the answer, so that neither bytes nor time of the
    /// answer say whether anything was kept.
    ///
    /// Somebody who begins an attempt and has another person finish it gains nothing: the token names that person, the
    /// form carries what they confirmed at Apple, and the name is kept for them alone. Whoever could change the form on
    /// its way holds token and code and could sign in as that person, and even then cannot replace a name that is there.
    func keepPendingProfile(inRefused response: AuthorizationResponse, of attempt: Attempt) {
        // Without a nonce nothing says that the token is this attempt's.
        guard attempt.nonce != nil, response.user != nil else { return }
        names.finishing.begin { [self] in
            do {
                let verified = try await verify(response, by: attempt)
                let (identity, moment) = (verified.identity, now)
                try requireFresh(identity, at: moment)
                guard let name = verified.name, identity.nonce == .matched else { return }
                let token = usedCredentials(token: identity, nonce: nil, code: nil, at: moment)
                try await names.keepIfNone(
                    name, of: identity, team: try apple.client(of: identity).team, spending: token, at: moment)
            } catch {
                // The person has been told already that the sign-in failed.
                let code = (error as? AccountError)?.code.description ?? (error as? AppleIDError)?.code.description
                names.logger.info(
                    "A refused answer of Apple's keeps no name.",
                    metadata: ["client": "\(attempt.clientID)", "reason": "\(code ?? "unexpected")"])
            }
        }
    }
}
