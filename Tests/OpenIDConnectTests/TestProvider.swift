import AppleIDTransport
import Crypto
import Foundation
import HTTPTypes
import Logging
import OpenIDConnect
import TaskSignals
import Testing

/// A clock that stands still until a test moves it.
final class TestClock: Sendable {
    static let start = 1_700_000_000
    private let time = Lock<Date>(Date(timeIntervalSince1970: TimeInterval(start)))

    var now: Date { time.withLock { $0 } }

    func advance(by seconds: TimeInterval) {
        time.withLock { $0 += seconds }
    }

    var environment: OpenIDConnectEnvironment {
        OpenIDConnectEnvironment(now: { self.now }, randomBytes: OpenIDConnectEnvironment.live.randomBytes)
    }
}

/// The network of a test: leads each request to the provider whose host it names, and keeps all requests.
final class TestNetwork: AppleTransport {
    struct NoHost: Error {}

    private let providers: [TestProvider]
    private let kept = Lock<[AppleRequest]>([])

    init(_ providers: TestProvider...) {
        self.providers = providers
    }

    var requests: [AppleRequest] { kept.withLock { $0 } }

    /// The forms posted to token endpoints.
    var exchanges: [[(name: String, value: String)]] {
        requests.filter { $0.head.method == .post }.map { fields(String(decoding: $0.body, as: UTF8.self)) }
    }

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        kept.withLock { $0.append(request) }
        guard let provider = providers.first(where: { request.url.hasPrefix($0.origin + "/") }) else { throw NoHost() }
        return try await provider.answer(request)
    }
}

/// An OpenID Provider, as the standards describe one: discovery document, keys, codes that count once, PKCE, client
/// authentication and signed identity tokens. A test changes what it likes.
final class TestProvider: Sendable {
    struct Grant: Sendable {
        let challenge: String?
        let redirectURI: String
        let nonce: String?
        let client: String
    }

    struct State: Sendable {
        /// JSON texts by name.
        var document: [String: String]
        var keys: [TestKey]
        var publicKeys: [[String: String]]?
        /// Claims as JSON texts, instead of the provider's own; nil leaves one out.
        var claims: [String: String?] = [:]
        var grants: [String: Grant] = [:]
        /// Answers in place of the provider's own, by the path.
        var answers: [String: AppleResponse] = [:]
        var codes = 0
    }

    let origin: String
    let issuer: String
    /// Where document and endpoints are.
    let base: String
    let clock: TestClock
    let state: Lock<State>

    init(
        _ issuer: String = "https://id.example.com", base: String? = nil, keys: [TestKey] = [TestKey("ES256")],
        clock: TestClock = TestClock()
    ) {
        self.issuer = issuer
        let base = base ?? issuer
        self.base = base
        self.clock = clock
        origin = issuer.split(separator: "/", maxSplits: 2).prefix(2).joined(separator: "//")
        state = Lock(
            State(
                document: [
                    "issuer": "\"\(issuer)\"", "authorization_endpoint": "\"\(base)/authorize\"",
                    "token_endpoint": "\"\(base)/token\"", "jwks_uri": "\"\(base)/keys\"",
                    "response_types_supported": #"["code"]"#, "subject_types_supported": #"["public"]"#,
                    "id_token_signing_alg_values_supported":
                        "[" + keys.map { "\"\($0.algorithm)\"" }.joined(separator: ",") + "]",
                    "response_modes_supported": #"["query","form_post"]"#,
                    "token_endpoint_auth_methods_supported": #"["client_secret_basic"]"#,
                    "code_challenge_methods_supported": #"["S256"]"#,
                    "authorization_response_iss_parameter_supported": "true",
                ], keys: keys))
    }

    func change<Failure: Error>(_ body: (inout State) throws(Failure) -> Void) throws(Failure) {
        var changed = state.withLock { $0 }
        try body(&changed)
        state.withLock { [changed] in $0 = changed }
    }

    /// Changes members of the discovery document; nil leaves one out.
    func document(_ changes: [String: String?]) {
        change { state in
            for (name, value) in changes { state.document[name] = value }
        }
    }

    /// The person says yes in the browser: the fields with which the browser comes back.
    func authorize(_ url: String) throws -> [(name: String, value: String)] {
        let request = fields(url[(url.firstIndex(of: "?") ?? url.endIndex)...].dropFirst())
        let state = request["state"] ?? ""
        let grant = Grant(
            challenge: request["code_challenge"], redirectURI: request["redirect_uri"] ?? "", nonce: request["nonce"],
            client: request["client_id"] ?? "")
        let code = self.state.withLock { own in
            own.codes += 1
            own.grants["code-\(own.codes)"] = grant
            return "code-\(own.codes)"
        }
        return [("code", code), ("state", state), ("iss", issuer)]
    }

    /// The claims of a token, as JSON.
    func payload(_ changes: [String: String?] = [:]) -> String {
        let now = Int(clock.now.timeIntervalSince1970)
        var claims = [
            "iss": "\"\(issuer)\"", "sub": "\"person-1\"", "aud": "\"client-1\"", "iat": "\(now)",
            "exp": "\(now + 600)",
            "nonce": "\"nonce-1\"",
        ]
        for (name, value) in changes { claims[name] = value }
        return "{" + claims.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    /// A token of the provider's, signed with its first key.
    func token(_ changes: [String: String?] = [:]) throws -> String {
        try state.withLock { $0.keys[0] }.token(payload(changes))
    }

    func answer(_ request: AppleRequest) async throws -> AppleResponse {
        let path = String(request.url.dropFirst(origin.count))
        let base = String(base.dropFirst(origin.count))
        let own = state.withLock { $0 }
        if let answer = own.answers[path] { return answer }
        switch path {
        case base + "/.well-known/openid-configuration", base + "/.well-known/openid-configuration/":
            return .json("{" + own.document.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}")
        case base + "/keys":
            let keys = try own.publicKeys ?? own.keys.map { try $0.publicKey() }
            return AppleResponse(status: 200, body: try TestKey.keySet(keys))
        case base + "/token" where request.head.method == .post:
            return try redeem(fields(String(decoding: request.body, as: UTF8.self)))
        default:
            return AppleResponse(status: .notFound)
        }
    }

    private func redeem(_ form: [(name: String, value: String)]) throws -> AppleResponse {
        let code = form["code"] ?? ""
        let verifier = form["code_verifier"] ?? ""
        guard let grant = state.withLock({ $0.grants.removeValue(forKey: code) }),
            grant.challenge == base64URL(Array(SHA256.hash(data: Data(verifier.utf8)))),
            grant.redirectURI == form["redirect_uri"]
        else { return .json(#"{"error":"invalid_grant"}"#, status: 400) }
        let (key, changes) = state.withLock { ($0.keys[0], $0.claims) }
        var claims: [String: String?] = [
            "nonce": grant.nonce.map { "\"\($0)\"" }, "aud": "\"\(grant.client)\"",
            "at_hash": "\"\(halfHash("access-\(code)", algorithm: key.algorithm))\"",
            "c_hash": "\"\(halfHash(code, algorithm: key.algorithm))\"",
        ]
        claims.merge(changes) { $1 }
        return .json(
            #"{"access_token":"access-\#(code)","token_type":"Bearer","expires_in":60,"id_token":"\#(try key.token(payload(claims)))"}"#
        )
    }
}

extension AppleResponse {
    static func json(_ text: String, status: Int = 200) -> Self {
        AppleResponse(
            status: HTTPResponse.Status(code: status), headerFields: [.contentType: "application/json"],
            body: Array(text.utf8))
    }
}

/// A client of one provider, with what a sign-in of it takes.
struct TestClient {
    static let redirectURI = "https://app.example.com/sign-in/example/callback"

    let provider: TestProvider
    let network: TestNetwork
    let client: ProviderClient

    init(
        _ provider: TestProvider = TestProvider(), network: TestNetwork? = nil, id: String = "example",
        credential: ClientCredential? = nil, timeLimit: Duration = .seconds(10),
        configuration: ProviderConfiguration? = nil
    ) throws {
        self.provider = provider
        let network = network ?? TestNetwork(provider)
        self.network = network
        client = ProviderClient(
            try configuration
                ?? ProviderConfiguration(
                    id: ProviderID(id), issuer: provider.issuer, clientID: "client-1",
                    credential: try credential ?? .secret("s3cret:%/ value"), appClientIDs: ["app-1"],
                    button: ProviderButton(name: "Example")),
            transport: network, timeLimit: timeLimit, environment: provider.clock.environment,
            logger: Logger(label: "test"))
    }

    func begin(
        _ request: ProviderRequest = ProviderRequest(redirectURI: redirectURI)
    ) async throws -> (url: String, attempt: ProviderAttempt) {
        try await client.begin(request)
    }

    func finish(
        _ fields: [(name: String, value: String)], of attempt: ProviderAttempt, at redirectURI: String = redirectURI
    ) async throws -> VerifiedProviderIdentity {
        try await client.finish(ProviderCallback(fields: fields, at: redirectURI), of: attempt)
    }

    /// A whole sign-in.
    func signIn(
        _ request: ProviderRequest = ProviderRequest(redirectURI: redirectURI)
    ) async throws -> VerifiedProviderIdentity {
        let (url, attempt) = try await begin(request)
        return try await finish(provider.authorize(url), of: attempt)
    }

    /// Verifies a token as if an app had brought it.
    func verify(
        _ token: String, nonce: ProviderNonce = .issued("nonce-1"), code: String? = nil
    ) async throws -> VerifiedProviderIdentity {
        try await client.verify(token, nonce: nonce, code: code)
    }
}

/// The code with which something fails; nil when it does not.
func failure<Result>(_ body: () async throws -> Result) async throws -> OpenIDConnectError.Code? {
    do {
        _ = try await body()
        return nil
    } catch let error as OpenIDConnectError {
        return error.code
    }
}
