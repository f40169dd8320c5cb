import Foundation
import OpenIDConnect
import Testing

@Suite("A sign-in at a provider")
struct SignInTests {
    @Test("signs a person in with each of the four algorithms", arguments: TestKey.algorithms)
    func algorithms(algorithm: String) async throws {
        let test = try TestClient(TestProvider(keys: [TestKey(algorithm)]))
        let identity = try await test.signIn()
        #expect(identity.provider.rawValue == "example")
        #expect(identity.issuer == "https://id.example.com")
        #expect(identity.subject == "person-1")
        #expect(identity.clientID == "client-1")
        #expect(identity.issuedAt == test.provider.clock.now)
        #expect(identity.signingInputDigest.count == 32)
    }

    @Test("asks for a code with PKCE, state and nonce, each new and of 256 bits, and for no token")
    func request() async throws {
        let test = try TestClient()
        let (url, attempt) = try await test.begin()
        #expect(url.hasPrefix("https://id.example.com/authorize?"))
        let sent = fields(url.split(separator: "?")[1])
        #expect(sent["response_type"] == "code")
        #expect(sent["client_id"] == "client-1")
        #expect(sent["redirect_uri"] == TestClient.redirectURI)
        #expect(sent["scope"] == "openid email profile")
        #expect(sent["code_challenge_method"] == "S256")
        #expect(sent["state"] == attempt.state)
        for name in ["state", "nonce", "code_challenge"] { #expect(sent[name]?.utf8.count == 43) }
        let (other, _) = try await test.begin()
        for name in ["state", "nonce", "code_challenge"] {
            #expect(fields(other.split(separator: "?")[1])[name] != sent[name])
        }
        // The secrets of the attempt stand in no address.
        #expect(!url.contains("code_verifier"))
    }

    @Test("comes back by a posted form if the provider supports that, and otherwise in the query")
    func responseMode() async throws {
        let test = try TestClient()
        #expect(try await test.begin().attempt.responseMode == "form_post")
        for modes in [nil, #"["query"]"#] {
            let provider = TestProvider()
            provider.document(["response_modes_supported": modes])
            #expect(try await TestClient(provider).begin().attempt.responseMode == "query")
        }
    }

    @Test("keeps the query of the provider's authorization endpoint")
    func query() async throws {
        let provider = TestProvider()
        provider.document(["authorization_endpoint": #""https://id.example.com/authorize?policy=a""#])
        let url = try await TestClient(provider).begin().url
        #expect(url.hasPrefix("https://id.example.com/authorize?policy=a&client_id=client-1&"))
    }

    @Test("continues an attempt that was stored as JSON")
    func keptAttempt() async throws {
        let test = try TestClient()
        let (url, attempt) = try await test.begin()
        let kept = try JSONDecoder().decode(ProviderAttempt.self, from: JSONEncoder().encode(attempt))
        #expect(kept == attempt)
        #expect(try await test.finish(test.provider.authorize(url), of: kept).subject == "person-1")
    }

    @Test("reads the token's claims about the person, and leaves out characters that could disturb a page")
    func person() async throws {
        let test = try TestClient()
        test.provider.change {
            $0.claims = [
                "email": #""jo@example.com""#, "email_verified": "true", "name": #""Jo Appleseed""#,
                "given_name": #""Jo""#, "family_name": "\"Apple\u{202E}seed\"", "amr": #"["pwd","otp"]"#,
                "acr": #""2""#, "auth_time": "1699999000",
            ]
        }
        let identity = try await test.signIn()
        #expect(identity.email == "jo@example.com")
        #expect(identity.isEmailVerified)
        #expect(identity.name == "Jo Appleseed")
        #expect(identity.givenName == "Jo")
        #expect(identity.familyName == nil)
        #expect(identity.authenticationMethods == ["pwd", "otp"])
        #expect(identity.authenticationContext == "2")
        #expect(identity.authenticatedAt == Date(timeIntervalSince1970: 1_699_999_000))
    }

    @Test("asks for a recent authentication, and refuses a token that doesn't prove one")
    func recent() async throws {
        let test = try TestClient()
        let request = ProviderRequest(redirectURI: TestClient.redirectURI, prompt: [.login], maximumAge: .seconds(300))
        let sent = fields(try await test.begin(request).url.split(separator: "?")[1])
        #expect(sent["prompt"] == "login")
        #expect(sent["max_age"] == "300")
        for (time, code) in [
            ("\(TestClock.start - 360)", nil),
            ("\(TestClock.start - 361)", OpenIDConnectError.Code.authenticationTooOld),
            (nil, .authenticationTooOld), ("\(TestClock.start + 61)", .issuedInFuture),
        ] as [(String?, OpenIDConnectError.Code?)] {
            test.provider.change { $0.claims = ["auth_time": time] }
            #expect(try await failure { try await test.signIn(request) } == code)
        }
    }

    @Test("asks for a way of authentication, and refuses a token that names another or none")
    func context() async throws {
        let test = try TestClient()
        let request = ProviderRequest(redirectURI: TestClient.redirectURI, authenticationContexts: ["phr", "mfa"])
        #expect(fields(try await test.begin(request).url.split(separator: "?")[1])["acr_values"] == "phr mfa")
        for (context, code) in [
            (#""mfa""#, nil), (#""pwd""#, OpenIDConnectError.Code.authenticationContextMismatch),
            (nil, .authenticationContextMismatch),
        ] as [(String?, OpenIDConnectError.Code?)] {
            test.provider.change { $0.claims = ["acr": context] }
            #expect(try await failure { try await test.signIn(request) } == code)
        }
    }

    @Test(
        "refuses a redirect URI that no provider should return to",
        arguments: ["", "http://app.example.com/callback", "https://app.example.com/callback#there", "app:/callback"])
    func redirectURI(uri: String) async throws {
        let test = try TestClient()
        #expect(try await failure { try await test.begin(ProviderRequest(redirectURI: uri)) } == .invalidRequest)
        #expect(test.network.requests.isEmpty)
    }
}
