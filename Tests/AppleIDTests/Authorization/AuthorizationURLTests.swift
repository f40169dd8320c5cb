import AppleIDTypes
import Crypto
import Logging
import Testing

@testable import AppleID

@Suite("Authorization URL")
struct AuthorizationURLTests {
    let client: AppleIDClient

    init() throws {
        let key = try AppleClientKey(id: "K", team: "T", pem: P256.Signing.PrivateKey().pemRepresentation)
        client = AppleIDClient(
            clients: [
                ClientRegistration(id: "com.example.juice", kind: .app, key: key),
                ClientRegistration(id: "com.example.juice.web", kind: .service, key: key),
            ],
            transport: TestTransport(.status(500)), logger: Logger(label: "test"))
    }

    var request: AuthorizationRequest {
        AuthorizationRequest(
            client: "com.example.juice.web", redirectURI: "https://example.com/sign-in/apple/callback",
            scopes: [.name, .email], state: "s+t a", nonce: "n")
    }

    @Test("Every value is percent-encoded, and a space never becomes a plus")
    func encoding() throws {
        #expect(
            try client.authorizationURL(for: request)
                == "https://appleid.apple.com/auth/authorize?client_id=com.example.juice.web"
                + "&redirect_uri=https%3A%2F%2Fexample.com%2Fsign-in%2Fapple%2Fcallback&response_type=code%20id_token"
                + "&response_mode=form_post&scope=name%20email&state=s%2Bt%20a&nonce=n")
    }

    @Test("A challenge comes with its method, and an empty list of scopes leaves the parameter out")
    func optional() throws {
        var request = request
        request.codeChallenge = "abc"
        request.scopes = []
        request.responseType = .code
        request.responseMode = .query
        let url = try client.authorizationURL(for: request)
        #expect(url.hasSuffix("&nonce=n&code_challenge=abc&code_challenge_method=S256"))
        #expect(!url.contains("scope"))
    }

    @Test("A request without a nonce has no nonce parameter")
    func withoutNonce() throws {
        var request = request
        request.nonce = nil
        #expect(try client.authorizationURL(for: request).hasSuffix("&state=s%2Bt%20a"))
    }

    @Test("A request that Apple would refuse is refused before the browser goes there")
    func refused() {
        let changes: [@Sendable (inout AuthorizationRequest) -> Void] = [
            { $0.responseMode = .query }, { $0.responseMode = .fragment },
            {
                $0.scopes = []
                $0.responseMode = .query
            },
            { $0.responseType = "id_token" }, { $0.responseType = "code token" }, { $0.responseMode = "post" },
            {
                $0.scopes = []
                $0.responseType = "id_token"
                $0.responseMode = .query
            },
            { $0.state = "" }, { $0.nonce = "" }, { $0.redirectURI = "" },
            { $0.state = String(repeating: "s", count: 1_025) },
        ]
        for change in changes {
            var changed = request
            change(&changed)
            #expect(throws: AppleIDError(.invalidAuthorizationRequest, "")) {
                try client.authorizationURL(for: changed)
            }
        }
        // Its codes come from devices, and are redeemed without a redirect URI.
        var app = request
        app.client = "com.example.juice"
        #expect(throws: AppleIDError(.invalidAuthorizationRequest, "")) { try client.authorizationURL(for: app) }
        var unknown = request
        unknown.client = "com.example.other"
        #expect(throws: AppleIDError(.unknownClient, "")) { try client.authorizationURL(for: unknown) }
    }
}
