import AppleIDTypes
import Foundation
import Testing

@testable import AppleID

/// The rows of Docs/pitfalls.md that are about what a token says, by their numbers.
@Suite("Pitfalls of tokens")
struct TokenPitfallTests {
    @Test("Q1: discovery is never requested, and its second issuer is accepted by opt-in only")
    func issuer() async throws {
        let setup = try TestClient()
        let token = try TestSigner.shared.token(.identity(["iss": "\"https://account.apple.com\""]))
        let error = await failure { () async throws(AppleIDError) in
            _ = try await setup.client.identityVerifier.verify(
                token, expecting: IdentityExpectation(audiences: [TestClaims.audience], nonce: .noneSent))
        }
        #expect(error?.code == .issuerMismatch)
        let optedIn = IdentityVerifier(
            keys: try KeyCache(fixed: TestSigner.shared.keySetJSON()), issuers: .appleAndAccount,
            environment: TestClock().environment)
        let identity = try await optedIn.verify(
            token, expecting: IdentityExpectation(audiences: [TestClaims.audience], nonce: .noneSent))
        #expect(identity.claims.issuer == "https://account.apple.com")
        #expect(AppleServer.apple.issuer == "https://appleid.apple.com")
        #expect(setup.transport.requests.isEmpty)
    }

    @Test(
        "Q3: a boolean may be the text true or false, and any other value is not true",
        arguments: [
            ("true", true), ("\"true\"", true), ("false", false), ("\"false\"", false), ("\"TRUE\"", false),
            ("1", false), ("\"1\"", false), ("\"yes\"", false), ("null", false), ("{}", false), ("[true]", false),
        ])
    func booleans(text: String, isTrue: Bool) async throws {
        let identity = try await verify(
            TestSigner.shared.token(
                .identity(["email": "\"a@x.com\"", "email_verified": text, "is_private_email": text])))
        #expect(identity.isEmailVerified == isTrue)
        #expect(identity.isPrivateEmail == isTrue)
    }

    @Test("Q4: an address without is_private_email is not private, and that is no error")
    func absentPrivate() async throws {
        let identity = try await verify(TestSigner.shared.token(.identity(["email": "\"a@x.com\""])))
        #expect(!identity.isPrivateEmail)
        #expect(identity.claims.isPrivateEmail == nil)
    }

    @Test(
        "Q5: the nonce is the one issued or its lowercase hexadecimal SHA-256, in no other spelling",
        arguments: [
            ("abc", true), ("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", true),
            ("BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD", false),
            ("ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=", false),
            ("ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0", false),
            ("ABC", false), ("abc ", false), ("", false),
        ])
    func nonce(claim: String, isGood: Bool) async throws {
        let code = try await failure(.identity(["nonce": "\"\(claim)\""]), nonce: .issued("abc"))
        #expect(code == (isGood ? nil : .nonceMismatch))
    }

    @Test(
        "Q6: a token without the issued nonce is refused, unless its platform has none and the caller allows that",
        arguments: [(nil, .nonceMissing), ("true", .nonceMissing), ("\"true\"", .nonceMissing), ("false", nil)]
            as [(String?, AppleIDError.Code?)])
    func absentNonce(supported: String?, code: AppleIDError.Code?) async throws {
        for expectation in [.issued("abc"), .hashed(ofRaw: "abc")] as [NonceExpectation] {
            let claims = TestClaims.identity(["nonce_supported": supported])
            #expect(try await failure(claims, nonce: expectation) == .nonceMissing)
            #expect(try await failure(claims, nonce: expectation, acceptsUnsupportedNonce: true) == code)
        }
    }

    @Test("Q15: several audiences may be expected, and the result has the one that matched")
    func audiences() async throws {
        let audiences: Set<ClientID> = ["com.example.juice", "com.example.juice.web"]
        for audience in audiences {
            let token = try TestSigner.shared.token(.identity(["aud": "\"\(audience)\""]))
            #expect(try await verify(token, audiences: audiences).audience == audience)
            #expect(try await failure(of: token, audiences: audiences.subtracting([audience])) == .audienceMismatch)
        }
    }

    @Test("Q19: the token's key name selects the key, wherever it stands in the set")
    func key() async throws {
        let tokens = [try TestSigner.shared.token(.identity()), try TestSigner.other.token(.identity())]
        let numbers = [try TestSigner.shared.publicKey(), try TestSigner.other.publicKey()]
        for keys in [numbers, numbers.reversed()] {
            let cache = try KeyCache(fixed: TestSigner.keySetJSON(keys))
            for token in tokens {
                let verifier = IdentityVerifier(keys: cache, environment: TestClock().environment)
                _ = try await verifier.verify(
                    token, expecting: IdentityExpectation(audiences: [TestClaims.audience], nonce: .noneSent))
            }
        }
        let nameless = try TestSigner.shared.token(header: #"{"alg":"RS256"}"#, payload: TestClaims.identity().json)
        #expect(try await failure(of: nameless) == .malformedToken)
    }

    @Test(
        "Q22: only RS256 is accepted, whatever the header says",
        arguments: ["none", "NONE", "HS256", "RS384", "PS256", "ES256", "rs256", ""])
    func algorithm(name: String) async throws {
        let token = try TestSigner.shared.token(
            header: #"{"kid":"TESTKEY001","alg":"\#(name)"}"#, payload: TestClaims.identity().json)
        #expect(try await failure(of: token) == .unsupportedAlgorithm)
    }

    @Test("Q23: a token without an expected audience, or with an empty or another one, is refused")
    func audienceIsMandatory() async throws {
        #expect(try await failure(.identity(), audiences: []) == .audienceMismatch)
        #expect(try await failure(.identity(["aud": "\"\""]), audiences: [""]) == .audienceMismatch)
        #expect(try await failure(.identity(["aud": nil])) == .malformedClaim)
        #expect(try await failure(.identity(["aud": "[]"])) == .audienceMismatch)
        #expect(try await failure(.identity(["aud": "\"com.example.juice.evil\""])) == .audienceMismatch)
    }

    @Test(
        "Q24: two clocks may differ by up to sixty seconds, either way",
        arguments: [(-60, nil), (-61, .issuedInFuture), (86_459, nil), (86_460, .tokenExpired)]
            as [(Double, AppleIDError.Code?)])
    func clocks(offset: Double, code: AppleIDError.Code?) async throws {
        #expect(try await failure(.identity(), at: offset) == code)
    }

    @Test("Q25: an address that stands beside the token, and not in it, is ignored")
    func claimedAddress() async throws {
        let response = try AuthorizationResponse(form: [
            ("user", #"{"name":{},"email":"victim@example.com"}"#),
            ("id_token", try TestSigner.shared.token(.identity())),
        ])
        let identity = try await verify(try #require(response.identityToken))
        #expect(identity.email == nil)
        #expect(!identity.isEmailVerified)
    }

    @Test("Q27: an address counts as verified only if Apple says so", arguments: [nil, "false", "\"false\"", "0"])
    func unverified(claim: String?) async throws {
        let token = try TestSigner.shared.token(
            .identity(["email": "\"a@school.example\"", "email_verified": claim, "org_id": "\"o\""]))
        #expect(try await !verify(token).isEmailVerified)
    }

    @Test(
        "Q41: the claim decides whether an address is a relay address, and its domain doesn't",
        arguments: ["privaterelay.appleid.com", "private.icloud.com", "icloud.com", "example.com"])
    func relay(domain: String) async throws {
        for isPrivate in [true, false] {
            let token = try TestSigner.shared.token(
                .identity(["email": "\"a1b2@\(domain)\"", "is_private_email": "\(isPrivate)"]))
            #expect(try await verify(token).isPrivateEmail == isPrivate)
        }
    }

    @Test("Q45: a token of another attempt is refused by its nonce, and with a replay memory a token is used once")
    func replay() async throws {
        let token = try TestSigner.shared.token(.identity(["nonce": "\"victim's\""]))
        #expect(try await failure(of: token, nonce: .issued("attacker's")) == .nonceMismatch)
        let clock = TestClock()
        let verifier = IdentityVerifier(
            keys: try KeyCache(fixed: TestSigner.shared.keySetJSON()), environment: clock.environment)
        let memory = InMemoryReplayMemory(environment: clock.environment)
        let codes = await [0, 1].asyncCodes { () async throws(AppleIDError) in
            _ = try await verifier.verify(
                token,
                expecting: IdentityExpectation(audiences: [TestClaims.audience], nonce: .issued("victim's")),
                replay: memory)
        }
        #expect(codes == [nil, .tokenReplayed])
    }
}

extension [Int] {
    /// The code of each try, in order.
    fileprivate func asyncCodes(_ body: () async throws(AppleIDError) -> Void) async -> [AppleIDError.Code?] {
        var codes: [AppleIDError.Code?] = []
        for _ in self { codes.append(await failure(of: body)?.code) }
        return codes
    }
}
