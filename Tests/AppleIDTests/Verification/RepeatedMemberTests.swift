import Testing

@testable import AppleID

@Suite("Repeated members")
struct RepeatedMemberTests {
    @Test(
        "A repeated member is refused wherever it stands, in whatever spelling",
        arguments: [
            #""sub":"somebody.else""#, #""s\u0075b":"somebody.else""#, #""\u0073\u0075\u0062":"001234.abc.5678""#,
            #""more":{"a":1,"a":1}"#, #""more":[{"a":1,"\u0061":2}]"#,
        ])
    func duplicates(member: String) async throws {
        let claims = String(TestClaims.identity().json.dropLast()) + "," + member + "}"
        #expect(try await failure(of: TestSigner.shared.token(claims)) == .malformedToken)
        let header = #"{"kid":"TESTKEY001","alg":"RS256","more":{},\#(member.replacing("sub", with: "alg"))}"#
        guard member.hasPrefix(#""sub"#) || member.hasPrefix(#""more"#) else { return }
        #expect(
            try await failure(of: TestSigner.shared.token(header: header, payload: TestClaims.identity().json))
                == .malformedToken)
    }
}
