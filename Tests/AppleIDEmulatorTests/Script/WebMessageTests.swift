import Foundation
import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("The answer of a popup")
struct WebMessageTests {
    private func decide(
        _ emulator: TestEmulator, _ decision: String = "continue", person: String = "johnny",
        _ changes: [String: String?] = [:]
    ) async throws -> TestEmulator.Answer {
        let changes = changes.merging(["response_mode": "web_message"]) { _, mode in mode }
        let people = try await emulator.get(TestEmulator.authorizePath(changes))
        try #require(people.status == 200, "\(people.text)")
        #expect(people.headers[.contentSecurityPolicy]?.contains("form-action 'self'") == true)
        let id = String(try #require(people.text.firstMatch(of: /name="request" value="([^"]+)"/)).1)
        return try await emulator.post(
            "/auth/authorize/decision", form: [("request", id), ("person", person), ("decision", decision)])
    }

    private func fields(_ page: String) -> Set<String> {
        Set(page.matches(of: /<input type="hidden" name="([^"]*)"/).map { String($0.1) })
    }

    private func targets(_ page: String) throws -> [String] {
        try #require(page.firstMatch(of: /data-targets="([^"]*)"/)).1.split(separator: " ").map(String.init)
    }

    @Test("it goes to the redirect URI's origin, with the fields of a form")
    func answer() async throws {
        let emulator = try await TestEmulator()
        let page = try await decide(emulator)
        #expect(page.status == 200)
        #expect(try targets(page.text) == ["http://localhost:4000"])
        #expect(fields(page.text) == ["code", "id_token", "state", "user"])
        #expect(page.text.contains("<script src=\"/assets/message.js\"></script>"))
        #expect(page.headers[.contentSecurityPolicy]?.contains("script-src 'self'") == true)
        #expect(page.headers[.cacheControl] == "no-store")
    }

    @Test("its code needs the redirect URI, though no browser went there")
    func redeemed() async throws {
        let emulator = try await TestEmulator()
        let page = try await decide(emulator)
        let code = String(try #require(page.text.firstMatch(of: /name="code" value="([^"]+)"/)).1)
        #expect(try await emulator.redeem(code, ["redirect_uri": nil]).status == 400)
        #expect(try await emulator.redeem(code).status == 200)
    }

    @Test("Cancel goes the same way")
    func cancel() async throws {
        let page = try await decide(try await TestEmulator(), "cancel")
        #expect(fields(page.text) == ["error", "state"])
        #expect(try targets(page.text) == ["http://localhost:4000"])
    }

    @Test("with another behaviour it goes to the origins of all return URLs, and nowhere else")
    func otherOrigins() async throws {
        let emulator = try await TestEmulator { $0.behaviour.popupRecipients = .anyReturnURL }
        let targets = try targets(try await decide(emulator).text)
        #expect(
            targets == [
                "http://localhost:4000", "http://127.0.0.1:4000", "https://192.0.2.7", "https://juice.example.com",
            ])
    }

    @Test("an unregistered redirect URI gets an error page")
    func unregistered() async throws {
        let emulator = try await TestEmulator()
        let path = TestEmulator.authorizePath([
            "response_mode": "web_message", "redirect_uri": "https://evil.example/callback",
        ])
        let page = try await emulator.get(path)
        #expect(page.status == 400 && page.text.contains("Invalid web redirect url"))
    }

    @Test("hostile names and states are shown as text")
    func escaping() async throws {
        let state = "\"><script>alert(2)</script>' \"\u{301} onfocus=x"
        let page = try await decide(try await TestEmulator(), person: "mallory", ["state": state])
        #expect(!page.text.contains("<script>"))
        let scalars = String(page.text.unicodeScalars.filter { $0 != "\u{301}" }.map(Character.init))
        #expect(!scalars.contains("\" autofocus") && !scalars.contains("\" onfocus"))
    }

    @Test("a control call returns it without a browser")
    func controlCall() async throws {
        let fields = try await TestEmulator().authorize(["responseMode": "web_message"])
        #expect(fields["code"] != nil && fields["user"] != nil)
    }

    @Test("the script exists in Apple's languages only")
    func languages() async throws {
        let emulator = try await TestEmulator()
        let path = { (locale: String) in "/appleauth/static/jsapi/appleid/1/\(locale)/appleid.auth.js" }
        for locale in ButtonLocale.all {
            let script = try await emulator.get(path(locale.name))
            #expect(script.status == 200)
            #expect(script.headers[.contentType] == "text/javascript; charset=utf-8")
            #expect(script.text.contains("\"language\":\"\(locale.language)\""))
        }
        for locale in ["en", "xx_XX", "en-US", "..", "%3Cscript%3E"] {
            #expect(try await emulator.get(path(locale)).status == 404)
        }
        #expect(try await emulator.post(path("en_US"), form: []).status == 405)
    }

    @Test("a behaviour decides where the script puts the result of its event")
    func eventDetail() async throws {
        let emulator = try await TestEmulator()
        let path = "/appleauth/static/jsapi/appleid/1/en_US/appleid.auth.js"
        #expect(try await emulator.get(path).text.contains("\"detailInData\":false"))
        _ = try await emulator.call("/emulator/quirks", ["quirks": ["event-detail-in-data"]])
        #expect(try await emulator.get(path).text.contains("\"detailInData\":true"))
    }
}
