import StrictJSON
import StrictJWS

/// The parts of a provider's discovery document that this library uses (OpenID Connect Discovery 1.0 §3).
struct ProviderMetadata: Sendable, Hashable {
    /// The address that browsers are sent to; nil where browsers can't sign in.
    let authorizationEndpoint: String?
    /// The address that redeems codes; nil where codes can't be redeemed.
    let tokenEndpoint: String?
    let keysURL: String
    /// The algorithms that the provider signs identity tokens with, as far as this library takes them.
    let algorithms: Set<SigningAlgorithm>
    let authenticationMethods: [String]
    /// The algorithms of client assertions; nil where the provider announces none.
    let assertionAlgorithms: [String]?
    let responseModes: [String]
    let responseTypes: [String]
    /// The methods of PKCE; nil where the provider announces none, as many do that support it (RFC 8414 §2).
    let challengeMethods: [String]?
    /// Whether each callback names the issuer (RFC 9207 §3).
    let namesIssuerInResponse: Bool

    /// Reads a document and compares it with the configuration.
    /// - Throws: ``OpenIDConnectError/Code/malformedAnswer``; ``OpenIDConnectError/Code/metadataIssuerMismatch``;
    ///   ``OpenIDConnectError/Code/providerUnsupported`` when the provider signs with no algorithm of ours.
    init(_ json: [UInt8], for configuration: ProviderConfiguration) throws(OpenIDConnectError) {
        let root: JSONValue
        do {
            root = try JSONDocument(json, limits: JSONLimits(maximumDepth: 16)).root
        } catch {
            throw OpenIDConnectError(
                .malformedAnswer, "the discovery document is not strict JSON: \(error)", cause: error)
        }
        guard root.kind == .object, let issuer = root["issuer"]?.string else {
            throw OpenIDConnectError(.malformedAnswer, "the discovery document names no issuer")
        }
        // Discovery §4.3, byte by byte: another issuer's document would send codes and secrets there.
        guard issuer.isSpelt(as: configuration.issuer) else {
            throw OpenIDConnectError(
                .metadataIssuerMismatch, "the discovery document of provider \(configuration.id) is another issuer's")
        }
        let reader = Reader(root: root, issuer: configuration.issuerURL)
        guard let keysURL = try reader.url("jwks_uri") else {
            throw OpenIDConnectError(.malformedAnswer, "the discovery document names no key set")
        }
        self.keysURL = keysURL
        authorizationEndpoint = try reader.url("authorization_endpoint")
        tokenEndpoint = try reader.url("token_endpoint")
        let announced = try reader.words("id_token_signing_alg_values_supported") ?? [SigningAlgorithm.rs256.rawValue]
        algorithms = Set(announced.compactMap(SigningAlgorithm.init))
        guard !algorithms.isEmpty else {
            throw OpenIDConnectError(
                .providerUnsupported, "the provider signs identity tokens with no algorithm that this library takes")
        }
        // The defaults are the document's own (Discovery §3, RFC 8414 §2).
        authenticationMethods =
            try reader.words("token_endpoint_auth_methods_supported") ?? [AuthenticationMethod.basic.rawValue]
        assertionAlgorithms = try reader.words("token_endpoint_auth_signing_alg_values_supported")
        responseModes = try reader.words("response_modes_supported") ?? ["query", "fragment"]
        responseTypes = try reader.words("response_types_supported") ?? []
        challengeMethods = try reader.words("code_challenge_methods_supported")
        namesIssuerInResponse = root["authorization_response_iss_parameter_supported"]?.bool ?? false
    }

    /// The way in which a client of the configuration authenticates at the token endpoint.
    /// - Throws: ``OpenIDConnectError/Code/providerUnsupported``.
    func authenticationMethod(for credential: ClientCredential) throws(OpenIDConnectError) -> AuthenticationMethod {
        let usable: [AuthenticationMethod] =
            switch credential.kind {
            case .secret: [.basic, .post]
            case .privateKey: [.privateKeyJWT]
            }
        guard let method = usable.first(where: { authenticationMethods.contains($0.rawValue) }) else {
            throw OpenIDConnectError(
                .providerUnsupported, "the provider announces no client authentication that fits the credential")
        }
        return method
    }
}

/// A way in which a client authenticates at the token endpoint (OpenID Connect Core 1.0 §9).
enum AuthenticationMethod: String, Sendable {
    case basic = "client_secret_basic"
    case post = "client_secret_post"
    case privateKeyJWT = "private_key_jwt"
}

/// Reads members of a discovery document.
private struct Reader {
    /// The maximum number of elements in a list of a document.
    private static let maximumWords = 256

    let root: JSONValue
    let issuer: ProviderURL

    /// - Throws: ``OpenIDConnectError/Code/malformedAnswer`` for a text that is no URL, or one that the issuer may not
    ///   lead to.
    func url(_ name: String) throws(OpenIDConnectError) -> String? {
        guard let member = root[name] else { return nil }
        guard let text = member.string, let url = ProviderURL(text, allowsQuery: true), issuer.mayLead(to: url)
        else {
            throw OpenIDConnectError(.malformedAnswer, "\(name) in the discovery document is no https URL")
        }
        // A parameter of ours that comes twice would be read in one way here and in another there.
        guard !ProviderParameters.appear(in: url.query ?? "") else {
            throw OpenIDConnectError(
                .malformedAnswer, "\(name) in the discovery document holds a parameter of the request")
        }
        return text
    }

    /// - Throws: ``OpenIDConnectError/Code/malformedAnswer`` for a member that is no list of texts.
    func words(_ name: String) throws(OpenIDConnectError) -> [String]? {
        guard let member = root[name] else { return nil }
        let words = member.elements.prefix(Self.maximumWords + 1).map(\.string)
        let texts = words.compactMap(\.self)
        guard member.kind == .array, texts.count == words.count, words.count <= Self.maximumWords else {
            throw OpenIDConnectError(.malformedAnswer, "\(name) in the discovery document is no list of words")
        }
        return texts
    }
}
