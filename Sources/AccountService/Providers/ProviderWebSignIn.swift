import AppleID
public import OpenIDConnect

/// Sends browsers to other providers than Apple, and takes them back: for a sign-in, for a fresh proof of who uses a
/// session, for one more way in, and for the authorization of an app.
///
/// Each provider has a redirect URI of its own, made from the settings alone. An attempt names its provider, and only
/// that provider's callback finds it, so no provider can end what was begun at another one.
public struct ProviderWebSignIn: Sendable {
    let attempts: ProviderAttempts
    let store: AccountTransactions
    let endings: AttemptEndings
    let authorizations: AuthorizationCompletion
    let finishing: FinishingWork
    let environment: AppleIDEnvironment

    private var now: Timestamp { Timestamp(environment.now()) }

    /// The purpose for which a browser goes to a provider.
    public enum Purpose: Sendable {
        /// A sign-in. The session that the browser has, if any, ends with it.
        case signIn(SessionID?)
        /// A proof that the person is still the one who opened the session.
        case reauthentication(StoredSession)
        /// A proof that the person is still the one who opened the session, and then the end of the account.
        case deletion(StoredSession)
        /// One more way in to the account of the session, with the person's consent to the current text if they have
        /// given it.
        case link(StoredSession, ConsentGiven?)
    }

    /// Begins an attempt. ``finish(_:at:browser:from:)`` ends it.
    ///
    /// Throws ``AccountError/Code/providerUnknown``, also for a provider that is for apps alone,
    /// ``AccountError/Code/requiresRecentLogin`` for a link without a recent sign-in, and
    /// `OpenIDConnectError` if the provider's document can't be fetched.
    /// - Parameters:
    ///   - id: the provider's id.
    ///   - returnPath: where the browser goes afterwards, and when the person of a session cancels.
    ///   - browser: the value of its cookie, if it has one: two tabs share it.
    ///   - isFromElsewhere: whether another site has sent the browser here. The provider then asks the person to choose an
    ///     account, so that no site signs a browser in without its person.
    public func begin(
        _ purpose: Purpose, at id: String, returnPath: ReturnPath, browser: BrowserSecret?,
        isFromElsewhere: Bool = false
    ) async throws -> SignInBeginning {
        var parameters =
            switch purpose {
            case .signIn(let session):
                // A silent answer would replace the session without a word.
                ProviderAttempts.Parameters(
                    purpose: .signIn, session: session, choosesAccount: session != nil || isFromElsewhere)
            case .reauthentication(let session):
                ProviderAttempts.Parameters(purpose: .reauthentication, session: session.session.id, isProof: true)
            case .deletion(let session):
                ProviderAttempts.Parameters(purpose: .deletion, session: session.session.id, isProof: true)
            case .link(let session, let consent):
                ProviderAttempts.Parameters(
                    purpose: .link, session: session.session.id,
                    choice: AttemptChoice(consent: consent, endsOthers: false), choosesAccount: true)
            }
        parameters.returnPath = returnPath
        if case .link(let session, _) = purpose { try session.session.requireRecentSignIn(at: now) }
        let (attempt, beginning) = try await attempts.prepare(parameters, at: id, browser: browser)
        try await store.insertAttempt(attempt)
        return beginning
    }

    /// Finishes what a browser began, with the fields that it brought back.
    ///
    /// From here on the work is not the request's any more: a browser that leaves does not stop it. The attempt is
    /// used, whatever follows. An answer at another provider's callback, or from another browser, doesn't use it up.
    /// Failures of an app's authorization are the authorization's, and are not thrown.
    ///
    /// Throws ``AccountError`` with ``AccountError/Code/providerUnknown``, ``AccountError/Code/attemptUnknown``,
    /// ``AccountError/Code/attemptExpired``, ``AccountError/Code/browserMismatch``, ``AccountError/Code/cancelled``,
    /// ``AccountError/Code/credentialMismatch`` and those of a sign-in, and `OpenIDConnectError`.
    public func finish(
        _ fields: [(name: String, value: String)], at id: String, browser: BrowserSecret?,
        from caller: Caller = .unknown
    ) async throws -> WebEnding {
        switch try await outcome(fields, at: id, browser: browser, from: caller) {
        case .ended(let ending): return ending
        case .failed(let error, _): throw error
        }
    }

    /// Finishes what a browser began, like ``finish(_:at:browser:from:)``. The failure of an attempt that has a session is
    /// not thrown, because a page tells the person how to go back.
    package func outcome(
        _ fields: [(name: String, value: String)], at id: String, browser: BrowserSecret?, from caller: Caller
    ) async throws -> WebOutcome {
        let provider = try attempts.providers.client(id).configuration
        let callback = try ProviderCallback(fields: fields, at: attempts.redirectURI(of: provider))
        return try await finishing.perform { [self] in
            let attempt = try await attempts.take(callback, at: provider, browser: browser)
            if attempt.purpose == .authorization, let authorization = attempt.authorizationID {
                // The attempt lives no shorter than the authorization, which judges its own time.
                try await authorizations.finish(
                    authorization, attempt, with: callback, of: try attempts.open(attempt), at: id)
                return .ended(.authorization(authorization))
            }
            return try await WebOutcome(of: attempt) { try await end(attempt, with: callback, from: caller) }
        }
    }

    /// Ends an attempt that was taken and is no authorization's.
    private func end(
        _ attempt: Attempt, with callback: ProviderCallback, from caller: Caller
    ) async throws -> WebEnding {
        try attempt.requireTime(at: now)
        let credential = Credential.providerCallback(callback, try attempts.open(attempt))
        do {
            return try await endings.end(attempt, with: credential, from: caller)
        } catch let error as OpenIDConnectError where error.code == .accessDenied {
            guard attempt.sessionID == nil else { return .cancelled(attempt.returnPath) }
            throw AccountError(.cancelled, "the person cancelled the sign-in", cause: error)
        }
    }

    /// The path of the redirect URI to register at a provider.
    public static func callbackPath(of provider: ProviderID) -> String { "/sign-in/\(provider)/callback" }
}
