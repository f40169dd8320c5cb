import AppleIDTypes
import Foundation
import Testing

@Suite("Error response")
struct ErrorResponseTests {
    @Test("A response is encoded with Apple's member names, and without an absent description")
    func encoding() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let plain = try encoder.encode(ErrorResponse(.invalidGrant))
        #expect(String(decoding: plain, as: UTF8.self) == #"{"error":"invalid_grant"}"#)
        let described = try encoder.encode(ErrorResponse(.invalidClient, description: "why"))
        #expect(String(decoding: described, as: UTF8.self) == #"{"error":"invalid_client","error_description":"why"}"#)
    }

    @Test("Unknown members are ignored when a response is decoded")
    func decoding() throws {
        let text = #"{"error":"invalid_client","email_verified":false}"#
        #expect(try JSONDecoder().decode(ErrorResponse.self, from: Data(text.utf8)) == ErrorResponse(.invalidClient))
    }
}
