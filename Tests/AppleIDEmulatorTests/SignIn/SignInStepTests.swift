import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("The password and the two-factor step")
struct SignInStepTests {
    private func emulator() async throws -> TestEmulator {
        try await TestEmulator(portal: TestPortal.withAllKinds) { $0.asksPassword = true }
    }

    private func enter(
        _ emulator: TestEmulator, _ step: String, _ value: String, as person: String, request: String? = nil,
        cookie: String? = nil
    ) async throws -> TestEmulator.Answer {
        var form = ["person": person, step: value]
        form["request"] = request
        return try await emulator.post("/auth/sign-in/\(step)", form, cookie: cookie)
    }

    /// Both steps; answers the cookie that proves them.
    private func signIn(_ emulator: TestEmulator, _ person: String) async throws -> String {
        let password = try await enter(emulator, "password", "apple pie", as: person)
        let code = try await enter(emulator, "code", "123 456", as: person, cookie: password.cookie)
        #expect(code.status == 303)
        return try #require(code.cookie ?? password.cookie)
    }

    @Test("the sheet comes after password and code, and the browser need not repeat them")
    func bothSteps() async throws {
        let emulator = try await emulator()
        let id = try await emulator.begin()
        let first = try await emulator.sheet(id, "johnny")
        #expect(first.text.contains("action=\"/auth/sign-in/password\""))
        #expect(first.text.contains("value=\"cancel\""))
        let password = try await enter(emulator, "password", "anything", as: "johnny", request: id)
        #expect(password.status == 303)
        let setCookie = try #require(password.headers[.setCookie])
        #expect(setCookie.contains("; HttpOnly; SameSite=Lax"))
        #expect(!setCookie.contains("Secure"))
        let second = try await emulator.get(
            try #require(password.headers[.location]), headers: ["cookie": try #require(password.cookie)])
        #expect(second.text.contains("action=\"/auth/sign-in/code\""))
        let code = try await enter(
            emulator, "code", "000000", as: "johnny", request: id, cookie: password.cookie)
        #expect(code.cookie != password.cookie, "a session that is worth more has a new name")
        let sheet = try await emulator.get(
            try #require(code.headers[.location]), headers: ["cookie": try #require(code.cookie)])
        #expect(sheet.text.contains("value=\"continue\""))
        #expect(try await emulator.decide(id, cookie: code.cookie).status == 200)
        let again = try await emulator.begin()
        #expect(try await emulator.sheet(again, "johnny", cookie: code.cookie).text.contains("value=\"continue\""))
        #expect(try await emulator.sheet(again, "mono", cookie: code.cookie).text.contains("password"))
    }

    @Test("a decision that skips the steps is sent back to them", arguments: [nil, "wrong", "half"])
    func around(_ how: String?) async throws {
        let emulator = try await emulator()
        let id = try await emulator.begin()
        var cookie = how
        if how == "half" { cookie = try await enter(emulator, "password", "x", as: "johnny").cookie }
        let answer = try await emulator.decide(id, cookie: cookie)
        #expect(answer.status == 303)
        #expect(answer.headers[.location]?.hasPrefix("/auth/authorize/sheet?request=") == true)
        #expect(try await emulator.decide(id, ["decision": "cancel"], cookie: cookie).status == 200)
    }

    @Test(
        "a configured password is the only right one",
        arguments: [("apple pie", 303), ("Apple pie", 403), ("apple pie ", 403), ("", 403)])
    func declared(_ password: String, _ status: Int) async throws {
        let emulator = try await emulator()
        let answer = try await enter(emulator, "password", password, as: "pia")
        #expect(answer.status == status)
        #expect((answer.cookie == nil) == (status == 403))
        if status == 403 { #expect(answer.text.contains("role=\"alert\"")) }
    }

    @Test(
        "a code has six digits",
        arguments: [
            ("123456", 303), ("123 456", 303), ("12345", 403), ("1234567", 403), ("12345x", 403), ("١٢٣٤٥٦", 403),
            ("", 403), (String(repeating: " ", count: 5_000), 403),
        ])
    func codes(_ code: String, _ status: Int) async throws {
        let emulator = try await emulator()
        let cookie = try await enter(emulator, "password", "x", as: "johnny").cookie
        #expect(try await enter(emulator, "code", code, as: "johnny", cookie: cookie).status == status)
    }

    @Test("a code without a password leads back to the password")
    func codeAlone() async throws {
        let emulator = try await emulator()
        let answer = try await enter(emulator, "code", "123456", as: "johnny")
        #expect(answer.status == 303)
        #expect(answer.cookie == nil)
    }

    @Test("an account without two-factor authentication is asked for no code, and can't sign in to an app")
    func withoutTwoFactor() async throws {
        let emulator = try await emulator()
        let id = try await emulator.begin()
        let cookie = try await enter(emulator, "password", "x", as: "otto", request: id).cookie
        #expect(try await emulator.sheet(id, "otto", cookie: cookie).text.contains("two_factor_required"))
        let settings = try await emulator.get(
            "/settings/apps?person=otto", headers: ["cookie": try #require(cookie)])
        #expect(settings.text.contains("Apps that use this account"))
    }

    @Test("a browser without cookies gets a message instead of endless questions")
    func withoutCookies() async throws {
        let emulator = try await emulator()
        let id = try await emulator.begin()
        let answer = try await enter(emulator, "password", "x", as: "johnny", request: id)
        let next = try await emulator.get(try #require(answer.headers[.location]))
        #expect(next.status == 400)
        #expect(next.text.contains("cookie"))
    }

    @Test("the settings need both steps, for pages and for forms")
    func settings() async throws {
        let emulator = try await emulator()
        _ = try await emulator.authorize()
        for page in ["apps", "app", "password", "delete"] {
            let path = "/settings/\(page)?person=johnny&app=com.example.juice"
            #expect(try await emulator.get(path).text.contains("action=\"/auth/sign-in/password\""))
        }
        for form in ["stop-using", "forwarding", "password", "delete"] {
            let fields = ["person": "johnny", "app": "com.example.juice", "forwarding": "off", "password": "new"]
            #expect(try await emulator.post("/settings/\(form)", fields).status == 303)
        }
        #expect(try await emulator.get("/emulator/grants").text.contains("johnny"), "nothing happened")
        let cookie = try await signIn(emulator, "johnny")
        let page = try await emulator.get("/settings/apps?person=johnny", headers: ["cookie": cookie])
        #expect(page.text.contains("Juice"))
    }

    @Test("a new password replaces the old one, and signs out all other browsers")
    func newPassword() async throws {
        let emulator = try await emulator()
        let elsewhere = try await signIn(emulator, "johnny")
        let cookie = try await signIn(emulator, "johnny")
        let form = ["person": "johnny", "password": "orchard"]
        #expect(try await emulator.post("/settings/password", form, cookie: cookie).status == 303)
        let id = try await emulator.begin()
        #expect(try await emulator.sheet(id, "johnny", cookie: cookie).text.contains("value=\"continue\""))
        #expect(try await emulator.sheet(id, "johnny", cookie: elsewhere).text.contains("sign-in/password"))
        #expect(try await enter(emulator, "password", "anything", as: "johnny").status == 403)
        #expect(try await enter(emulator, "password", "orchard", as: "johnny").status == 303)
    }

    @Test("after a day, or a reset, everybody has to sign in again", arguments: [true, false])
    func over(_ byReset: Bool) async throws {
        let emulator = try await emulator()
        let cookie = try await signIn(emulator, "johnny")
        if byReset { _ = try await emulator.call("/emulator/reset", [:]) } else { emulator.clock.advance(86_401) }
        let id = try await emulator.begin()
        #expect(try await emulator.sheet(id, "johnny", cookie: cookie).text.contains("sign-in/password"))
    }

    @Test("without the setting, which is off by default, nobody is asked for a password or a code")
    func off() async throws {
        let emulator = try await TestEmulator(portal: TestPortal.withAllKinds)
        let id = try await emulator.begin()
        #expect(try await emulator.sheet(id, "pia").text.contains("value=\"continue\""))
    }
}
