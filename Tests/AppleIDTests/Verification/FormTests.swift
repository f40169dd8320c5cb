import AppleIDTypes
import Foundation
import Testing

@testable import AppleID

@Suite("Form and header of a token")
struct FormTests {
    let payload = TestClaims.identity().json

    @Test("A token of the test key verifies, and names its signing input")
    func valid() async throws {
        let identity = try await verify(TestSigner.shared.token(payload))
        #expect(identity.subject == "001234.abc.5678")
    }

    @Test(
        "A text that isn't three parts of base64url is malformed",
        arguments: ["", ".", "..", "...", "a", "a.b", "a.b.c.d", "é.é.é", "{}", "eyJ9.e30.", "🍎"])
    func parts(token: String) async throws {
        #expect(try await failure(of: token) == .malformedToken)
    }

    @Test("The size limit is exact to the byte")
    func size() async throws {
        let signature = String(repeating: "A", count: 342)
        let room = SizeRule.maximumBytes - signature.utf8.count - 2
        let header = String(repeating: "A", count: room)
        #expect(try await failure(of: header + ".." + signature) == .malformedToken)
        #expect(try await failure(of: header + "A.." + signature) == .tokenTooLarge)
        #expect(try await failure(of: String(repeating: ".", count: 10_000_000)) == .tokenTooLarge)
    }

    @Test(
        "Any algorithm but RS256, spelt exactly so, is unsupported",
        arguments: [
            #""none""#, #""None""#, #""HS256""#, #""RS512""#, #""PS256""#, #""ES256""#, #""rs256""#, #""RS256 ""#,
            #""""#, "null", "256",
            #"["RS256"]"#,
        ])
    func algorithm(text: String) async throws {
        let header = #"{"kid":"\#(TestSigner.shared.keyID)","alg":\#(text)}"#
        #expect(
            try await failure(of: TestSigner.shared.token(header: header, payload: payload)) == .unsupportedAlgorithm)
    }

    @Test("An unsigned token is refused for its algorithm, not for its missing signature")
    func unsigned() async throws {
        let parts = try TestSigner.shared.token(header: #"{"alg":"none"}"#, payload: payload).split(separator: ".")
        #expect(try await failure(of: "\(parts[0]).\(parts[1]).") == .unsupportedAlgorithm)
    }

    @Test(
        "A header that isn't a strict object, names no key, or demands extensions is malformed",
        arguments: [
            #"{"alg":"RS256"}"#, #"{"alg":"RS256","kid":""}"#, #"{"alg":"RS256","kid":5}"#,
            #"{"alg":"RS256","kid":null}"#,
            #"{"alg":"RS256","alg":"RS256","kid":"K"}"#, #"{"alg":"RS256","kid":"K","kid":"TESTKEY001"}"#, #"[]"#,
            #""RS256""#, "",
            "null", #"{"alg":"RS256","kid":"K"} x"#, #"{"alg":"RS256","kid":"K""#,
            #"{"alg":"RS256","kid":"TESTKEY001","crit":["exp"]}"#, #"{"alg":"RS256","kid":"TESTKEY001","crit":[]}"#,
            #"{"alg":"RS256","kid":"TESTKEY001","b64":false}"#, #"{"alg":"RS256","kid":"TESTKEY001","b64":true}"#,
        ])
    func header(text: String) async throws {
        #expect(try await failure(of: TestSigner.shared.token(header: text, payload: payload)) == .malformedToken)
    }

    @Test("A key name of more than 255 bytes is malformed and not looked up")
    func longKeyName() async throws {
        let header = #"{"alg":"RS256","kid":"\#(String(repeating: "K", count: 256))"}"#
        #expect(try await failure(of: TestSigner.shared.token(header: header, payload: payload)) == .malformedToken)
    }

    @Test("Unknown header members are ignored")
    func otherMembers() async throws {
        let header = #"{"typ":"JWT","alg":"RS256","kid":"TESTKEY001","x5u":"https://example.com","jwk":{"kty":"RSA"}}"#
        #expect(try await failure(of: TestSigner.shared.token(header: header, payload: payload)) == nil)
    }

    @Test("There is no default key: an unknown name is unknown even if the set has one key")
    func unknownKey() async throws {
        let header = #"{"alg":"RS256","kid":"testkey001"}"#
        #expect(try await failure(of: TestSigner.shared.token(header: header, payload: payload)) == .unknownKey)
    }

    @Test("A signature of another key under the right name is invalid")
    func otherKey() async throws {
        let header = #"{"alg":"RS256","kid":"TESTKEY001"}"#
        #expect(try await failure(of: TestSigner.other.token(header: header, payload: payload)) == .signatureInvalid)
    }

    @Test(
        "A payload that isn't a strict object is malformed, even if it is signed",
        arguments: [
            "", "[]", "null", "5", #"{"iss":"https://appleid.apple.com","iss":"https://appleid.apple.com"}"#,
            #"{"a":{"b":1,"b":2}}"#,
            #"{"a":1"#, #"{"a":"\u0000"}"#, #"{"a":"\ud800"}"#, "{\"a\":\"\u{1}\"}",
        ])
    func payload(text: String) async throws {
        #expect(try await failure(of: TestSigner.shared.token(text)) == .malformedToken)
    }

    @Test("A payload nested too deeply is malformed")
    func depth() async throws {
        let deep = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)
        #expect(try await failure(of: TestSigner.shared.token("{\"a\":\(deep)}")) == .malformedToken)
    }

    @Test("Equal signing inputs have equal digests, and different ones have different digests")
    func digest() async throws {
        let first = try await verify(TestSigner.shared.token(payload)).signingInputDigest
        let again = try await verify(TestSigner.shared.token(payload)).signingInputDigest
        let other = try await verify(TestSigner.shared.token(TestClaims.identity(["sub": "\"x\""]))).signingInputDigest
        #expect(first == again)
        #expect(first != other)
    }
}
