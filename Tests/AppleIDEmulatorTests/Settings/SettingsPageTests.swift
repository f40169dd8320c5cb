import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("Settings of a person")
struct SettingsPageTests {
    private let johnny = ["person": "johnny", "app": "com.example.juice"]

    private func page(_ emulator: TestEmulator, _ page: String, done: String = "") async throws -> TestEmulator.Answer {
        try await emulator.get("/settings/\(page)?person=johnny&app=com.example.juice\(done)")
    }

    @Test("an app in use is shown with its data, and since when")
    func shown() async throws {
        let emulator = try await TestEmulator()
        #expect(try await page(emulator, "apps").text.contains("None so far."))
        _ = try await emulator.authorize(["hideEmail": true])
        let apps = try await page(emulator, "apps").text
        #expect(apps.contains("/settings/app?person=johnny&amp;app=com.example.juice"))
        #expect(apps.contains("2026-01-01"))
        let app = try await page(emulator, "app").text
        for text in ["Johnny Appleseed", "@privaterelay.appleid.com (hidden)", "Juice Makers", "2026-01-01", "On"] {
            #expect(app.contains(text), "\(text)")
        }
    }

    @Test(
        "data that were not shared are not shown",
        arguments: [("name", "johnny@example.com"), ("email", "<dd dir=\"auto\">Johnny")])
    func notShared(_ scope: String, _ absent: String) async throws {
        let emulator = try await TestEmulator()
        _ = try await emulator.authorize(["scope": scope])
        let app = try await page(emulator, "app").text
        #expect(app.contains("Not shared"))
        #expect(!app.contains(absent))
        #expect(!app.contains("forwarding"))
    }

    @Test("an emptied name is marked as empty")
    func emptied() async throws {
        let emulator = try await TestEmulator()
        _ = try await emulator.authorize(["name": ["firstName": "", "lastName": ""]])
        #expect(try await page(emulator, "app").text.contains("Left empty"))
    }

    @Test("Stop Using ends the tokens, notifies the app, and makes the next sign-in a first one")
    func stopUsing() async throws {
        let app = TestApp()
        let emulator = try await app.emulator()
        let token = try #require(try await emulator.tokens()["refresh_token"] as? String)
        let answer = try await emulator.post("/settings/stop-using", johnny)
        #expect(answer.status == 303)
        let next = try await emulator.get(try #require(answer.headers[.location]))
        #expect(next.text.contains("role=\"status\""))
        #expect(next.text.contains("None so far."))
        #expect(try await emulator.refresh(token).error == "invalid_grant")
        #expect(try await emulator.notifications.count == 1)
        #expect(try await page(emulator, "app").status == 404)
        #expect(try await emulator.post("/settings/stop-using", johnny).status == 404)
        #expect(try await emulator.authorize()["user"] != nil)
    }

    @Test("forwarding goes off and on again, and the app is notified each time")
    func forwarding() async throws {
        let app = TestApp()
        let emulator = try await app.emulator()
        _ = try await emulator.authorize(["hideEmail": true])
        for (word, offered) in [("off", "Turn on forwarding"), ("on", "Turn off forwarding")] {
            let answer = try await emulator.post("/settings/forwarding", johnny.merging(["forwarding": word]) { $1 })
            let next = try await emulator.get(try #require(answer.headers[.location]))
            #expect(next.text.contains(offered))
            #expect(next.text.contains("role=\"status\""))
        }
        #expect(try await emulator.notifications.count == 2)
        let wrong = try await emulator.post("/settings/forwarding", johnny.merging(["forwarding": "maybe"]) { $1 })
        #expect(wrong.status == 400)
    }

    @Test("a person who shares their own address has no forwarding")
    func nothingToForward() async throws {
        let emulator = try await TestEmulator()
        _ = try await emulator.authorize()
        #expect(!(try await page(emulator, "app").text.contains("/settings/forwarding")))
        let answer = try await emulator.post("/settings/forwarding", johnny.merging(["forwarding": "off"]) { $1 })
        #expect(answer.status == 400)
    }

    @Test("a new password ends refresh tokens, and leaves the consents")
    func password() async throws {
        let emulator = try await TestEmulator()
        let token = try #require(try await emulator.tokens()["refresh_token"] as? String)
        #expect(!(try await page(emulator, "password").text.contains("type=\"password\"")), "nobody is asked for one")
        let answer = try await emulator.post("/settings/password", ["person": "johnny", "password": "secret"])
        #expect(answer.status == 303)
        #expect(try await emulator.refresh(token).error == "invalid_grant")
        #expect(try await page(emulator, "apps").text.contains("Juice"))
        #expect(!(try await emulator.get("/emulator/portal").text.contains("secret")), "and none is kept")
    }

    @Test("an account is deleted everywhere, after a page that asks for confirmation")
    func deletion() async throws {
        let app = TestApp()
        let emulator = try await app.emulator()
        _ = try await emulator.authorize()
        let question = try await page(emulator, "delete")
        #expect(question.text.contains("Keep the account"))
        #expect(question.text.contains("Juice"))
        #expect(try await page(emulator, "apps").text.contains("Juice"), "asking does nothing")
        let answer = try await emulator.post("/settings/delete", ["person": "johnny"])
        let next = try await emulator.get(try #require(answer.headers[.location]))
        #expect(next.text.contains("The Apple Account is deleted"))
        #expect(!next.text.contains("Johnny Appleseed"))
        #expect(!(try await emulator.get(TestEmulator.authorizePath()).text.contains("Johnny Appleseed")))
        #expect(try await page(emulator, "apps").status == 404)
        #expect(try await emulator.notifications.count == 1)
    }

    @Test("a parameter selects a notice, and its text is never shown", arguments: ["stopped", "%3Cb%3Ehello"])
    func notices(_ word: String) async throws {
        let emulator = try await TestEmulator()
        let text = try await page(emulator, "apps", done: "&done=\(word)").text
        #expect(text.contains("role=\"status\"") == (word == "stopped"))
        #expect(!text.contains("hello"))
    }

    @Test(
        "an unknown person or app is refused",
        arguments: ["person=nobody", "", "person=johnny&app=com.example.none", "person=johnny", "person=%3Cscript%3E"])
    func unknown(_ query: String) async throws {
        let emulator = try await TestEmulator()
        let page = try await emulator.get("/settings/app?\(query)")
        #expect((400..<500).contains(page.status))
        #expect(!page.text.contains("<script>"))
        let form = Array(query.utf8)
        let type = ["content-type": "application/x-www-form-urlencoded"]
        for path in ["/settings/stop-using", "/settings/forwarding"] {
            let answer = try await emulator.send(.post, path, headers: type, body: form)
            #expect([400, 404].contains(answer.status))
        }
    }

    @Test("every page says that it is not Apple, is not cached, and runs no script")
    func headers() async throws {
        let emulator = try await TestEmulator()
        _ = try await emulator.authorize(["hideEmail": true])
        for path in ["/settings", "/settings/apps", "/settings/app", "/settings/password", "/settings/delete"] {
            let page = try await emulator.get(path + "?person=johnny&app=com.example.juice")
            #expect(page.status == 200)
            #expect(page.text.contains("This is not Apple."))
            #expect(page.text.contains("not Apple</title>"))
            #expect(page.headers[.cacheControl] == "no-store")
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.contains("form-action 'self'") && policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("script-src"))
        }
    }
}
