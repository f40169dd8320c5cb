import AppleIDTypes
import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An authorization request as it came in, from a browser's query or from the control call. Nothing is decided yet.
struct AuthorizationParameters: Sendable {
    var clientID: String?
    var redirectURI: String?
    var responseType: String?
    var responseMode: String?
    var scope: String?
    var state: String?
    var nonce: String?
    var codeChallenge: String?
    var codeChallengeMethod: String?
}

extension AuthorizationParameters {
    /// Other parameters are ignored, as Apple ignores `frame_id`, `m` and `v` of its own script.
    init(_ fields: FormFields) {
        clientID = fields["client_id"]
        redirectURI = fields["redirect_uri"]
        responseType = fields["response_type"]
        responseMode = fields["response_mode"]
        scope = fields["scope"]
        state = fields.verbatim("state")
        nonce = fields["nonce"]
        codeChallenge = fields["code_challenge"]
        codeChallengeMethod = fields["code_challenge_method"]
    }
}

/// An authorization request that may be shown to a person. Only ``AuthorizationRules`` makes one.
struct AuthorizationRequest: Sendable {
    /// The destination of the answer.
    enum Destination: Sendable, Equatable {
        case redirect(WebAddress, Mode)
        /// The app on the device that asked.
        case device
    }

    let client: Registry.Client
    let destination: Destination
    let responseType: ResponseType
    let scopes: Set<Scope>
    let state: String?
    let nonce: String?
    /// The S256 challenge, when the client uses PKCE.
    let codeChallenge: String?
    /// Apple's opinion of the person, which devices get the first time.
    var realUserStatus = RealUserStatus.likelyReal

    var redirectURI: String? {
        guard case .redirect(let address, _) = destination else { return nil }
        return address.text
    }
}

extension AuthorizationRequest {
    /// The way in which the answer reaches the client. Every mode that the rules accept is here, and every `switch`
    /// names each.
    enum Mode: Sendable {
        case query, fragment, formPost
        /// The popup gives the answer to the page that opened it, for Apple's script.
        case webMessage

        /// Nil for a word that names no mode.
        init?(_ word: ResponseMode) {
            switch word {
            case .query: self = .query
            case .fragment: self = .fragment
            case .formPost: self = .formPost
            case .webMessage: self = .webMessage
            default: return nil
            }
        }

        /// Whether the response may carry a name and an address. Apple keeps them out of URLs.
        var mayCarryUser: Bool {
            switch self {
            case .query, .fragment: false
            case .formPost, .webMessage: true
            }
        }

        /// Whether the response may carry an identity token. A query may not, because servers log it.
        var mayCarryIdentityToken: Bool {
            switch self {
            case .query: false
            case .fragment, .formPost, .webMessage: true
            }
        }
    }
}

/// The rules for an authorization request, in the order in which Apple seems to check.
///
/// No refusal travels to the redirect URI: Apple shows a page instead, and so does the emulator.
struct AuthorizationRules {
    let registry: Registry
    let strictURLs: Bool
    var behaviour = Behaviour()

    /// The maximum size of a state, in bytes. Apple documents no limit. Without one, pending codes could hold gigabytes.
    static let maximumState = 8_192
    /// The maximum size of a nonce, in bytes.
    static let maximumNonce = 1_024

    /// Checks a request for the web: `/auth/authorize`, and the control call without `native`.
    func check(_ parameters: AuthorizationParameters) throws(Refusal) -> AuthorizationRequest {
        let client = try client(parameters, .service)
        try checkLengths(parameters)
        let address = try redirectAddress(parameters.redirectURI, of: client)
        let type = try responseType(parameters.responseType)
        let mode = try responseMode(parameters.responseMode, for: type)
        let words = parameters.scope?.split(separator: " ").map { Scope(String($0)) } ?? []
        guard words.isEmpty || words == [.openID] || mode.mayCarryUser else {
            throw Refusal(.invalidRequest, "response_mode must be form_post when name or email scope is requested.")
        }
        return AuthorizationRequest(
            client: client,
            destination: .redirect(address, mode),
            responseType: type,
            scopes: try scopes(words),
            state: parameters.state,
            nonce: parameters.nonce,
            codeChallenge: try codeChallenge(parameters)
        )
    }

    /// Checks a request for a device: an App ID, no redirection, always a code and an identity token.
    func checkNative(_ parameters: AuthorizationParameters) throws(Refusal) -> AuthorizationRequest {
        guard parameters.redirectURI == nil, parameters.responseType == nil, parameters.responseMode == nil,
            parameters.codeChallenge == nil
        else {
            throw Refusal(
                .invalidRequest, "A device sends no redirect URI, response type, response mode or code challenge.")
        }
        let client = try client(parameters, .app)
        try checkLengths(parameters)
        let words = parameters.scope?.split(separator: " ").map { Scope(String($0)) } ?? []
        return AuthorizationRequest(
            client: client,
            destination: .device,
            responseType: .codeIDToken,
            scopes: try scopes(words),
            state: parameters.state,
            nonce: parameters.nonce,
            codeChallenge: nil
        )
    }

    private func checkLengths(_ parameters: AuthorizationParameters) throws(Refusal) {
        for (name, value, limit) in [
            ("state", parameters.state, Self.maximumState), ("nonce", parameters.nonce, Self.maximumNonce),
        ] {
            guard value?.utf8.count ?? 0 <= limit else {
                throw Refusal(.invalidRequest, "\(name) may have \(limit) bytes.")
            }
        }
    }

    private func client(
        _ parameters: AuthorizationParameters, _ kind: Registry.Client.Kind
    ) throws(Refusal) -> Registry.Client {
        guard let id = parameters.clientID else { throw Refusal(.invalidRequest, "client_id is missing.") }
        let client = try registry.client(ClientID(id))
        let isAllowed = client.kind == kind || (kind == .service && behaviour.acceptsAppIDsOnTheWeb)
        guard isAllowed else {
            let advice =
                kind == .service
                ? "This client_id is an App ID; a sign-in on the web needs a Services ID."
                : "This client_id is a Services ID; a device signs in with an App ID."
            throw Refusal(.invalidClient, advice)
        }
        return client
    }

    /// The refusals of a wrong address begin with the words of Apple's page, because people search for them.
    private func redirectAddress(_ text: String?, of client: Registry.Client) throws(Refusal) -> WebAddress {
        guard let text else { throw Refusal(.unauthorizedClient, "redirect_uri is missing.") }
        guard let address = WebAddress(text), !address.hasFragment else {
            throw Refusal(.invalidRequest, "Invalid web redirect url. It is not an absolute URL without fragment.")
        }
        if strictURLs {
            guard address.scheme == "https", address.hasPath, PublicDomain.isName(address.host) else {
                throw Refusal(
                    .invalidRequest,
                    "Invalid web redirect url. Strict mode wants https, the name of a domain, and a path.")
            }
        } else {
            guard address.scheme == "https" || address.isLoopback else {
                throw Refusal(
                    .invalidRequest, "Invalid web redirect url. http is allowed for localhost and 127.0.0.1 only.")
            }
        }
        let members = members(behind: client)
        guard members.contains(where: { $0.returnURLs.contains(text) }) else {
            throw Refusal(
                behaviour.unregisteredRedirect.code,
                "Invalid web redirect url. It is not registered for \(client.id).")
        }
        if behaviour.webDomainsNeedVerification {
            guard members.contains(where: { $0.verifiedDomains.contains(address.host) }) else {
                throw Refusal(
                    .invalidRequest, "Invalid web redirect url. Its domain is not verified for \(client.id).")
            }
        }
        return address
    }

    /// Returns the clients whose return URLs count. An App ID has none. If it may be used on the web, the return URLs of its
    /// group count.
    private func members(behind client: Registry.Client) -> [Registry.Client] {
        guard client.kind == .app else { return [client] }
        return registry.clients.values.filter { $0.group == client.group }
    }

    private func responseType(_ text: String?) throws(Refusal) -> ResponseType {
        guard let text else { throw Refusal(.invalidRequest, "response_type is missing.") }
        switch ResponseType(text) {
        case .code: return .code
        case .codeIDToken: return .codeIDToken
        default:
            throw Refusal(
                .invalidRequest, "response_type must be \"code\" or \"code id_token\", with %20 for the space.")
        }
    }

    /// Apple doesn't document the default of `response_mode`. Here it is the default of OAuth and OpenID Connect, unless
    /// ``Behaviour/defaultResponseMode`` says otherwise.
    private func responseMode(
        _ text: String?, for type: ResponseType
    ) throws(Refusal) -> AuthorizationRequest.Mode {
        let usual: ResponseMode =
            behaviour.defaultResponseMode == .formPost ? .formPost : type == .code ? .query : .fragment
        let word = text.map { ResponseMode($0) } ?? usual
        guard let mode = AuthorizationRequest.Mode(word) else {
            throw Refusal(
                .invalidRequest,
                "response_mode must be query, fragment or form_post; the script's popup asks for web_message.")
        }
        guard type == .code || mode.mayCarryIdentityToken else {
            throw Refusal(.invalidRequest, "response_mode must be fragment or form_post when an id_token is requested.")
        }
        return mode
    }

    private func scopes(_ words: [Scope]) throws(Refusal) -> Set<Scope> {
        let known: Set<Scope> = [.name, .email, .openID]
        guard words.allSatisfy(known.contains) else {
            throw Refusal(.invalidScope, "scope may hold name and email, with %20 between them.")
        }
        return Set(words).subtracting([.openID])
    }

    private func codeChallenge(_ parameters: AuthorizationParameters) throws(Refusal) -> String? {
        guard let challenge = parameters.codeChallenge else {
            guard parameters.codeChallengeMethod == nil else {
                throw Refusal(.invalidRequest, "code_challenge_method stands without code_challenge.")
            }
            return nil
        }
        if behaviour.acceptsPlainCodeChallenges, [nil, "plain"].contains(parameters.codeChallengeMethod) {
            guard (43...128).contains(challenge.utf8.count) else {
                throw Refusal(.invalidRequest, "code_challenge must have 43 to 128 characters.")
            }
            // The verifier will be the same text. Its hash is compared, as with S256.
            return Base64URL.encode(SHA256.hash(data: Data(challenge.utf8)))
        }
        guard parameters.codeChallengeMethod == "S256", Base64URL.decode(challenge)?.count == 32 else {
            throw Refusal(.invalidRequest, "code_challenge must be a SHA-256 in base64url, with the method S256.")
        }
        return challenge
    }
}

extension EmulatorCore {
    /// The rules for authorization requests, by the portal and the behaviour as they are now.
    var rules: AuthorizationRules {
        let state = current
        return AuthorizationRules(
            registry: state.registry, strictURLs: configuration.strictURLs, behaviour: state.behaviour)
    }
}

extension Behaviour.UnregisteredRedirect {
    fileprivate var code: Refusal.Code {
        switch self {
        case .invalidRequest: .invalidRequest
        case .unauthorizedClient: .unauthorizedClient
        }
    }
}
