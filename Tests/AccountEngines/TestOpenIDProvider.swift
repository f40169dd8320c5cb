package import AppleIDTransport
import Crypto
package import Foundation
import HTTPTypes
import Logging
package import OpenIDConnect
import StrictJWS
import TaskSignals

/// An OpenID Provider for tests of the service: a discovery document, a key, codes that count once, PKCE, and identity
/// tokens signed with ES256. `OpenIDConnectTests` has one that can be wrong in every way; this one keeps to the
/// standard.
package final class TestOpenIDProvider: AppleTransport {
    /// The facts that the provider knows about a person.
    package struct Person: Sendable {
        package var subject: String
        package var email: String?
        package var isEmailVerified: Bool
        package var givenName: String?

        package init(
            _ subject: String = "person-1", email: String? = "ann@example.org", isEmailVerified: Bool = true,
            givenName: String? = nil
        ) {
            self.subject = subject
            self.email = email
            self.isEmailVerified = isEmailVerified
            self.givenName = givenName
        }
    }

    private struct Grant {
        let person: Person
        let challenge: String?
        let redirectURI: String?
        let nonce: String?
    }

    private struct State {
        var grants: [String: Grant] = [:]
        var codes = 0
        var isDown = false
        var tokenEndpoint = "/token"
        var authenticationAge: Int? = 0
        var exchanges = 0
        var silence: Silence?
    }

    /// A time in which some requests wait for their answer.
    package final class Silence: Sendable {
        fileprivate let paths: Set<String>
        fileprivate let reached = OneShot<Void>()
        fileprivate let end = OneShot<Void>()

        fileprivate init(_ paths: Set<String>) { self.paths = paths }

        /// Returns when a request waits for its answer.
        package func isReached() async { await reached.wait() }

        /// Gives the answers, to requests that have waited and to later ones.
        package func stop() { end.deliver() }
    }

    private struct NotThere: Error {}

    package static let client = "client-1"
    package static let secret = "a secret"
    package static let app = "app-1"

    package let id: String
    package let issuer: String
    private let responseModes: [String]
    private let key = P256.Signing.PrivateKey()
    private let now: @Sendable () -> Date
    private let state = Lock(State())

    /// - Parameter responseModes: the ways in which a browser comes back.
    package init(
        _ id: String = "example", issuer: String? = nil, responseModes: [String] = ["form_post"],
        now: @escaping @Sendable () -> Date
    ) {
        self.id = id
        self.issuer = issuer ?? "https://\(id).example.com"
        self.responseModes = responseModes
        self.now = now
    }

    /// Whether the provider answers nothing.
    package var isDown: Bool {
        get { state.withLock { $0.isDown } }
        set { state.withLock { $0.isDown = newValue } }
    }

    /// How many seconds ago people have authenticated, as tokens say it; nil for tokens that say nothing.
    package var authenticationAge: Int? {
        get { state.withLock { $0.authenticationAge } }
        set { state.withLock { $0.authenticationAge = newValue } }
    }

    /// The path of the token endpoint in the document. Codes are redeemed at `/token` alone.
    package var tokenEndpoint: String {
        get { state.withLock { $0.tokenEndpoint } }
        set { state.withLock { $0.tokenEndpoint = newValue } }
    }

    /// How many codes were sent to the token endpoint.
    package var exchanges: Int { state.withLock { $0.exchanges } }

    /// Makes the provider answer no request to some paths until the silence is stopped.
    /// - Parameter paths: those of the document, `/keys` or `/token`.
    package func beSilent(at paths: String...) -> Silence {
        let silence = Silence(Set(paths))
        state.withLock { $0.silence = silence }
        return silence
    }

    /// The client of a service.
    /// - Parameters:
    ///   - isForBrowsers: whether it has the credential that browsers need.
    ///   - timeLimit: for each request.
    package func makeClient(isForBrowsers: Bool = true, timeLimit: Duration = .seconds(10)) throws -> ProviderClient {
        ProviderClient(
            try ProviderConfiguration(
                id: ProviderID(id), issuer: issuer, clientID: Self.client,
                credential: isForBrowsers ? .secret(Self.secret) : nil, appClientIDs: [Self.app],
                button: ProviderButton(name: id.capitalized, mark: id)),
            transport: self, timeLimit: timeLimit,
            environment: OpenIDConnectEnvironment(
                now: now, randomBytes: OpenIDConnectEnvironment.live.randomBytes),
            logger: Logger(label: "provider") { _ in SwiftLogNoOpLogHandler() })
    }

    /// The person says yes in the browser.
    /// - Parameter url: the address to which the service sent the browser.
    /// - Returns: the fields with which the browser comes back.
    package func authorize(_ person: Person = Person(), at url: String) -> [(name: String, value: String)] {
        let request = Self.fields(String(url[(url.firstIndex(of: "?") ?? url.endIndex)...].dropFirst()))
        let grant = Grant(
            person: person, challenge: request["code_challenge"], redirectURI: request["redirect_uri"],
            nonce: request["nonce"])
        let code = state.withLock { state in
            state.codes += 1
            state.grants["code-\(state.codes)"] = grant
            return "code-\(state.codes)"
        }
        return [("code", code), ("state", request["state"] ?? ""), ("iss", issuer)]
    }

    /// The person says no in the browser.
    package func refuse(at url: String) -> [(name: String, value: String)] {
        let request = Self.fields(String(url[(url.firstIndex(of: "?") ?? url.endIndex)...].dropFirst()))
        return [("error", "access_denied"), ("state", request["state"] ?? ""), ("iss", issuer)]
    }

    /// An identity token, as an app gets it.
    /// - Parameters:
    ///   - nonce: as the provider was given it.
    ///   - header: another header than the provider's, for a token that is not signed as it should be.
    ///   - sign: makes another signature than the provider's.
    package func token(
        _ person: Person = Person(), nonce: String?, client: String = app,
        header: String = #"{"alg":"ES256","kid":"key-1","typ":"JWT"}"#, signedBy sign: ((Data) -> Data)? = nil
    ) throws -> String {
        let seconds = Int(now().timeIntervalSince1970)
        var claims: [String: any Sendable] = [
            "iss": issuer, "sub": person.subject, "aud": client, "iat": seconds, "exp": seconds + 3_600,
            "email_verified": person.isEmailVerified, "jti": "\(UUID())",
        ]
        let texts = ["nonce": nonce, "email": person.email, "given_name": person.givenName]
        if let age = authenticationAge { claims["auth_time"] = seconds - age }
        for (name, text) in texts { if let text { claims[name] = text } }
        let payload = try JSONSerialization.data(withJSONObject: claims)
        let input = Base64URL.text(Array(header.utf8)) + "." + Base64URL.text(Array(payload))
        let signature = try sign?(Data(input.utf8)) ?? key.signature(for: Data(input.utf8)).rawRepresentation
        return input + "." + Base64URL.text(Array(signature))
    }

    // MARK: AppleTransport

    package func send(_ request: AppleRequest) async throws -> AppleResponse {
        guard !isDown, request.url.hasPrefix(issuer) else { throw NotThere() }
        let path = String(request.url.dropFirst(issuer.count))
        let silence = state.withLock { state in
            if path == "/token" { state.exchanges += 1 }
            return state.silence.flatMap { $0.paths.contains(path) ? $0 : nil }
        }
        if let silence {
            silence.reached.deliver()
            await silence.end.waitDespiteCancellation()
        }
        switch path {
        case "/.well-known/openid-configuration":
            return try Self.json([
                "issuer": issuer, "authorization_endpoint": issuer + "/authorize",
                "token_endpoint": issuer + tokenEndpoint,
                "jwks_uri": issuer + "/keys", "response_types_supported": ["code"],
                "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["ES256"],
                "response_modes_supported": responseModes,
                "token_endpoint_auth_methods_supported": ["client_secret_basic"],
                "code_challenge_methods_supported": ["S256"], "authorization_response_iss_parameter_supported": true,
            ])
        case "/keys":
            let raw = Array(key.publicKey.rawRepresentation)
            return try Self.json([
                "keys": [
                    [
                        "kid": "key-1", "use": "sig", "alg": "ES256", "kty": "EC", "crv": "P-256",
                        "x": Base64URL.text(Array(raw[..<32])), "y": Base64URL.text(Array(raw[32...])),
                    ]
                ]
            ])
        case "/token":
            return try redeem(Self.fields(String(decoding: request.body, as: UTF8.self)))
        default:
            return AppleResponse(status: .notFound)
        }
    }

    private func redeem(_ form: [String: String]) throws -> AppleResponse {
        let grant = state.withLock { $0.grants.removeValue(forKey: form["code"] ?? "") }
        let challenge = Base64URL.text(Array(SHA256.hash(data: Data((form["code_verifier"] ?? "").utf8))))
        guard let grant, grant.challenge == challenge, grant.redirectURI == form["redirect_uri"] else {
            return try Self.json(["error": "invalid_grant"], status: .badRequest)
        }
        return try Self.json([
            "access_token": "access", "token_type": "Bearer", "expires_in": 60,
            "id_token": try token(grant.person, nonce: grant.nonce, client: Self.client),
        ])
    }

    private static func json(
        _ members: [String: any Sendable], status: HTTPResponse.Status = .ok
    ) throws -> AppleResponse {
        AppleResponse(
            status: status, headerFields: [.contentType: "application/json"],
            body: Array(try JSONSerialization.data(withJSONObject: members)))
    }

    private static func fields(_ text: String) -> [String: String] {
        var fields: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { String($0).replacing("+", with: " ").removingPercentEncoding ?? "" }
            fields[parts[0]] = parts.count > 1 ? parts[1] : ""
        }
        return fields
    }
}
