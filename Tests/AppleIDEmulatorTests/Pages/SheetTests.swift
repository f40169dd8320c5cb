import Foundation
import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("The sheet in a browser")
struct SheetTests {
    @Test("the first sheet chooses a person, edits the name, hides the address, and posts back")
    func firstTime() async throws {
        let emulator = try await TestEmulator()
        let people = try await emulator.get(TestEmulator.authorizePath())
        #expect(people.text.contains("Johnny Appleseed"))
        #expect(people.text.contains("This is not Apple."))
        let id = try people.requestID

        let sheet = try await emulator.get("/auth/authorize/sheet?request=\(id)&person=johnny")
        #expect(sheet.text.contains("name=\"firstName\" value=\"Johnny\""))
        #expect(sheet.text.contains("name=\"lastName\" value=\"Appleseed\""))
        #expect(sheet.text.contains("value=\"hide\""))
        #expect(!sheet.text.contains("<script"))

        let delivery = try await emulator.post(
            "/auth/authorize/decision",
            form: [
                ("request", id), ("person", "johnny"), ("decision", "continue"), ("firstName", "John & Co"),
                ("lastName", ""), ("email", "hide"),
            ])
        #expect(delivery.status == 200)
        #expect(delivery.text.contains("action=\"\(TestEmulator.callback)\""))
        #expect(delivery.text.contains("<script src=\"/assets/delivery.js\"></script>"))
        let fields = delivery.hiddenFields
        #expect(Set(fields.keys) == ["code", "id_token", "state", "user"])
        #expect(fields["state"] == "state-1")
        let text = try #require(fields["user"])
        let user = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: any Sendable])
        #expect(user["name"] as? [String: String] == ["firstName": "John & Co", "lastName": ""])
        let token = try await ReceivedToken(fields["id_token"], from: emulator)
        #expect(user["email"] as? String == token["email"])
        #expect(token["email"]?.hasSuffix("@privaterelay.appleid.com") == true)
        #expect(token["nonce"] == "nonce-1")
    }

    @Test("a later sheet shows the account's address and Continue, and nothing to edit")
    func later() async throws {
        let emulator = try await TestEmulator()
        _ = try await emulator.authorize()
        let id = try await emulator.begin()
        let sheet = try await emulator.get("/auth/authorize/sheet?request=\(id)&person=johnny").text
        #expect(sheet.contains("johnny@example.com"))
        #expect(sheet.contains("value=\"continue\""))
        #expect(!sheet.contains("firstName"))
        #expect(!sheet.contains("type=\"radio\""))
    }

    @Test(
        "the sheet asks only for what the scope names",
        arguments: [("name", true, false), ("email", false, true), ("", false, false)])
    func scopes(_ scope: String, _ asksName: Bool, _ asksEmail: Bool) async throws {
        let emulator = try await TestEmulator()
        let id = try await emulator.begin(["scope": scope])
        let sheet = try await emulator.get("/auth/authorize/sheet?request=\(id)&person=johnny").text
        #expect(sheet.contains("firstName") == asksName)
        #expect(sheet.contains("type=\"radio\"") == asksEmail)
    }

    @Test("Cancel works before and after a person is chosen, and returns the state", arguments: [nil, "johnny"])
    func cancel(_ person: String?) async throws {
        let emulator = try await TestEmulator()
        let id = try await emulator.begin()
        var form = [("request", id), ("decision", "cancel")]
        if let person { form.append(("person", person)) }
        let page = try await emulator.post("/auth/authorize/decision", form: form)
        #expect(page.hiddenFields == ["error": "user_cancelled_authorize", "state": "state-1"])
        let again = try await emulator.begin()
        let sheet = try await emulator.get("/auth/authorize/sheet?request=\(again)&person=johnny").text
        #expect(sheet.contains("firstName"), "cancelling grants nothing")
    }

    @Test(
        "the response modes query and fragment redirect", arguments: [("query", "code"), ("fragment", "code id_token")])
    func redirections(_ mode: String, _ type: String) async throws {
        let emulator = try await TestEmulator()
        let id = try await emulator.begin([
            "response_mode": mode, "response_type": type, "scope": nil, "state": "a b&c",
            "redirect_uri": "https://juice.example.com/callback?from=apple",
        ])
        let answer = try await emulator.post(
            "/auth/authorize/decision", form: [("request", id), ("person", "johnny"), ("decision", "continue")])
        let location = try #require(answer.headers[.location])
        #expect(answer.status == 303)
        let start = "https://juice.example.com/callback?from=apple" + (mode == "query" ? "&" : "#")
        #expect(location.hasPrefix(start + "code="))
        #expect(location.contains("&state=a%20b%26c"))
        #expect(location.contains("id_token=") == (type != "code"))
        #expect(!location.contains("user="))
    }

    @Test("a sheet can be answered once, and within ten minutes")
    func onceAndSoon() async throws {
        let emulator = try await TestEmulator()
        let first = try await emulator.begin()
        let form = [("request", first), ("person", "johnny"), ("decision", "continue")]
        #expect(try await emulator.post("/auth/authorize/decision", form: form).status == 200)
        #expect(try await emulator.post("/auth/authorize/decision", form: form).status == 400)
        let second = try await emulator.begin()
        emulator.clock.advance(601)
        #expect(try await emulator.get("/auth/authorize/sheet?request=\(second)&person=johnny").status == 400)
    }

    @Test("pages have the headers that protect them")
    func headers() async throws {
        let emulator = try await TestEmulator()
        let people = try await emulator.get(TestEmulator.authorizePath())
        let policy = try #require(people.headers[.contentSecurityPolicy])
        #expect(policy.contains("default-src 'none'"))
        #expect(policy.contains("frame-ancestors 'none'"))
        #expect(policy.contains("form-action 'self'"))
        #expect(!policy.contains("unsafe-inline"))
        #expect(!policy.contains("script-src"))
        #expect(people.headers[.xContentTypeOptions] == "nosniff")
        #expect(people.headers[.cacheControl] == "no-store")
        let delivery = try await emulator.post(
            "/auth/authorize/decision",
            form: [("request", try people.requestID), ("person", "johnny"), ("decision", "continue")])
        let deliveryPolicy = try #require(delivery.headers[.contentSecurityPolicy])
        #expect(deliveryPolicy.contains("script-src 'self'"))
        #expect(!deliveryPolicy.contains("form-action"), "the form goes to the client, and on from there")
    }

    @Test("another site's page cannot answer the sheet")
    func foreignDecision() async throws {
        let emulator = try await TestEmulator()
        let id = try await emulator.begin()
        let answer = try await emulator.send(
            .post, "/auth/authorize/decision",
            headers: [
                "content-type": "application/x-www-form-urlencoded", "origin": "https://evil.example",
                "sec-fetch-site": "cross-site",
            ],
            body: Array("request=\(id)&person=johnny&decision=continue".utf8))
        #expect(answer.status == 403)
    }

    @Test("hostile names and states are shown as text")
    func escaping() async throws {
        let emulator = try await TestEmulator()
        let state = "\"><script>alert(2)</script>' \"\u{301} onfocus=x"
        let people = try await emulator.get(TestEmulator.authorizePath(["state": state]))
        let id = try people.requestID
        let sheet = try await emulator.get("/auth/authorize/sheet?request=\(id)&person=mallory")
        let delivery = try await emulator.post(
            "/auth/authorize/decision", form: [("request", id), ("person", "mallory"), ("decision", "continue")])
        for page in [people, sheet, delivery] {
            #expect(page.status == 200)
            #expect(!page.text.contains("<script>"))
            // Attribute values have no quotation mark in them, not even one with an accent on top.
            let scalars = String(page.text.unicodeScalars.filter { $0 != "\u{301}" }.map(Character.init))
            #expect(!scalars.contains("\" autofocus"))
            #expect(!scalars.contains("\" onfocus"))
        }
        #expect(delivery.text.contains("&quot;&gt;&lt;script&gt;alert(2)"))
    }

    @Test("a refusal shows values of the request as text")
    func escapedRefusal() async throws {
        let emulator = try await TestEmulator()
        let page = try await emulator.get("/auth/authorize?client_id=x&%3Cscript%3E=1&%3Cscript%3E=2")
        #expect(page.status == 400)
        #expect(!page.text.contains("<script>"))
    }
}
