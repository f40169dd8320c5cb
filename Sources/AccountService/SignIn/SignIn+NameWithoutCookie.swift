import AppleID
import AppleIDTypes
import Logging

extension SignIn {
    /// Keeps the name that Apple's answer brings when the answer comes without the cookie of the browser that began
    /// the attempt: from the browser inside another app, for instance. Apple gives the name once, and it would be lost.
    ///
    /// The token has to prove everything that it proves in a sign-in, for this very attempt; no code is redeemed, and
    /// there is no session and no account. The work is done after the answer, so that neither bytes nor time of the
    /// answer say whether anything was kept.
    ///
    /// Somebody who begins an attempt and has another person finish it gains nothing: the token names that person, the
    /// form carries what they confirmed at Apple, and the name is kept for them alone. Whoever could change the form on
    /// its way holds token and code and could sign in as that person, and even then cannot replace a name that is there.
    func keepName(in response: AuthorizationResponse, withoutBrowserOf attempt: Attempt) {
        // Others ask Apple for no name. Without a nonce nothing says that the token is this attempt's.
        guard [.signIn, .authorization].contains(attempt.purpose), attempt.nonce != nil, response.user != nil else {
            return
        }
        finishing.begin { [self] in
            do {
                let proven = try await prove(response, by: attempt)
                let (identity, moment) = (proven.identity, now)
                try requireFresh(identity, at: moment)
                guard let name = proven.name, identity.nonce == .matched else { return }
                let kept = try kept(name, of: identity, team: try client(of: identity).team, at: moment)
                let token = spentThings(token: identity, nonce: nil, code: nil, at: moment)
                try await keepFirst(kept, spending: token, at: moment)
            } catch {
                // The person has been told already that the sign-in failed.
                let code = (error as? AccountError)?.code.description ?? (error as? AppleIDError)?.code.description
                logger.info(
                    "An answer of Apple's without its browser's cookie keeps no name.",
                    metadata: ["client": "\(attempt.clientID)", "reason": "\(code ?? "unexpected")"])
            }
        }
    }

    /// Nobody waits for it, so a store that does not answer is asked again.
    private func keepFirst(_ name: KeptName, spending token: [Spent], at moment: Timestamp) async throws {
        do {
            _ = try await store.keepFirstName(name, spending: token, at: moment)
        } catch let error as AccountError where error.code == .unavailable {
            do {
                _ = try await environment.repeating {
                    try await store.keepFirstName(name, spending: token, at: moment)
                }
            } catch let error as AccountError where error.code == .alreadyUsed {
                // A write whose end was unknown has been done.
            }
        }
    }
}
