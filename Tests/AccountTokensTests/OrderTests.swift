import AccountTokens
import Foundation
import Testing

@Suite("The order in which an access token is verified")
struct OrderTests {
    @Test(
        "checks the signature before the payload is read, however broken the payload is",
        arguments: ["", "[]", "{", #"{"iss":"a","iss":"b"}"#, #"{"exp":"never"}"#, "{}"])
    func signatureFirst(payload: String) async throws {
        let environment = try TestEnvironment()
        let verifier = try environment.verifier()
        let header = TestIssuer.object(environment.issuer.header)
        let forged = try TestIssuer().sign(header, payload)
        await #expect(throws: AccessTokenError(.signatureInvalid, "")) { try await verifier.verify(forged) }
        // The order hides an error: the same payload under the right key is refused for itself.
        let signed = try environment.issuer.sign(header, payload)
        let error = await #expect(throws: AccessTokenError.self) { try await verifier.verify(signed) }
        #expect(error?.code == .malformedToken || error?.code == .malformedClaim)
    }
}
