import AppleIDTypes
import Foundation
import Testing

@testable import AppleID

@Suite("Revocation")
struct RevocationTests {
    let setup: TestClient
    var client: AppleIDClient { setup.client }

    init() throws {
        setup = try TestClient()
    }

    @Test("The field is called token, with a hint that says what it is")
    func form() async throws {
        setup.transport.answer(.status(200))
        try await client.revoke(RefreshToken("r&t"), client: "com.example.juice")
        try await client.revoke(AccessToken("a t"), client: "com.example.juice.web")
        #expect(Set(setup.transport.requests.map(\.url)) == ["https://appleid.apple.com/auth/revoke"])
        for (index, ends) in [
            ["token=r%26t", "token_type_hint=refresh_token"], ["token=a%20t", "token_type_hint=access_token"],
        ].enumerated() {
            let fields = setup.fields(index)
            #expect(fields.suffix(2) == ends[...])
            #expect(fields.prefix(2).map { $0.prefix { $0 != "=" } } == ["client_id", "client_secret"])
        }
    }

    @Test("A status of 200 counts as accepted, whatever the body says", arguments: ["", "{}", "<html></html>"])
    func accepted(body: String) async throws {
        setup.transport.answer(.status(200, body))
        let accepted = try await client.revoke(RefreshToken("r"), client: "com.example.juice")
        #expect(accepted.client == "com.example.juice")
        #expect(accepted.tokenType == "refresh_token")
        #expect(accepted.acceptedAt == setup.clock.now)
    }

    @Test(
        "The error for a refused revocation tells a dead token, a wrong client and a failure at Apple apart",
        arguments: [
            (400, "invalid_grant", .grantRejected), (400, "invalid_client", .clientRejected),
            (400, "invalid_request", .clientRejected), (400, "other", .malformedAnswer),
            (429, "invalid_grant", .appleUnavailable), (204, "", .appleUnavailable), (302, "", .appleUnavailable),
        ] as [(Int, String, AppleIDError.Code)])
    func refusal(status: Int, word: String, code: AppleIDError.Code) async {
        setup.transport.answer(.status(status, word.isEmpty ? "" : #"{"error":"\#(word)"}"#))
        let error = await failure { () async throws(AppleIDError) in
            try await client.revoke(RefreshToken("private"), client: "com.example.juice")
        }
        #expect(error?.code == code)
        #expect(error.map { !String(reflecting: $0).contains("private") } == true)
    }

    @Test("An unknown client and an empty token are refused before a request")
    func local() async {
        await #expect(throws: AppleIDError(.unknownClient, "")) {
            try await client.revoke(RefreshToken("r"), client: "com.example.other")
        }
        await #expect(throws: AppleIDError(.tokenMissing, "")) {
            try await client.revoke(AccessToken(""), client: "com.example.juice")
        }
        #expect(setup.transport.requests.isEmpty)
    }
}
