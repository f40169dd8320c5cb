import AppleIDTransport
import Crypto
import Foundation
import HTTPTypes
import OpenIDConnect
import Testing

@Suite("An attacker")
struct AttackTests {
    // MARK: Tokens

    @Test(
        "gains nothing by a token without a signature, whatever the document announces",
        arguments: ["none", "None", "NONE", ""])
    func noneAlgorithm(algorithm: String) async throws {
        let provider = TestProvider()
        provider.document(["id_token_signing_alg_values_supported": "[\"ES256\",\"\(algorithm)\"]"])
        let test = try TestClient(provider)
        let header = base64URL(Data(#"{"alg":"\#(algorithm)","kid":"key-1"}"#.utf8))
        let token = header + "." + base64URL(Data(provider.payload().utf8)) + "."
        #expect(try await failure { try await test.verify(token) } == .unsupportedAlgorithm)
        provider.change {
            $0.answers["/token"] = .json(
                #"{"access_token":"a","token_type":"Bearer","id_token":"\#(token)"}"#)
        }
        #expect(try await failure { try await test.signIn() } == .unsupportedAlgorithm)
    }

    @Test("gains nothing by a token signed with the client secret or a public key, even if HS256 is announced")
    func sharedSecret() async throws {
        let provider = TestProvider(keys: [TestKey("RS256")])
        provider.document(["id_token_signing_alg_values_supported": #"["RS256","HS256"]"#])
        let test = try TestClient(provider)
        let publicKey = try JSONSerialization.data(withJSONObject: TestKey("RS256").publicKey())
        for secret in [Data("s3cret:%/ value".utf8), publicKey] {
            let input =
                base64URL(Data(#"{"alg":"HS256","kid":"key-1"}"#.utf8)) + "."
                + base64URL(Data(provider.payload().utf8))
            let mac = HMAC<SHA256>.authenticationCode(for: Data(input.utf8), using: SymmetricKey(data: secret))
            let token = input + "." + base64URL(Array(mac))
            #expect(try await failure { try await test.verify(token) } == .unsupportedAlgorithm)
            // A set that publishes the secret as a key has no usable key of that name.
            provider.change {
                $0.publicKeys = [["kty": "oct", "kid": "key-1", "alg": "HS256", "k": base64URL(secret)]]
            }
            #expect(try await failure { try await TestClient(provider).verify(token) } == .unsupportedAlgorithm)
            #expect(try await failure { try await TestClient(provider).begin() } == .malformedAnswer)
            provider.change { $0.publicKeys = nil }
        }
    }

    @Test("gains nothing by a token that brings its own key")
    func ownKey() async throws {
        let test = try TestClient()
        let own = TestKey("ES256", id: "key-1")
        let jwk = String(decoding: try JSONSerialization.data(withJSONObject: own.publicKey()), as: UTF8.self)
        let token = try own.token(
            header: #"{"alg":"ES256","kid":"key-1","jwk":\#(jwk),"jku":"https://evil.example.com/keys"}"#,
            payload: test.provider.payload())
        #expect(try await failure { try await test.verify(token) } == .signatureInvalid)
        #expect(test.network.requests.allSatisfy { $0.url.hasPrefix("https://id.example.com/") })
    }

    @Test("gains nothing by changing a payload, a header or a signature")
    func changedParts() async throws {
        let test = try TestClient()
        let parts = try test.provider.token().split(separator: ".").map(String.init)
        let payload = base64URL(Data(test.provider.payload(["sub": #""person-2""#]).utf8))
        #expect(
            try await failure { try await test.verify([parts[0], payload, parts[2]].joined(separator: ".")) }
                == .signatureInvalid)
        let header = base64URL(Data(#"{"alg":"ES256"}"#.utf8))
        #expect(
            try await failure { try await test.verify([header, parts[1], parts[2]].joined(separator: ".")) }
                == .signatureInvalid)
        for signature in ["", base64URL(Data(count: 64)), base64URL(Data(count: 63))] {
            #expect(
                try await failure { try await test.verify([parts[0], parts[1], signature].joined(separator: ".")) }
                    == .signatureInvalid)
        }
    }

    @Test("can't pass one provider's token off as another's, even with the same subject")
    func otherProvider() async throws {
        let one = TestProvider()
        let two = TestProvider("https://other.example.com", keys: [TestKey("ES256")])
        let network = TestNetwork(one, two)
        let first = try TestClient(one, network: network, id: "one")
        let second = try TestClient(two, network: network, id: "two")
        #expect(try await failure { try await first.verify(two.token()) } == .signatureInvalid)
        #expect(
            try await failure { try await first.verify(two.token(["iss": #""https://id.example.com""#])) }
                == .signatureInvalid)
        let (mine, theirs) = (try await first.verify(one.token()), try await second.verify(two.token()))
        #expect(mine.subject == theirs.subject)
        #expect(mine.issuer != theirs.issuer)
        #expect(mine.provider != theirs.provider)
    }

    // MARK: Mix-up (RFC 9700 §4.4)

    @Test(
        "that runs a provider doesn't get another provider's code by sending the browser there",
        arguments: [true, false])
    func mixUp(namesIssuer: Bool) async throws {
        let honest = TestProvider()
        let evil = TestProvider("https://evil.example.com")
        if !namesIssuer {
            for provider in [honest, evil] {
                provider.document(["authorization_response_iss_parameter_supported": nil])
            }
        }
        let network = TestNetwork(honest, evil)
        let victim = try TestClient(evil, network: network, id: "evil")
        let evilURI = "https://app.example.com/sign-in/evil/callback"
        let (url, attempt) = try await victim.begin(ProviderRequest(redirectURI: evilURI))
        // The evil provider sends the browser on to the honest one, with the attempt's own state. The honest provider
        // knows the honest redirect URI alone, so that is where the browser comes back.
        var callback = try honest.authorize(url)
        if !namesIssuer { callback.removeAll { $0.name == "iss" } }
        #expect(
            try await failure { try await victim.finish(callback, of: attempt, at: TestClient.redirectURI) }
                == .providerMixUp)
        // Were the redirect URI one for all, the issuer would tell.
        if namesIssuer {
            #expect(
                try await failure { try await victim.finish(callback, of: attempt, at: evilURI) } == .providerMixUp)
        }
        // Nor does the honest provider's client take the attempt of the other.
        let honestClient = try TestClient(honest, network: network, id: "honest")
        #expect(
            try await failure { try await honestClient.finish(callback, of: attempt) } == .providerMixUp)
        #expect(network.exchanges.isEmpty)
    }

    @Test("that names another provider's token endpoint in its own document gets no token of that provider")
    func borrowedEndpoint() async throws {
        let honest = TestProvider()
        let evil = TestProvider("https://evil.example.com")
        evil.document(["token_endpoint": #""https://id.example.com/token""#])
        let network = TestNetwork(honest, evil)
        let victim = try TestClient(evil, network: network, id: "evil")
        let (url, attempt) = try await victim.begin()
        var callback = try honest.authorize(url)
        callback.removeAll { $0.name == "iss" }
        callback.append(("iss", evil.issuer))
        // The code is good at the honest provider. Its token is still none of the evil one's, whose keys are asked for.
        let code = try await failure { try await victim.finish(callback, of: attempt) }
        #expect(code == .signatureInvalid || code == .issuerMismatch)
    }

    // MARK: Codes

    @Test("that replays a callback gets no second sign-in, because the code is used up")
    func replay() async throws {
        let test = try TestClient()
        let (url, attempt) = try await test.begin()
        let callback = try test.provider.authorize(url)
        #expect(try await test.finish(callback, of: attempt).subject == "person-1")
        #expect(try await failure { try await test.finish(callback, of: attempt) } == .grantRejected)
        #expect(test.network.exchanges.count == 2)
    }

    @Test("that injects a stolen code into its own attempt lacks the code's verifier")
    func injection() async throws {
        let test = try TestClient()
        let stolen = try await test.provider.authorize(test.begin().url)["code"] ?? ""
        let (url, attempt) = try await test.begin()
        var callback = try test.provider.authorize(url)
        callback.removeAll { $0.name == "code" }
        callback.append(("code", stolen))
        #expect(try await failure { try await test.finish(callback, of: attempt) } == .grantRejected)
    }

    @Test("that injects a code at a provider without PKCE is stopped by the nonce")
    func injectionWithoutPKCE() async throws {
        let test = try TestClient()
        let (url, attempt) = try await test.begin()
        test.provider.change { $0.claims = ["nonce": #""the-nonce-of-the-stolen-code""#] }
        #expect(
            try await failure { try await test.finish(test.provider.authorize(url), of: attempt) } == .nonceMismatch)
    }

    @Test("that brings its own callback to another browser lacks the state of that browser's attempt")
    func forgedCallback() async throws {
        let test = try TestClient()
        let (_, victims) = try await test.begin()
        let (url, _) = try await test.begin()
        #expect(
            try await failure { try await test.finish(test.provider.authorize(url), of: victims) } == .stateMismatch)
        #expect(test.network.exchanges.isEmpty)
    }

    @Test("that redirects the exchange gets no code and no secret", arguments: [301, 302, 303, 307, 308])
    func redirectedExchange(status: Int) async throws {
        let provider = TestProvider()
        let evil = TestProvider("https://evil.example.com")
        let network = TestNetwork(provider, evil)
        var answer = AppleResponse.json("", status: status)
        answer.head.headerFields[.location] = "https://evil.example.com/token"
        provider.change { $0.answers["/token"] = answer }
        let test = try TestClient(provider, network: network)
        #expect(try await failure { try await test.signIn() } == .exchangeOutcomeUnknown)
        #expect(network.requests.allSatisfy { $0.url.hasPrefix("https://id.example.com/") })
    }

    @Test("that answers with more than 64 KB is not read")
    func oversized() async throws {
        let test = try TestClient()
        test.provider.change {
            $0.answers["/token"] = .json("{\"access_token\":\"" + String(repeating: "a", count: 65_536) + "\"}")
        }
        #expect(try await failure { try await test.signIn() } == .exchangeOutcomeUnknown)
        #expect(
            try await failure { try await test.verify(String(repeating: "a", count: 16_385)) } == .tokenTooLarge)
    }

    @Test("that sends many invented callbacks causes no request")
    func flood() async throws {
        let test = try TestClient()
        let (_, attempt) = try await test.begin()
        let before = test.network.requests.count
        for number in 0..<50 {
            let fields = [(name: "code", value: "c\(number)"), (name: "state", value: "s\(number)")]
            #expect(try await failure { try await test.finish(fields, of: attempt) } == .stateMismatch)
        }
        #expect(test.network.requests.count == before)
    }
}
