import AppleID
import AppleIDTypes
import Foundation
public import OpenIDConnect

/// Sends browsers to other providers than Apple, and takes them back: for a sign-in, and for a fresh proof of who uses
/// a session.
///
/// Each provider has a redirect URI of its own, made from the settings alone. An attempt names its provider, and only
/// that provider's callback finds it, so no provider can end what was begun at another one.
public struct ProviderWebSignIn: Sendable {
    let providers: Providers
    let configuration: AccountConfiguration
    let seal: Seal
    let store: AccountTransactions
    let signIn: SignIn
    let reauthentications: Reauthentications
    let deletions: Deletions
    let links: Links
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
    /// `OpenIDConnectError` if the provider's document isn't there.
    /// - Parameters:
    ///   - id: the provider's id.
    ///   - returnPath: where the browser goes afterwards, and when the person of a session cancels.
    ///   - browser: the value of its cookie, if it has one: two tabs share it.
    public func begin(
        _ purpose: Purpose, at id: String, returnPath: ReturnPath, browser: BrowserSecret?
    ) async throws -> SignInBeginning {
        let client = try providers.client(id)
        guard client.configuration.credential != nil else {
            throw AccountError(.providerUnknown, "this provider is for apps alone")
        }
        let uri = redirectURI(of: client.configuration)
        var request = ProviderRequest(redirectURI: uri)
        let (kind, session): (Attempt.Purpose, SessionID?) =
            switch purpose {
            case .signIn(let session): (.signIn, session)
            case .reauthentication(let session): (.reauthentication, session.session.id)
            case .deletion(let session): (.deletion, session.session.id)
            case .link(let session, _): (.link, session.session.id)
            }
        if case .link(let session, _) = purpose { try session.session.requireRecentSignIn(at: now) }
        if [.reauthentication, .deletion].contains(kind) { request.prompt = [client.configuration.promptForProof] }
        let (location, secrets) = try await client.begin(request)
        let moment = now
        let browser = browser ?? BrowserSecret(randomness: environment.randomBytes(32))
        let stateHash = TokenHash(of: secrets.state)
        var attempt = Attempt(
            stateHash: stateHash, browserHash: browser.hash, purpose: kind, sessionID: session,
            clientID: ClientID(client.configuration.clientID), nonce: nil, returnPath: returnPath, createdAt: moment,
            expiresAt: moment + WebAttempts.lifetime)
        if case .link(_, let consent) = purpose { attempt.choice = UpgradeChoice(consent: consent, endsOthers: false) }
        attempt.provider = SealedProviderAttempt(
            provider: IdentityProvider(client.configuration.id),
            sealed: try seal.seal(Array(try JSONEncoder().encode(secrets)), row: Self.row(stateHash)))
        try await store.insertAttempt(attempt)
        return SignInBeginning(
            location: location,
            request: SignInBeginning.Request(
                client: attempt.clientID, redirectURI: uri, scopes: [], state: secrets.state, nonce: nil),
            browser: browser, lifetime: WebAttempts.lifetime)
    }

    /// Finishes what a browser began, with the fields that it brought back.
    ///
    /// From here on the work is not the request's any more: a browser that leaves does not stop it. The attempt is
    /// spent, whatever follows, also when another browser brings the answer. An answer at another provider's callback
    /// leaves it as it is.
    ///
    /// Throws ``AccountError`` with ``AccountError/Code/providerUnknown``, ``AccountError/Code/attemptUnknown``,
    /// ``AccountError/Code/attemptExpired``, ``AccountError/Code/browserMismatch``, ``AccountError/Code/cancelled``,
    /// ``AccountError/Code/credentialMismatch`` and those of a sign-in, and `OpenIDConnectError`.
    public func finish(
        _ fields: [(name: String, value: String)], at id: String, browser: BrowserSecret?,
        from caller: Caller = .unknown
    ) async throws -> WebEnding {
        let provider = try providers.client(id).configuration
        let callback = try ProviderCallback(fields: fields, at: redirectURI(of: provider))
        return try await finishing.perform { [self] in
            let attempt = try await takeAttempt(of: callback, at: provider, browser: browser)
            let credential = Credential.providerCallback(callback, try open(attempt))
            do {
                switch attempt.purpose {
                case .signIn:
                    return .signIn(try await signIn.finish(attempt, with: credential, from: caller))
                case .reauthentication:
                    return .signIn(try await reauthentications.finish(attempt, with: credential, from: caller))
                case .deletion:
                    return .deleted(try await deletions.finish(attempt, with: credential, from: caller))
                case .link:
                    return try await links.end(attempt, with: credential, from: caller)
                default:
                    // Never a session for what was begun as something else.
                    throw AccountError(.attemptUnknown, "the attempt with this state is no sign-in")
                }
            } catch let error as OpenIDConnectError where error.code == .accessDenied {
                guard attempt.purpose == .signIn else { return .cancelled(attempt.returnPath) }
                throw AccountError(.cancelled, "the person cancelled the sign-in", cause: error)
            }
        }
    }

    private func takeAttempt(
        of callback: ProviderCallback, at provider: ProviderConfiguration, browser: BrowserSecret?
    ) async throws -> Attempt {
        guard let state = callback.state,
            let attempt = try await store.takeAttempt(TokenHash(of: state), at: IdentityProvider(provider.id))
        else {
            throw AccountError(.attemptUnknown, "no sign-in with this state is under way at this provider")
        }
        guard let browser, browser.hash == attempt.browserHash else {
            throw AccountError(.browserMismatch, "the sign-in was begun in another browser, or its cookie is missing")
        }
        guard now < attempt.expiresAt else {
            throw AccountError(.attemptExpired, "the sign-in was begun too long ago")
        }
        return attempt
    }

    /// The secrets of an attempt. The key that sealed them may have left the ring since, and then the person begins
    /// anew.
    private func open(_ attempt: Attempt) throws -> ProviderAttempt {
        do {
            let json = try seal.open(attempt.provider?.sealed ?? [], row: Self.row(attempt.stateHash))
            return try JSONDecoder().decode(ProviderAttempt.self, from: Data(json))
        } catch {
            throw AccountError(.attemptUnknown, "the secrets of this sign-in do not open any more", cause: error)
        }
    }

    private func redirectURI(of provider: ProviderConfiguration) -> String {
        configuration.publicURL.appending(Self.callbackPath(of: provider.id))
    }

    /// The path of the redirect URI to register at a provider.
    public static func callbackPath(of provider: ProviderID) -> String { "/sign-in/\(provider)/callback" }

    private static func row(_ stateHash: TokenHash) -> String { Base64URL.text(stateHash.bytes) }
}

extension ProviderConfiguration {
    /// The page that makes the person show again who they are. Google knows no page that asks for the password alone.
    fileprivate var promptForProof: ProviderRequest.Prompt {
        issuer == "https://accounts.google.com" ? .selectAccount : .login
    }
}
