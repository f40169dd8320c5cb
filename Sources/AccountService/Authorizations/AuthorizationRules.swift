import AppleID
import AppleIDTypes
import OpenIDConnect

/// An app's checked request for an authorization. Only the check makes one.
struct CheckedAuthorizationRequest {
    let app: App
    let client: ClientID
    /// The SHA-256 that the verifier must have.
    let challenge: TokenHash
    let scopes: [Scope]

    /// The other provider that the person signs in with; nil for Apple.
    let provider: IdentityProvider?

    init(_ request: BeginAuthorization, apps: [App], providers: Providers) throws(AccountError) {
        guard let app = apps.first(where: { $0.id == request.app }) else { throw Self.appUnknown }
        let client: ClientID
        if let id = request.provider {
            let configuration = try providers.clientForBrowsers(id).configuration
            client = ClientID(configuration.clientID)
            provider = IdentityProvider(configuration.id)
            // The token alone is the credential, and it proves nothing without one.
            guard request.nonce != nil else { throw Self.invalid("nonce", "a provider needs a nonce") }
        } else {
            guard let servicesID = app.servicesID else {
                throw AccountError(
                    .appUnknown, "the app has no Services ID, so it can only ask providers other than Apple")
            }
            client = servicesID
            provider = nil
        }
        if let redirectURI = request.redirectURI {
            guard app.returnTargets.contains(where: { $0.matches(redirectURI) }) else {
                throw AccountError(.returnTargetMismatch, "the redirect URI is none of the app's return targets")
            }
        }
        guard request.codeChallenge.utf8.count == 43, let challenge = Base64URL.decode(request.codeChallenge) else {
            throw Self.invalid("codeChallenge", "the code challenge is no SHA-256 in base64url")
        }
        self.app = app
        self.client = client
        self.challenge = TokenHash(bytes: challenge)
        self.scopes = try Self.scopes(request.scope)
        try Self.check(nonce: request.nonce, isForProvider: request.provider != nil)
        try Self.check(state: request.state)
    }

    private static func scopes(_ text: String) throws(AccountError) -> [Scope] {
        let scopes = text.split(separator: " ").map { Scope(String($0)) }
        guard scopes.allSatisfy({ $0 == .name || $0 == .email }), Set(scopes).count == scopes.count else {
            throw invalid("scope", "the scope holds more than name and email, once each")
        }
        return scopes
    }

    private static var appUnknown: AccountError {
        AccountError(.appUnknown, "no app of this id may ask for authorizations")
    }

    /// Apple or the provider gets it as it is. A short one could be guessed.
    private static func check(nonce: String?, isForProvider: Bool) throws(AccountError) {
        guard let nonce else { return }
        let minimum = isForProvider ? ClientNonce.allowedLength.lowerBound : 1
        guard (minimum...Authorizations.maximumNonce).contains(nonce.utf8.count),
            nonce.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else {
            throw invalid("nonce", "the nonce is short, long, or not printable ASCII")
        }
    }

    private static func check(state: String?) throws(AccountError) {
        guard let state else { return }
        guard state.utf8.count <= Authorizations.maximumState,
            !state.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw invalid("state", "the state is long or holds control characters")
        }
    }

    private static func invalid(_ field: String, _ reason: String) -> AccountError {
        AccountError(.requestInvalid, reason, field: field)
    }
}
