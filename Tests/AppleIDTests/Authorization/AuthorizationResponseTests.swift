import AppleID
import AppleIDTypes
import Testing

@Suite("Authorization response")
struct AuthorizationResponseTests {
    @Test("A first authorization has all fields")
    func first() throws {
        let response = try AuthorizationResponse(form: [
            ("state", "s"), ("code", "c"), ("id_token", "a.b.c"),
            ("user", #"{"name":{"firstName":"Johnny","lastName":"Appleseed"},"email":"j@example.com"}"#),
            ("later", "x"),
        ])
        #expect(response.state == "s")
        #expect(response.code == "c")
        #expect(response.identityToken == "a.b.c")
        #expect(response.user == AuthorizedUser(firstName: "Johnny", lastName: "Appleseed", email: "j@example.com"))
        #expect(response.error == nil)
    }

    @Test("A cancellation has only error and state")
    func cancelled() throws {
        let response = try AuthorizationResponse(form: [("error", "user_cancelled_authorize"), ("state", "s")])
        #expect(response.error == .userCancelledAuthorize)
        #expect(response.code == nil)
        #expect(response.user == nil)
    }

    @Test(
        "A response has the expected state only if the states are equal and not empty",
        arguments: [
            ("s-1", "s-1", true), ("s-1", "s-2", false), ("s-1", "s-", false), ("s-1", "s-11", false),
            ("s-1", "", false), ("", "", false), (nil, "", false), (nil, "s-1", false), ("K", "\u{212A}", false),
        ] as [(String?, String, Bool)])
    func state(came: String?, expected: String, isSame: Bool) throws {
        let response = try AuthorizationResponse(form: came.map { [("state", $0)] } ?? [])
        #expect(response.hasState(expected) == isSame)
    }

    @Test("Empty fields count as absent")
    func empty() throws {
        let response = try AuthorizationResponse(form: [
            ("code", ""), ("state", ""), ("id_token", ""), ("error", ""), ("user", ""),
        ])
        #expect(response.code == nil)
        #expect(response.state == nil)
        #expect(response.identityToken == nil)
        #expect(response.error == nil)
        #expect(try AuthorizationResponse(form: []).code == nil)
    }

    static let forms: [[(name: String, value: String)]] = [
        [("code", "a"), ("code", "a")], [("state", "a"), ("code", "c"), ("state", "b")], [("x", "1"), ("x", "2")],
        [("code", ""), ("code", "c")],
        [("code", String(repeating: "c", count: 1_025))], [("state", String(repeating: "c", count: 1_025))],
        [("id_token", String(repeating: "c", count: 16_385))], [("user", String(repeating: "c", count: 8_193))],
        [("error", String(repeating: "c", count: 256))], [("other", String(repeating: "c", count: 65_536))],
        (0..<33).map { ("f\($0)", "") }, [("code", "a\u{0}b")], [("other", "\u{0}")], [("\u{0}", "")],
    ]

    @Test("Repeated, oversized, too many and null characters are refused", arguments: forms.indices)
    func refused(index: Int) {
        #expect(throws: AppleIDError(.malformedCallback, "")) { try AuthorizationResponse(form: Self.forms[index]) }
    }

    @Test(
        "A user field that does not parse costs only the name; the sign-in goes on",
        arguments: [
            "{", "[]", "null", "\"x\"", "5", #"{"email":"a","email":"b"}"#,
            #"{"name":{"firstName":"a","firstName":"b"}}"#, #"{"name":"\u0000"}"#,
        ])
    func badUser(text: String) throws {
        let response = try AuthorizationResponse(form: [("code", "c"), ("user", text)])
        #expect(response.user == nil)
        #expect(response.code == "c")
    }

    @Test("Parts that are missing, empty or of another type are absent")
    func parts() throws {
        for text in [
            "{}", #"{"name":{}}"#, #"{"name":null,"email":null}"#, #"{"name":[],"email":5}"#,
            #"{"name":{"firstName":5,"lastName":""}}"#,
            #"{"name":{"firstName":"  ","lastName":"\n\t"}}"#,
        ] {
            let user = try AuthorizationResponse(form: [("user", text)]).user
            #expect(user == AuthorizedUser(firstName: nil, lastName: nil, email: nil))
        }
    }

    @Test("Names are trimmed, lose what disturbs a text, and are not endless")
    func cleaned() throws {
        let text =
            #"{"name":{"firstName":"  J\u0007o\u202Ehn\u2028 Ö. ","lastName":"\#(String(repeating: "x", count: 513))"}}"#
        let user = try #require(try AuthorizationResponse(form: [("user", text)]).user)
        #expect(user.firstName == "John Ö.")
        #expect(user.lastName == nil)
    }
}
