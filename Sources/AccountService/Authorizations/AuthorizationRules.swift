import AppleID
import AppleIDTypes

/// An app's checked request for an authorization. Only the check makes one.
struct AuthorizationOrder {
    let app: App
    let client: ClientID
    /// The SHA-256 that the verifier must have.
    let challenge: TokenHash
    let scopes: [Scope]

    init(_ request: BeginAuthorization, apps: [App]) throws(AccountError) {
        guard let app = apps.first(where: { $0.id == request.app }), let client = app.servicesID else {
            throw AccountError(.appUnknown, "no app of this id may ask for authorizations")
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
        try Self.check(nonce: request.nonce)
        try Self.check(state: request.state)
    }

    private static func scopes(_ text: String) throws(AccountError) -> [Scope] {
        let scopes = text.split(separator: " ").map { Scope(String($0)) }
        guard scopes.allSatisfy({ $0 == .name || $0 == .email }), Set(scopes).count == scopes.count else {
            throw invalid("scope", "the scope holds more than name and email, once each")
        }
        return scopes
    }

    /// Apple gets it as it is.
    private static func check(nonce: String?) throws(AccountError) {
        guard let nonce else { return }
        guard (1...Authorizations.maximumNonce).contains(nonce.utf8.count),
            nonce.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else {
            throw invalid("nonce", "the nonce is empty, long, or not printable ASCII")
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
