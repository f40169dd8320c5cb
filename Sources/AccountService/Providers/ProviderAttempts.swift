import AppleID
import AppleIDTypes
import Foundation
import OpenIDConnect

/// Sends browsers to other providers than Apple: for sign-ins of their own, and for the authorization of an app. It finds
/// the attempts again when the browsers come back.
///
/// An attempt's secrets lie sealed in its row, under the hash of its state.
struct ProviderAttempts: Sendable {
    /// How long ago a person may have authenticated at a provider that says when, for a fresh proof.
    static let proofAge: Duration = .minutes(5)

    let providers: Providers
    let configuration: AccountConfiguration
    let seal: Seal
    let store: AccountTransactions
    let environment: AppleIDEnvironment

    private var now: Timestamp { Timestamp(environment.now()) }

    /// The values of an attempt, and of the request to the provider.
    struct Parameters: Sendable {
        var purpose: Attempt.Purpose
        var returnPath: ReturnPath = .account
        var session: SessionID?
        var authorization: AuthorizationID?
        var choice: AttemptChoice?
        /// The nonce of an app; nil lets the library make one.
        var nonce: String?
        /// Whether the provider shall ask the person to show again who they are.
        var isProof = false
        /// Whether the provider shall let the person choose among accounts, because it may take the present one silently.
        var choosesAccount = false
    }

    /// An attempt, for the store, and the way to the provider. Nothing is written.
    ///
    /// Throws ``AccountError/Code/providerUnknown``, also for a provider that is for apps alone, and `OpenIDConnectError`
    /// if the provider's document can't be fetched.
    func prepare(
        _ parameters: Parameters, at id: String, browser: BrowserSecret?
    ) async throws -> (attempt: Attempt, beginning: SignInBeginning) {
        let client = try providers.clientForBrowsers(id)
        let uri = redirectURI(of: client.configuration)
        var request = ProviderRequest(redirectURI: uri, nonce: parameters.nonce)
        if parameters.choosesAccount { request.prompt = [.selectAccount] }
        if parameters.isProof { request.prompt = [client.configuration.promptForProof] }
        // The person could take the prompt out of the address, but then the token says an older time. A new way in is
        // a proof, too: if it opens another account, its handle signs in there, or merges the two.
        if parameters.isProof || parameters.purpose == .link, client.configuration.tellsAuthenticationTime {
            request.maximumAge = Self.proofAge
        }
        let (location, secrets) = try await client.begin(request)
        let moment = now
        let browser = browser ?? BrowserSecret(randomness: environment.randomBytes(32))
        let stateHash = TokenHash(of: secrets.state)
        var attempt = Attempt(
            stateHash: stateHash, browserHash: browser.hash, purpose: parameters.purpose,
            sessionID: parameters.session, clientID: ClientID(client.configuration.clientID),
            // The service gives this nonce to nobody. An older program may take the attempt for one at Apple. It then
            // refuses each token, because none has the nonce.
            nonce: Base64URL.text(environment.randomBytes(32)),
            returnPath: parameters.returnPath, authorizationID: parameters.authorization, createdAt: moment,
            expiresAt: moment + WebAttempts.lifetime)
        attempt.choice = parameters.choice
        attempt.provider = SealedProviderAttempt(
            provider: IdentityProvider(client.configuration.id),
            sealed: try seal.seal(Array(try JSONEncoder().encode(secrets)), row: Self.row(stateHash)))
        var beginning = SignInBeginning(
            location: location,
            request: SignInBeginning.Request(
                client: attempt.clientID, redirectURI: uri, scopes: [], state: secrets.state, nonce: nil),
            browser: browser, lifetime: WebAttempts.lifetime)
        beginning.provider = id
        return (attempt, beginning)
    }

    /// Removes the attempt that a callback answers, so that no other answer finds it, whatever follows. An answer at
    /// another provider's callback, or from another browser, removes nothing: a scanner may open the address that a
    /// provider has sent a browser to.
    ///
    /// Throws ``AccountError/Code/attemptUnknown`` and ``AccountError/Code/browserMismatch``. The caller judges its age.
    func take(
        _ callback: ProviderCallback, at provider: ProviderConfiguration, browser: BrowserSecret?
    ) async throws -> Attempt {
        guard let state = callback.state,
            let attempt = try await store.takeAttempt(
                TokenHash(of: state), at: IdentityProvider(provider.id), by: browser?.hash)
        else {
            throw AccountError(.attemptUnknown, "no sign-in with this state is under way at this provider")
        }
        return attempt
    }

    /// The secrets of an attempt. The key that sealed them may have left the ring since, and then the person begins
    /// anew.
    func open(_ attempt: Attempt) throws -> ProviderAttempt {
        do {
            let json = try seal.open(attempt.provider?.sealed ?? [], row: Self.row(attempt.stateHash))
            return try JSONDecoder().decode(ProviderAttempt.self, from: Data(json))
        } catch {
            throw AccountError(.attemptUnknown, "the secrets of this sign-in do not open any more", cause: error)
        }
    }

    /// The redirect URI to register at a provider. It comes from the settings alone.
    func redirectURI(of provider: ProviderConfiguration) -> String {
        configuration.publicURL.appending(ProviderWebSignIn.callbackPath(of: provider.id))
    }

    private static func row(_ stateHash: TokenHash) -> String { Base64URL.text(stateHash.bytes) }
}

extension ProviderConfiguration {
    /// The page that makes the person show again who they are. Google knows no page that asks for the password alone.
    fileprivate var promptForProof: ProviderRequest.Prompt {
        issuer == "https://accounts.google.com" ? .selectAccount : .login
    }
}
