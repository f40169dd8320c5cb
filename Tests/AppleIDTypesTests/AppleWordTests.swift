import AppleIDTypes
import Foundation
import Testing

@Suite("Apple's words")
struct AppleWordTests {
    @Test("An unknown word decodes, compares and encodes unchanged")
    func unknownWord() throws {
        let decoded = try JSONDecoder().decode([EventType].self, from: Data(#"["brand-new","account-delete"]"#.utf8))
        #expect(decoded == ["brand-new", .accountDelete])
        #expect(
            String(decoding: try JSONEncoder().encode(decoded), as: UTF8.self) == #"["brand-new","account-delete"]"#)
        #expect("\(decoded[0])" == "brand-new")
    }

    @Test("Identifiers are case-sensitive and of their own type")
    func identifiers() {
        #expect(ClientID("com.example.Juice") != "com.example.juice")
        #expect(Set<KeyID>(["a", "a", "b"]).count == 2)
    }

    @Test("The words are spelled as Apple spells them")
    func spelling() {
        #expect(ResponseType.codeIDToken.rawValue == "code id_token")
        #expect(ResponseMode.formPost.rawValue == "form_post")
        #expect(GrantType.authorizationCode.rawValue == "authorization_code")
        #expect(AppleErrorCode.userCancelledAuthorize.rawValue == "user_cancelled_authorize")
        #expect(Scope.userMigration.rawValue == "user.migration")
        #expect(EventType.accountDeleted != .accountDelete)
    }

    @Test("An unknown real-user status is kept")
    func realUserStatus() throws {
        let decoded = try JSONDecoder().decode([RealUserStatus].self, from: Data("[2,7]".utf8))
        #expect(decoded == [.likelyReal, RealUserStatus(rawValue: 7)])
        #expect(String(decoding: try JSONEncoder().encode(decoded), as: UTF8.self) == "[2,7]")
    }
}
