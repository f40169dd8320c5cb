public import AppleIDTypes
import StrictJWS

/// The response that a browser brings back from a provider. It is only parsed: believe nothing in it yet.
public struct ProviderCallback: Sendable, Redacted {
    /// The redirect URI at which the browser came back.
    public let redirectURI: String
    /// The request's state. Find the attempt by it.
    public let state: String?
    let code: String?
    /// The issuer that the provider says it is (RFC 9207).
    let issuer: String?
    let error: String?

    /// Providers send fewer than ten fields. Fields that are not known are ignored.
    private static let maximumFields = 32
    private static let maximumBytes = 16_384
    private static let limits = ["code": 4_096, "state": 1_024, "iss": 2_048, "error": 255]

    /// Creates a callback from the fields of a query or of a posted form.
    /// - Parameters:
    ///   - fields: decoded, in order. An empty field counts as absent.
    ///   - redirectURI: the redirect URI of the route that received the fields, made from configuration, never from the
    ///     request's `Host`.
    /// - Throws: ``OpenIDConnectError/Code/malformedCallback`` when a field comes twice, is too long or holds U+0000, when
    ///   there are too many, when code and error come together, and when a token stands beside them.
    public init(
        fields: [(name: String, value: String)], at redirectURI: String
    ) throws(OpenIDConnectError) {
        guard fields.count <= Self.maximumFields,
            fields.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count }) <= Self.maximumBytes
        else {
            throw OpenIDConnectError(.malformedCallback, "the callback has too many fields, or too long ones")
        }
        var found: [String: String] = [:]
        for (name, value) in fields {
            // RFC 6749 §3.1: no parameter comes twice.
            guard found.updateValue(value, forKey: name) == nil else {
                throw OpenIDConnectError(.malformedCallback, "the callback names a field twice")
            }
            guard !name.utf8.contains(0), !value.utf8.contains(0) else {
                throw OpenIDConnectError(.malformedCallback, "the callback holds a null character")
            }
            if let limit = Self.limits[name], value.utf8.count > limit {
                throw OpenIDConnectError(.malformedCallback, "the field \(name) is longer than \(limit) bytes")
            }
        }
        let present = found.filter { !$0.value.isEmpty }
        // Only a code was asked for. A token in the front channel answers another request (RFC 9700 §2.1.2).
        guard present["id_token"] == nil, present["access_token"] == nil else {
            throw OpenIDConnectError(.malformedCallback, "the callback holds a token")
        }
        guard present["code"] == nil || present["error"] == nil else {
            throw OpenIDConnectError(.malformedCallback, "the callback has a code and an error")
        }
        self.redirectURI = redirectURI
        state = present["state"]
        code = present["code"]
        issuer = present["iss"]
        error = present["error"]
    }

    /// The code, if the callback answers the attempt.
    /// - Parameter namesIssuer: whether the provider announces by now that each callback names the issuer.
    /// - Throws: ``OpenIDConnectError/Code/providerMixUp``, ``OpenIDConnectError/Code/stateMismatch``,
    ///   ``OpenIDConnectError/Code/malformedCallback``, or the provider's own error.
    func requireCode(
        of attempt: ProviderAttempt, configuration: ProviderConfiguration, namesIssuer: Bool
    ) throws(OpenIDConnectError) -> String {
        // RFC 9700 §4.4.2.2: a redirect URI for each provider.
        guard attempt.provider.isSpelt(as: configuration.id.rawValue),
            attempt.issuer.isSpelt(as: configuration.issuer), redirectURI.isSpelt(as: attempt.redirectURI)
        else {
            throw OpenIDConnectError(.providerMixUp, "the attempt was begun at another provider or redirect URI")
        }
        guard ConstantTime.areEqual(state ?? "", Array(attempt.state.utf8)) else {
            throw OpenIDConnectError(.stateMismatch, "the callback's state is not that of the attempt")
        }
        // RFC 9207 §2.4, for errors too.
        if let issuer {
            guard configuration.rules.acceptsResponseIssuer(issuer, configured: configuration.issuer) else {
                throw OpenIDConnectError(.providerMixUp, "the callback comes from another issuer")
            }
        } else if attempt.requiresIssuer || namesIssuer {
            throw OpenIDConnectError(.providerMixUp, "the callback names no issuer, and the provider's do")
        }
        if let error { throw Self.error(error) }
        guard let code else {
            throw OpenIDConnectError(.malformedCallback, "the callback has neither a code nor an error")
        }
        return code
    }

    /// RFC 6749 §4.1.2.1 and OpenID Connect Core 1.0 §3.1.2.6.
    private static func error(_ word: String) -> OpenIDConnectError {
        let cause = ProviderRefusal(status: nil, word: word)
        switch word {
        case "access_denied":
            return OpenIDConnectError(.accessDenied, "the person or the provider said no", cause: cause)
        case "temporarily_unavailable", "server_error":
            return OpenIDConnectError(.providerUnavailable, "the provider can't sign the person in now", cause: cause)
        case "unauthorized_client", "invalid_scope", "unsupported_response_type", "invalid_request":
            return OpenIDConnectError(.clientRejected, "the provider doesn't take the request", cause: cause)
        default:
            return OpenIDConnectError(.authorizationRejected, "the provider ended the attempt", cause: cause)
        }
    }
}
