import AppleIDTransport
import AppleIDTypes
import HTTPTypes
import StrictJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ProviderClient {
    /// Finishes an attempt: compares the callback with it, redeems the code, and verifies the identity token.
    ///
    /// Spend the attempt before you call this. A code is sent once, whatever the outcome, and only to the token
    /// endpoint that the provider announced when the attempt began. The access token and refresh token of the answer
    /// are dropped: nothing here needs them.
    /// - Throws: the reason why nobody is signed in. ``OpenIDConnectError/kind`` says who has to act.
    public func finish(
        _ callback: ProviderCallback, of attempt: ProviderAttempt
    ) async throws(OpenIDConnectError) -> VerifiedProviderIdentity {
        // The checks without a request come first, so that strangers cause no requests.
        _ = try requireOwnCode(callback, attempt, namesIssuer: false)
        guard let credential = configuration.credential else {
            throw OpenIDConnectError(.invalidConfiguration, "provider \(configuration.id) has no credential")
        }
        // With the document come the keys, so that an outage costs no code.
        let metadata = try await source.metadata()
        let code = try requireOwnCode(callback, attempt, namesIssuer: metadata.namesIssuerInResponse)
        guard metadata.tokenEndpoint == attempt.tokenEndpoint else {
            throw OpenIDConnectError(
                .metadataChanged, "the provider's token endpoint has changed since the attempt began")
        }
        let request = try exchangeRequest(code, attempt, credential, metadata)
        return try await instrumentation.call(.exchange, of: configuration.id) {
            () async throws(OpenIDConnectError) in
            let answer = try await redeem(request)
            do throws(OpenIDConnectError) {
                return try await verify(
                    answer.identityToken,
                    expecting: IDTokenExpectation(
                        audiences: [configuration.clientID], nonce: .issued(attempt.nonce), code: code,
                        accessToken: answer.accessToken, maximumAuthenticationAge: attempt.maximumAge,
                        authenticationContexts: attempt.authenticationContexts))
            } catch {
                guard error.kind == .transient else { throw error }
                throw OpenIDConnectError(
                    .exchangeOutcomeUnknown, "the key of the provider's token can't be had, and the code is spent",
                    cause: error)
            }
        }
    }

    private func requireOwnCode(
        _ callback: ProviderCallback, _ attempt: ProviderAttempt, namesIssuer: Bool
    ) throws(OpenIDConnectError) -> String {
        try callback.requireCode(of: attempt, configuration: configuration, namesIssuer: namesIssuer)
    }

    /// The token request (OpenID Connect Core 1.0 §3.1.3.1, RFC 7636 §4.5) with the client's authentication.
    private func exchangeRequest(
        _ code: String, _ attempt: ProviderAttempt, _ credential: ClientCredential, _ metadata: ProviderMetadata
    ) throws(OpenIDConnectError) -> AppleRequest {
        var form = [
            (name: "grant_type", value: "authorization_code"), ("code", code), ("redirect_uri", attempt.redirectURI),
            ("code_verifier", attempt.codeVerifier),
        ]
        let method = try metadata.authenticationMethod(for: credential)
        switch (credential.kind, method) {
        case (.secret(let secret), .basic):
            var request = AppleRequest.post(attempt.tokenEndpoint, form: form)
            request.head.headerFields[.authorization] = Self.basic(configuration.clientID, secret)
            return request
        case (.secret(let secret), _):
            form += [("client_id", configuration.clientID), ("client_secret", secret)]
        case (.privateKey(let key, let audience), _):
            let assertion = try key.assertion(
                for: configuration.clientID,
                audience: audience == .issuer ? configuration.issuer : attempt.tokenEndpoint,
                by: key.algorithm(announced: metadata.assertionAlgorithms), identifier: randomText(),
                at: environment.seconds)
            form += [
                ("client_id", configuration.clientID),
                ("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"),
                ("client_assertion", assertion),
            ]
        }
        return .post(attempt.tokenEndpoint, form: form)
    }

    /// RFC 6749 §2.3.1: both parts are form-encoded first, so that a colon in one is none.
    private static func basic(_ client: String, _ secret: String) -> String {
        let pair = PercentEncoding.encode(client) + ":" + PercentEncoding.encode(secret)
        return "Basic " + Data(pair.utf8).base64EncodedString()
    }

    /// Sends the request once. Without the provider's own answer nobody knows whether the code is spent.
    private func redeem(_ request: AppleRequest) async throws(OpenIDConnectError) -> ProviderTokenAnswer {
        do throws(OpenIDConnectError) {
            return try ProviderTokenAnswer(try await transport.response(to: request))
        } catch {
            guard error.kind == .transient else { throw error }
            throw OpenIDConnectError(
                .exchangeOutcomeUnknown, "whether the code is spent is unknown, so it is not sent again", cause: error)
        }
    }
}

/// A good answer of a token endpoint (OpenID Connect Core 1.0 §3.1.3.3), parsed and not verified.
struct ProviderTokenAnswer: Redacted {
    let identityToken: String
    let accessToken: String

    /// - Throws: the error that an answer other than a good one means. A redirect is never followed.
    init(_ response: AppleResponse) throws(OpenIDConnectError) {
        guard response.status == 200 else { throw Self.refusal(response) }
        let root: JSONValue
        do {
            root = try JSONDocument(response.body).root
        } catch {
            // The answer may hold tokens; where its fault lies says enough.
            throw OpenIDConnectError(.malformedAnswer, "the token answer is not strict JSON: \(error)", cause: error)
        }
        guard let identityToken = root["id_token"]?.string, !identityToken.isEmpty,
            let accessToken = root["access_token"]?.string, !accessToken.isEmpty,
            root["token_type"]?.string?.lowercased() == "bearer"
        else {
            throw OpenIDConnectError(.malformedAnswer, "the token answer lacks a member, or has one of another type")
        }
        self.identityToken = identityToken
        self.accessToken = accessToken
    }

    /// RFC 6749 §5.2. Only the provider's own word says that the code or the client is refused.
    private static func refusal(_ response: AppleResponse) -> OpenIDConnectError {
        guard [400, 401].contains(response.status), let refusal = word(response) else {
            return OpenIDConnectError(
                .providerUnavailable, "the provider answered the code with status \(response.status)")
        }
        if refusal.word == "invalid_grant" {
            return OpenIDConnectError(
                .grantRejected,
                "the provider says invalid_grant: the code is expired, used, or not for this client and request",
                cause: refusal)
        }
        return OpenIDConnectError(.clientRejected, "the provider says \(refusal.word)", cause: refusal)
    }

    private static func word(_ response: AppleResponse) -> ProviderRefusal? {
        do {
            let root = try JSONDocument(response.body).root
            return ProviderRefusal(status: response.status, word: root["error"]?.string)
        } catch {
            // A page of something that stands before the provider.
            return nil
        }
    }
}
