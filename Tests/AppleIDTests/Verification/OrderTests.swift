import Foundation
import Testing

@testable import AppleID

@Suite("Order of a verification")
struct OrderTests {
    private static let header = #"{"alg":"RS256","kid":"TESTKEY001"}"#

    @Test(
        "The signature is checked before the payload is read, however broken the payload is",
        arguments: ["", "[]", "{", #"{"iss":"a","iss":"b"}"#, #"{"a":"\u0000"}"#, #"{"exp":"never"}"#, "{}"])
    func signatureFirst(payload: String) async throws {
        let forged = try TestSigner.other.token(header: Self.header, payload: payload)
        #expect(try await failure(of: forged) == .signatureInvalid)
        // The order hides an error: the same payload under the right key is refused for itself.
        let signed = try await failure(of: TestSigner.shared.token(header: Self.header, payload: payload))
        #expect(signed == .malformedToken || signed == .malformedClaim)
    }

    @Test(
        "An encrypted token is refused, compressed (zip) or not",
        arguments: [
            #"{"alg":"RSA-OAEP-256","enc":"A256GCM","kid":"TESTKEY001"}"#,
            #"{"alg":"RSA-OAEP-256","enc":"A256GCM","zip":"DEF","kid":"TESTKEY001"}"#,
        ])
    func encrypted(header: String) async throws {
        let text = TestSigner.base64URL(Data(header.utf8))
        #expect(try await failure(of: text + ".a2V5.aXY.Y2lwaGVy.dGFn") == .malformedToken)
        // The same header before a signed payload demands an algorithm that is not ours.
        let signed = try TestSigner.shared.token(header: header, payload: TestClaims.identity().json)
        #expect(try await failure(of: signed) == .unsupportedAlgorithm)
    }
}
