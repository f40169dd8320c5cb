public import AppleID
public import AppleIDTypes

/// Takes browsers back from Apple: finds the attempt that Apple's answer ends, and gives it to the feature that began
/// it.
public struct AppleCallback: Sendable {
    let store: AccountTransactions
    let verifier: CredentialVerifier
    let endings: AttemptEndings
    let authorizations: AuthorizationCompletion
    let finishing: FinishingWork
    let environment: AppleIDEnvironment

    /// Finishes what a browser began, with the form that Apple had it post: a sign-in, a reauthentication, a deletion, an
    /// upgrade, a link, or the authorization of an app.
    ///
    /// The work goes on if the browser leaves. Once the answer is known to be this browser's, an error of an app's
    /// authorization is not thrown: the authorization fails with it, and its last page shows that.
    public func finish(
        _ response: AuthorizationResponse, browser: BrowserSecret?, from caller: Caller = .unknown
    ) async throws -> WebEnding {
        switch try await outcome(response, browser: browser, from: caller) {
        case .ended(let ending): return ending
        case .failed(let error, _): throw error
        }
    }

    /// Finishes what a browser began, like ``finish(_:browser:from:)``. The failure of an attempt that has a session is
    /// not thrown, because a page tells the person how to go back.
    package func outcome(
        _ response: AuthorizationResponse, browser: BrowserSecret?, from caller: Caller
    ) async throws -> WebOutcome {
        try await finishing.perform { [self] in
            let attempt = try await takeAttempt(of: response, browser: browser)
            if attempt.purpose == .authorization, let authorization = attempt.authorizationID {
                // The attempt lives no shorter than the authorization, which judges its own time.
                try await authorizations.finish(authorization, attempt, with: response)
                return .ended(.authorization(authorization))
            }
            return try await WebOutcome(of: attempt) {
                try attempt.requireTime(at: Timestamp(environment.now()))
                return try await endings.end(
                    attempt, with: .form(response, attempt), isCancelled: response.error == .userCancelledAuthorize,
                    from: caller)
            }
        }
    }

    /// Takes the attempt to which this answer belongs. The attempt is used up then, whatever follows.
    private func takeAttempt(of response: AuthorizationResponse, browser: BrowserSecret?) async throws -> Attempt {
        guard let state = response.state, let attempt = try await store.takeAttempt(TokenHash(of: state)) else {
            throw AccountError(.attemptUnknown, "no sign-in with this state is under way")
        }
        guard let browser, browser.hash == attempt.browserHash else {
            verifier.keepPendingProfile(inRefused: response, of: attempt)
            throw AccountError(.browserMismatch, "the sign-in was begun in another browser, or its cookie is missing")
        }
        return attempt
    }
}

/// Hands an attempt, and the credential that the browser brought back, to the feature that began the attempt. Serves Apple's
/// callback and those of the other providers.
struct AttemptEndings: Sendable {
    let signIn: SignIn
    let reauthentications: Reauthentications
    let deletions: Deletions
    let upgrades: Upgrades
    let links: Links

    /// Ends an attempt that was taken, is not too old, and is not the attempt of an app's authorization.
    ///
    /// Throws ``AccountError/Code/attemptUnknown`` for a purpose that this version doesn't know, and the feature's errors.
    /// - Parameter isCancelled: whether the person pressed Cancel at Apple. A browser with a session then goes back to
    ///   where it was; for a sign-in, the check of the credential throws ``AccountError/Code/cancelled``.
    func end(
        _ attempt: Attempt, with credential: Credential, isCancelled: Bool = false, from caller: Caller
    ) async throws -> WebEnding {
        switch (attempt.purpose, attempt.authorizationID) {
        case (.reauthentication, nil) where isCancelled, (.deletion, nil) where isCancelled,
            (.upgrade, nil) where isCancelled, (.link, nil) where isCancelled,
            (.signIn, nil) where isCancelled && attempt.sessionID != nil:
            return .cancelled(attempt.returnPath)
        case (.signIn, nil):
            return .signIn(try await signIn.finish(attempt, with: credential, from: caller))
        case (.reauthentication, nil):
            return .signIn(try await reauthentications.finish(attempt, with: credential, from: caller))
        case (.deletion, nil):
            return .deleted(try await deletions.finish(attempt, with: credential, from: caller))
        case (.upgrade, nil) where attempt.provider == nil:
            return try await upgrades.finish(attempt, with: credential, from: caller)
        case (.link, nil):
            return try await links.end(attempt, with: credential, from: caller)
        default:
            // Never a session for what was begun as something else.
            throw AccountError(.attemptUnknown, "the attempt with this state is no sign-in and no authorization")
        }
    }
}

/// The outcome of an attempt that a browser has brought back from Apple or another provider.
@nonexhaustive
public enum WebEnding: Sendable, Redacted {
    /// The browser's own sign-in or reauthentication, which succeeded.
    case signIn(WebSignIn)
    /// The browser's account was deleted.
    case deleted(DeletionReceipt)
    /// The browser's account signs in with Apple from now on; its session goes on.
    case upgraded
    /// Nothing changed: Apple's answer proved who the person is, but their account can't be upgraded with it. The code is
    /// ``AccountError/Code/consentRequired`` or ``AccountError/Code/credentialAlreadyInUse``, and the browser goes back to
    /// where the upgrade began.
    case upgradeRefused(AccountError.Code, ReturnPath)
    /// The browser's account has one more way in; its session goes on.
    case linked
    /// Nothing changed: the identity opened the browser's account already.
    case linkedBefore
    /// Nothing changed: a link needs the person's consent, and the browser goes back to where it began. The provider is the
    /// id of the one at which the person was; nil for Apple.
    case linkNeedsConsent(provider: String?)
    /// Nothing changed: the identity opens another account, to which the handle signs this browser in.
    case linkConflict(CredentialConflict)
    /// Nothing changed: the person, who is signed in, pressed Cancel at Apple, and goes back to where they were.
    case cancelled(ReturnPath)
    /// An app's authorization, finished or failed: its last page shows which.
    case authorization(AuthorizationID)
}

/// The outcome of an attempt that a browser has brought back from Apple or another provider.
package enum WebOutcome: Sendable {
    case ended(WebEnding)
    /// The attempt failed. The browser had a session when the attempt began, so it can go back to where it was.
    case failed(any Error, backTo: ReturnPath)

    /// Ends an attempt that was taken. Throws the error of an attempt that has no session to go back to.
    init(of attempt: Attempt, _ end: () async throws -> WebEnding) async throws {
        do {
            self = .ended(try await end())
        } catch {
            guard attempt.sessionID != nil else { throw error }
            self = .failed(error, backTo: attempt.returnPath)
        }
    }
}
