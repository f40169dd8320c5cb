import AccountAPI
import Foundation
import StrictJSON
import Testing

@Suite("Profiles and consents on the wire")
struct ProfileWireTests {
    private func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test(
        "A member of an update is absent, null or there, and each means something else",
        arguments: [
            ("{}", .unchanged, .unchanged), (#"{"phone":null}"#, .remove, .unchanged),
            (#"{"phone":"+4930123456"}"#, .set("+4930123456"), .unchanged),
            (#"{"contactEmail":null,"phone":"+4930123456"}"#, .set("+4930123456"), .remove),
        ] as [(String, MemberEdit<String>, MemberEdit<String>)])
    func changes(text: String, phone: MemberEdit<String>, contactEmail: MemberEdit<String>) throws {
        let update = ProfileUpdateRequest(contactEmail: contactEmail, phone: phone)
        #expect(try json(update) == text)
        // The server's decoder and Foundation's, which clients use.
        #expect(try StrictJSONDecoder().decode(ProfileUpdateRequest.self, from: Array(text.utf8)) == update)
        #expect(try JSONDecoder().decode(ProfileUpdateRequest.self, from: Data(text.utf8)) == update)
    }

    @Test("A name and a consent are written and read unchanged")
    func whole() throws {
        let update = ProfileUpdateRequest(
            name: .set(FullName(givenName: "Johnny")), consent: ConsentGivenBody(textVersion: "1"))
        let text = """
            {"consent":{"textVersion":"1"},"name":{"familyName":null,"givenName":"Johnny","middleName":null,\
            "namePrefix":null,"nameSuffix":null,"nickname":null}}
            """
        #expect(try json(update) == text)
        #expect(try StrictJSONDecoder().decode(ProfileUpdateRequest.self, from: Array(text.utf8)) == update)
        let removed = try StrictJSONDecoder().decode(
            ProfileUpdateRequest.self, from: Array(#"{"name":null,"consent":null}"#.utf8))
        #expect(removed == ProfileUpdateRequest(name: .remove))
    }

    @Test("A consent that holds has a null for its withdrawal")
    func consent() throws {
        let consent = ConsentBody(
            id: "con_1", purpose: .phone, textVersion: "1", givenAt: APITime(secondsSince1970: 0), withdrawnAt: nil,
            clientID: "com.example.juice", device: nil)
        #expect(
            try json(ConsentListAnswer(consents: [consent])) == """
                {"consents":[{"clientID":"com.example.juice","device":null,"givenAt":"1970-01-01T00:00:00Z",\
                "id":"con_1","purpose":"phone","textVersion":"1","withdrawnAt":null}]}
                """)
    }

    @Test("The consent that a request lacks is in the error's details")
    func required() throws {
        let error = ErrorEnvelope(
            ErrorEnvelope.Body(
                code: .consentRequired, message: "m", requestID: "1",
                details: .consentRequired(RequiredConsent(purposes: [.contactEmail, .phone], textVersion: "2"))))
        let text = try json(error)
        #expect(text.contains(#""details":{"purposes":["contact_email","phone"],"textVersion":"2"}"#))
        #expect(try JSONDecoder().decode(ErrorEnvelope.self, from: Data(text.utf8)) == error)
    }

    @Test("An account of an older server decodes without what it doesn't know")
    func older() throws {
        let text = """
            {"id":"acc_1","name":null,"email":null,"emailVerified":false,"isPrivateEmail":false,\
            "createdAt":"1970-01-01T00:00:00Z"}
            """
        let account = try JSONDecoder().decode(AccountBody.self, from: Data(text.utf8))
        #expect(account.contactEmail == nil && account.pendingContactEmail == nil && account.phone == nil)
    }
}
