import AppleIDTransport
public import AppleIDTypes
import Crypto
import StrictJWS

/// A request for a person's sign-in at a provider.
public struct ProviderRequest: Sendable {
    /// The redirect URI: byte for byte one that is registered with the provider, and used for no other provider.
    public var redirectURI: String
    /// The page that the provider should show: `login`, `consent`, `select_account`, or several of them.
    public var prompt: [Prompt]
    /// Accepts only a person who has authenticated at the provider within this time.
    ///
    /// The provider is asked for it (`max_age`), and the token has to say when it was (`auth_time`).
    public var maximumAge: Duration?
    /// Accepts only these ways of authentication (`acr`), the best first. Empty for any.
    public var authenticationContexts: [String]
    /// The nonce that the identity token has to carry, if an app of yours made it and checks the token again. Otherwise
    /// nil: the client makes one.
    ///
    /// It has 20 to 255 printable ASCII characters, cannot be guessed, and is used once.
    public var nonce: String?

    /// Creates a request. The default values suit a sign-in.
    public init(
        redirectURI: String, prompt: [Prompt] = [], maximumAge: Duration? = nil, authenticationContexts: [String] = [],
        nonce: String? = nil
    ) {
        self.redirectURI = redirectURI
        self.prompt = prompt
        self.maximumAge = maximumAge
        self.authenticationContexts = authenticationContexts
        self.nonce = nonce
    }

    /// A page that a provider can be asked to show (OpenID Connect Core 1.0 §3.1.2.1).
    public enum Prompt: String, Hashable, Sendable {
        /// The person types their password again.
        case login
        /// The person consents again.
        case consent
        /// The person chooses among accounts.
        case selectAccount = "select_account"
    }
}

/// The secrets of one attempt to sign in, and where it was begun.
///
/// Keep it, sealed, until the browser comes back, and tie it to that browser by a cookie. Delete it when the browser comes
/// back, before anything is asked of the provider: an attempt is good once. Printing or mirroring it shows nothing of it.
public struct ProviderAttempt: Hashable, Sendable, Codable, Redacted {
    /// The name of the provider.
    public let provider: String
    /// The state, which names the attempt. It stands in the callback.
    public let state: String
    /// The way in which the browser comes back: `form_post` is a `POST` from the provider's site, without cookies that
    /// are `Lax`; `query` is a `GET`.
    public let responseMode: String
    let redirectURI: String
    let issuer: String
    /// The only endpoint to which the code is sent.
    let tokenEndpoint: String
    let requiresIssuer: Bool
    let nonce: String
    let codeVerifier: String
    /// In seconds.
    let maximumAge: Int64?
    let authenticationContexts: [String]

    /// The names under which an attempt is kept. They never change.
    private enum CodingKeys: String, CodingKey {
        case provider, state, responseMode, redirectURI, issuer, tokenEndpoint, requiresIssuer, nonce, codeVerifier
        case maximumAge, authenticationContexts
    }
}

extension ProviderClient {
    /// Begins an attempt: returns the URL to send the browser to, and the attempt to keep until it comes back.
    ///
    /// The request asks for a code alone, with PKCE (S256), a state and a nonce. The browser comes back by `form_post` if
    /// the provider announces it, so that no code stands in an address, and otherwise by `query`.
    /// - Throws: ``OpenIDConnectError/Code/invalidRequest``; ``OpenIDConnectError/Code/providerUnsupported``;
    ///   ``OpenIDConnectError/Code/invalidConfiguration`` if the provider has no credential; and the reason if there is
    ///   no discovery document.
    public func begin(
        _ request: ProviderRequest
    ) async throws(OpenIDConnectError) -> (url: String, attempt: ProviderAttempt) {
        guard let credential = configuration.credential else {
            throw OpenIDConnectError(
                .invalidConfiguration, "provider \(configuration.id) has no credential: it is for apps alone")
        }
        guard ProviderURL(request.redirectURI, allowsQuery: true) != nil else {
            throw OpenIDConnectError(
                .invalidRequest, "a redirect URI is https, or http on a loopback address, and has no fragment")
        }
        let maximumAge = request.maximumAge?.components.seconds
        guard (maximumAge ?? 0) >= 0,
            request.authenticationContexts.allSatisfy({ !$0.isEmpty && !$0.utf8.contains(UInt8(ascii: " ")) })
        else {
            throw OpenIDConnectError(
                .invalidRequest, "the maximum age is negative, or an authentication context is empty or has a space")
        }
        guard
            request.nonce.map({
                (20...255).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x20...0x7E).contains($0) }
            }) ?? true
        else {
            throw OpenIDConnectError(.invalidRequest, "a nonce has 20 to 255 printable ASCII characters")
        }
        let metadata = try await source.metadata()
        let (authorizationEndpoint, tokenEndpoint) = try Self.endpoints(metadata)
        _ = try metadata.authenticationMethod(for: credential)
        let responseMode = metadata.responseModes.contains("form_post") ? "form_post" : "query"
        let attempt = ProviderAttempt(
            provider: configuration.id.rawValue, state: randomText(), responseMode: responseMode,
            redirectURI: request.redirectURI, issuer: configuration.issuer, tokenEndpoint: tokenEndpoint,
            requiresIssuer: metadata.namesIssuerInResponse, nonce: request.nonce ?? randomText(),
            codeVerifier: randomText(),
            maximumAge: maximumAge, authenticationContexts: request.authenticationContexts)
        let mark = authorizationEndpoint.contains("?") ? "&" : "?"
        let form = PercentEncoding.form(
            ProviderParameters.of(attempt, prompt: request.prompt, configuration: configuration))
        return (authorizationEndpoint + mark + form, attempt)
    }

    /// - Throws: ``OpenIDConnectError/Code/providerUnsupported``.
    private static func endpoints(
        _ metadata: ProviderMetadata
    ) throws(OpenIDConnectError) -> (authorization: String, token: String) {
        guard let authorization = metadata.authorizationEndpoint, let token = metadata.tokenEndpoint,
            metadata.responseTypes.contains("code")
        else {
            throw OpenIDConnectError(.providerUnsupported, "the provider announces no code flow for browsers")
        }
        // RFC 9700 §2.1.1: `plain` protects nothing. Where nothing is announced the nonce protects, and S256 is sent too.
        guard metadata.challengeMethods?.contains("S256") ?? true else {
            throw OpenIDConnectError(.providerUnsupported, "the provider announces PKCE without S256")
        }
        guard metadata.responseModes.contains("form_post") || metadata.responseModes.contains("query") else {
            throw OpenIDConnectError(.providerUnsupported, "the provider announces neither form_post nor query")
        }
        return (authorization, token)
    }

    /// 43 characters of base64url, made from 32 random bytes: a state, a nonce, a code verifier, an identifier.
    func randomText() -> String { Base64URL.text(environment.randomBytes(32)) }
}

/// The parameters of an authorization request (OpenID Connect Core 1.0 §3.1.2.1, RFC 7636 §4.3).
enum ProviderParameters {
    private static let names = [
        "client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "code_challenge",
        "code_challenge_method", "prompt", "max_age", "acr_values", "request", "request_uri",
    ]

    static func of(
        _ attempt: ProviderAttempt, prompt: [ProviderRequest.Prompt], configuration: ProviderConfiguration
    ) -> [(name: String, value: String)] {
        var fields = [
            (name: "client_id", value: configuration.clientID), ("redirect_uri", attempt.redirectURI),
            ("response_type", "code"), ("response_mode", attempt.responseMode),
            ("scope", configuration.scopes.joined(separator: " ")), ("state", attempt.state),
            ("nonce", attempt.nonce),
            ("code_challenge", Base64URL.text(Array(SHA256.hash(data: Array(attempt.codeVerifier.utf8))))),
            ("code_challenge_method", "S256"),
        ]
        if !prompt.isEmpty { fields.append(("prompt", prompt.map(\.rawValue).joined(separator: " "))) }
        if let maximumAge = attempt.maximumAge { fields.append(("max_age", "\(maximumAge)")) }
        if !attempt.authenticationContexts.isEmpty {
            fields.append(("acr_values", attempt.authenticationContexts.joined(separator: " ")))
        }
        return fields
    }

    /// Whether a query holds one of the parameters, or an escape that could spell one.
    static func appear(in query: String) -> Bool {
        query.split(separator: "&").contains { field in
            let name = field.prefix { $0 != "=" }
            return name.contains("%") || names.contains(String(name))
        }
    }
}
