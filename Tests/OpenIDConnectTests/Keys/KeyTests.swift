import AppleIDTransport
import Foundation
import OpenIDConnect
import Testing

@Suite("A provider's keys")
struct KeyTests {
    @Test("that are new are fetched when a token names one, at most once a minute")
    func rotation() async throws {
        let test = try TestClient()
        _ = try await test.verify(test.provider.token())
        let next = TestKey("ES256", id: "key-2")
        test.provider.change { $0.keys = [next] }
        // The document and the keys are asked for together.
        _ = try await test.verify(next.token(test.provider.payload()))
        #expect(test.network.requests.count == 4)
        for number in 0..<20 {
            let unknown = try TestKey("ES256", id: "invented-\(number)").token(test.provider.payload())
            _ = try await failure { try await test.verify(unknown) }
        }
        #expect(test.network.requests.count == 4)
        test.provider.clock.advance(by: 60)
        let unknown = try TestKey("ES256", id: "invented").token(test.provider.payload())
        #expect(try await failure { try await test.verify(unknown) } == .unknownKey)
        #expect(test.network.requests.count == 6)
    }

    @Test("that were withdrawn are refused after the set is fetched again")
    func withdrawn() async throws {
        let test = try TestClient()
        let old = try test.provider.token()
        _ = try await test.verify(old)
        let next = TestKey("ES256", id: "key-2")
        test.provider.change { $0.keys = [next] }
        _ = try await test.verify(next.token(test.provider.payload()))
        test.provider.clock.advance(by: 60)
        #expect(try await failure { try await test.verify(old) } == .unknownKey)
    }

    @Test("that rotate between the code and its token are fetched again, and the sign-in succeeds")
    func rotationInExchange() async throws {
        let test = try TestClient()
        let (url, attempt) = try await test.begin()
        test.provider.change { $0.keys = [TestKey("ES256", id: "key-2")] }
        #expect(try await test.finish(test.provider.authorize(url), of: attempt).subject == "person-1")
    }

    @Test("that can't be fetched after the code was sent leave its outcome unknown")
    func outage() async throws {
        let test = try TestClient()
        let (url, attempt) = try await test.begin()
        test.provider.change { state in
            state.keys = [TestKey("ES256", id: "key-2")]
            state.answers["/keys"] = .json("", status: 503)
        }
        #expect(
            try await failure { try await test.finish(test.provider.authorize(url), of: attempt) }
                == .exchangeOutcomeUnknown)
    }

    @Test("that can't be fetched before the code is sent leave the code unused")
    func outageBefore() async throws {
        let test = try TestClient()
        let (url, attempt) = try await test.begin()
        let fields = try test.provider.authorize(url)
        test.provider.change { $0.answers["/.well-known/openid-configuration"] = .json("", status: 503) }
        test.provider.clock.advance(by: 90_000)
        #expect(try await failure { try await test.finish(fields, of: attempt) } == .providerUnavailable)
        #expect(test.network.exchanges.isEmpty)
    }

    @Test(
        "are left out if they can't be used here",
        arguments: [
            ["kid": nil], ["kid": ""], ["kty": "oct", "k": "c2VjcmV0"], ["use": "enc"], ["alg": "ES512"],
            ["crv": "P-384"],
            ["d": "c2VjcmV0"], ["x": "AAAA"], ["y": base64URL(Data(repeating: 1, count: 32))],
        ] as [[String: String?]])
    func unusable(changes: [String: String?]) async throws {
        let provider = TestProvider()
        let key = TestKey("ES256")
        let good = TestKey("ES256", id: "good")
        try provider.change { state in
            state.publicKeys = [try key.publicKey(changes), try good.publicKey()]
            state.keys = [key, good]
        }
        let test = try TestClient(provider)
        #expect(try await failure { try await test.verify(key.token(provider.payload())) } == .unknownKey)
        #expect(try await failure { try await test.verify(good.token(provider.payload())) } == nil)
    }

    @Test("are refused as a set if none is usable or two different ones have the same name")
    func ambiguous() async throws {
        let provider = TestProvider()
        let (one, two) = (TestKey("ES256"), TestKey("ES256"))
        for keys in [[], [try one.publicKey(), try two.publicKey()]] {
            provider.change { $0.publicKeys = keys }
            #expect(try await failure { try await TestClient(provider).begin() } == .malformedAnswer)
        }
    }

    @Test("need no name in a token if there is only one for the algorithm")
    func unnamed() async throws {
        let (one, two, rsa) = (TestKey("ES256"), TestKey("ES256", id: "key-2"), TestKey("RS256", id: "key-3"))
        let provider = TestProvider(keys: [one, rsa])
        let test = try TestClient(provider)
        let header = #"{"alg":"ES256"}"#
        let payload = provider.payload()
        #expect(try await failure { try await test.verify(one.token(header: header, payload: payload)) } == nil)
        // A new key in its place is asked for, at most once a minute.
        provider.change { $0.keys = [two, rsa] }
        #expect(try await failure { try await test.verify(two.token(header: header, payload: payload)) } == nil)
        let requests = test.network.requests.count
        #expect(
            try await failure { try await test.verify(one.token(header: header, payload: payload)) }
                == .signatureInvalid)
        #expect(test.network.requests.count == requests)
        provider.change { $0.keys = [one, two] }
        provider.clock.advance(by: 60)
        #expect(
            try await failure { try await test.verify(one.token(header: header, payload: payload)) } == .malformedToken)
    }

    @Test("are used for one algorithm only, if they name it")
    func oneAlgorithm() async throws {
        let provider = TestProvider(keys: [TestKey("RS256")])
        provider.document(["id_token_signing_alg_values_supported": #"["RS256","PS256"]"#])
        let test = try TestClient(provider)
        let token = try TestKey("PS256").token(provider.payload())
        #expect(try await failure { try await test.verify(token) } == .unsupportedAlgorithm)
        try provider.change { $0.publicKeys = [try $0.keys[0].publicKey(["alg": nil])] }
        #expect(try await failure { try await TestClient(provider).verify(token) } == nil)
    }
}
