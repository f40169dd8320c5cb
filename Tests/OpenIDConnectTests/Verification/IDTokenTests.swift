import OpenIDConnect
import TaskSignals
import Testing

@Suite("An identity token of a provider")
struct IDTokenTests {
    @Test(
        "is refused, with the code that says why",
        arguments: [
            (["iss": #""https://id.example.com/""#], OpenIDConnectError.Code.issuerMismatch),
            (["iss": #""https://evil.example.com""#], .issuerMismatch), (["iss": nil], .malformedClaim),
            (["iss": #"["https://id.example.com"]"#], .malformedClaim),
            (["aud": #""client-2""#], .audienceMismatch), (["aud": nil], .malformedClaim),
            (["aud": "[]"], .malformedClaim),
            (["aud": #"["client-1","client-2"]"#, "azp": #""client-1""#], .audienceMismatch),
            (["aud": #"["client-1","app-1"]"#], .audienceMismatch), (["azp": #""client-2""#], .audienceMismatch),
            (["sub": nil], .malformedClaim), (["sub": #""""#], .malformedClaim), (["sub": "1"], .malformedClaim),
            (["sub": "\"\(String(repeating: "a", count: 256))\""], .malformedClaim),
            (["exp": nil], .malformedClaim), (["exp": #""1700000600""#], .malformedClaim),
            (["exp": "1e300"], .malformedClaim), (["exp": "-1"], .malformedClaim), (["exp": "1.5"], .tokenExpired),
            (["exp": "\(TestClock.start - 60).9"], .tokenExpired),
            (["exp": "\(TestClock.start - 60)"], .tokenExpired), (["iat": nil], .malformedClaim),
            (["iat": "\(TestClock.start + 61)"], .issuedInFuture),
            (["nbf": "\(TestClock.start + 61)"], .issuedInFuture),
            (["nonce": nil], .nonceMissing), (["nonce": #""nonce-2""#], .nonceMismatch),
            (["nonce": "1"], .malformedClaim),
            (["events": "{}"], .malformedClaim), (["auth_time": #""now""#], .malformedClaim),
            (["amr": "7"], .malformedClaim), (["amr": #"["pwd",7]"#], .malformedClaim),
        ] as [([String: String?], OpenIDConnectError.Code)])
    func refused(changes: [String: String?], code: OpenIDConnectError.Code) async throws {
        let test = try TestClient()
        #expect(try await failure { try await test.verify(test.provider.token(changes)) } == code)
    }

    @Test(
        "is accepted at the edge of each limit",
        arguments: [
            ["exp": "\(TestClock.start - 59)"], ["iat": "\(TestClock.start + 60)"], ["nbf": "\(TestClock.start + 60)"],
            ["sub": "\"\(String(repeating: "a", count: 255))\""], ["aud": #""app-1""#], ["aud": #"["client-1"]"#],
            ["aud": #"["client-1","app-1"]"#, "azp": #""app-1""#], ["azp": #""app-1""#], ["sid": "1"],
            // RFC 7519 §2: a time can have a fraction.
            [
                "exp": "\(TestClock.start - 59).5", "iat": "\(TestClock.start + 60).5", "nbf": "\(TestClock.start).25",
                "auth_time": "\(TestClock.start - 1).75",
            ],
            // Microsoft's and Google's names, which other providers use for claims of their own.
            ["tid": "42", "hd": #"["example.com"]"#], ["tid": #""""#, "hd": "null"],
        ] as [[String: String?]])
    func taken(changes: [String: String?]) async throws {
        let test = try TestClient()
        #expect(try await failure { try await test.verify(test.provider.token(changes)) } == nil)
    }

    // Keycloak writes the empty list where it knows no method.
    @Test(
        "names the methods of authentication, and none if its list is empty or absent",
        arguments: [(#"["pwd","otp"]"#, ["pwd", "otp"]), (#""pwd""#, ["pwd"]), ("[]", []), (nil, [])]
            as [(String?, [String])])
    func methods(claim: String?, methods: [String]) async throws {
        let test = try TestClient()
        let identity = try await test.verify(test.provider.token(["amr": claim]))
        #expect(identity.authenticationMethods == methods)
    }

    @Test("of a website's sign-in is refused if its audience is one of our apps")
    func website() async throws {
        let test = try TestClient()
        test.provider.change { $0.claims = ["aud": #""app-1""#] }
        #expect(try await failure { try await test.signIn() } == .audienceMismatch)
    }

    @Test("must have the hash of an app's nonce, and a server's nonce unchanged")
    func nonces() async throws {
        let test = try TestClient()
        let plain = try test.provider.token()
        #expect(try await failure { try await test.verify(plain, nonce: .hashed(ofRaw: "nonce-1")) } == .nonceMismatch)
        let hashed = try test.provider.token(["nonce": "\"\(sha256Hex("nonce-1"))\""])
        #expect(try await failure { try await test.verify(hashed, nonce: .hashed(ofRaw: "nonce-1")) } == nil)
        #expect(try await failure { try await test.verify(hashed, nonce: .issued("nonce-1")) } == .nonceMismatch)
        for nonce in [ProviderNonce.issued(""), .hashed(ofRaw: "")] {
            #expect(try await failure { try await test.verify(plain, nonce: nonce) } == .nonceMismatch)
        }
    }

    @Test("must match the code beside it, with each algorithm's own hash", arguments: TestKey.algorithms)
    func codeHash(algorithm: String) async throws {
        let test = try TestClient(TestProvider(keys: [TestKey(algorithm)]))
        let token = try test.provider.token(["c_hash": "\"\(halfHash("code", algorithm: algorithm))\""])
        #expect(try await failure { try await test.verify(token, code: "code") } == nil)
        #expect(try await failure { try await test.verify(token, code: "other") } == .codeHashMismatch)
        #expect(try await failure { try await test.verify(test.provider.token(), code: "code") } == .codeHashMissing)
    }

    @Test("of a sign-in must match the access token and the code beside it, if it has their hashes")
    func hashes() async throws {
        let test = try TestClient()
        for (claims, code) in [
            (["at_hash": nil, "c_hash": nil], nil),
            (
                ["at_hash": "\"\(halfHash("other", algorithm: "ES256"))\""],
                OpenIDConnectError.Code.accessTokenHashMismatch
            ),
            (["c_hash": "\"\(halfHash("other", algorithm: "ES256"))\""], .codeHashMismatch),
            (["at_hash": #""""#], .malformedClaim),
        ] as [([String: String?], OpenIDConnectError.Code?)] {
            test.provider.change { $0.claims = claims }
            #expect(try await failure { try await test.signIn() } == code)
        }
    }

    @Test("is refused when it is older than the caller accepts, whatever its expiry says")
    func age() async throws {
        let test = try TestClient()
        for (age, code) in [(660, nil), (661, .tokenTooOld)] as [(Int, OpenIDConnectError.Code?)] {
            let token = try test.provider.token([
                "iat": "\(TestClock.start - age)", "exp": "\(TestClock.start + 86_400)",
            ])
            #expect(
                try await failure {
                    try await test.client.verify(token, nonce: .issued("nonce-1"), maximumAge: .seconds(600))
                } == code)
        }
    }

    @Test("may be as old as it is if the caller accepts any age")
    func anyAge() async throws {
        let test = try TestClient()
        let token = try test.provider.token(["auth_time": "\(TestClock.start - 86_400)"])
        let ageless = Duration.seconds(Int64.max)
        #expect(
            try await failure {
                try await test.client.verify(
                    token, nonce: .issued("nonce-1"), maximumAge: ageless, authenticatedWithin: ageless)
            } == nil)
    }

    @Test("must have the form of a token, and the header of an identity token")
    func form() async throws {
        let test = try TestClient()
        let key = test.provider.state.withLock { $0.keys[0] }
        let payload = test.provider.payload()
        for (header, code) in [
            (#"{"alg":"ES256","kid":"key-1","crit":["b64"],"b64":false}"#, OpenIDConnectError.Code.malformedToken),
            (#"{"alg":"ES256","kid":"key-1","b64":true}"#, .malformedToken),
            (#"{"alg":"ES256","kid":1}"#, .malformedToken),
            (#"{"alg":"ES256","kid":""}"#, .malformedToken),
            (#"{"alg":"ES256","kid":"key-1","typ":"at+jwt"}"#, .malformedToken),
            (#"{"alg":"ES256","kid":"key-1","typ":"logout+jwt"}"#, .malformedToken),
            (#"{"alg":"ES256","alg":"none","kid":"key-1"}"#, .malformedToken), (#"["ES256"]"#, .malformedToken),
            (#"{"alg":"ES384","kid":"key-1"}"#, .unsupportedAlgorithm), (#"{"kid":"key-1"}"#, .unsupportedAlgorithm),
            (#"{"alg":"es256","kid":"key-1"}"#, .unsupportedAlgorithm),
            (#"{"alg":"ES256","kid":"key-1","jku":"https://evil.example.com/keys"}"#, nil),
        ] as [(String, OpenIDConnectError.Code?)] {
            let token = try key.token(header: header, payload: payload)
            #expect(try await failure { try await test.verify(token) } == code, "\(header)")
        }
        let token = try key.token(payload)
        for malformed in ["", "a.b", token + ".", token + "=", " " + token, String(token.dropLast(4))] {
            let code = try await failure { try await test.verify(malformed) }
            #expect(code == .malformedToken || code == .signatureInvalid, "\(malformed)")
        }
        #expect(
            try await failure { try await test.verify(token + String(repeating: "a", count: 16_384)) } == .tokenTooLarge
        )
        #expect(
            try await failure { try await test.verify(key.token(#"{"iss":"a","iss":"b"}"#)) } == .malformedToken)
    }

    @Test(
        "counts an address as verified only if it says so",
        arguments: [
            ("true", true), (#""true""#, true), ("false", false), (#""false""#, false), (nil, false), ("[]", false),
        ] as [(String?, Bool)])
    func verifiedAddress(claim: String?, isVerified: Bool) async throws {
        let test = try TestClient()
        let token = try test.provider.token(["email": #""jo@example.com""#, "email_verified": claim])
        #expect(try await test.verify(token).isEmailVerified == isVerified)
        let none = try test.provider.token(["email_verified": claim])
        #expect(try await !test.verify(none).isEmailVerified)
    }
}
