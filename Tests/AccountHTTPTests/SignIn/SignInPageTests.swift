import AccountAPI
import AccountHTTP
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("The way to Apple")
struct SignInPageTests {
    @Test("The first page shows the button, and whose emulator it is")
    func page() async throws {
        try await withService { client, _ in
            let answer = try await client.page("/")
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
            #expect(answer.headers[.setCookie] == nil)
            #expect(answer.text.contains("Sign in to Juice"))
            #expect(answer.text.contains(#"href="/sign-in/apple">"#))
            #expect(answer.text.contains(TestService.emulatorURL))
        }
    }

    @Test("The button is the configured one")
    func button() async throws {
        let configuration = AccountHTTPConfiguration(
            appName: "Juice", button: AppleButton(style: .outlined, title: .continue, cornerRadius: 0))
        try await withService(configuration) { client, _ in
            let html = try await client.page("/").text
            #expect(html.contains("apple-outlined") && html.contains("Continue with Apple"))
            #expect(!html.contains("emulator"))
        }
    }

    @Test("Whoever is signed in already is led on")
    func signedIn() async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let html = try await client.page("/", cookies: [cookie]).text
            #expect(html.contains("Continue to your account") && html.contains("Johnny Appleseed"))
        }
    }

    @Test("The button leads to Apple, with a cookie that names the browser")
    func begin() async throws {
        try await withService { client, _ in
            let answer = try await client.page("/sign-in/apple")
            #expect(answer.status == .found)
            let location = try #require(answer.headers[.location])
            #expect(location.hasPrefix(TestService.emulatorURL + "/auth/authorize?"))
            #expect(location.contains("response_mode=form_post"))
            #expect(location.contains("redirect_uri=http%3A%2F%2Flocalhost%3A4000%2Fsign-in%2Fapple%2Fcallback"))
            let cookies = answer.headers[values: .setCookie]
            #expect(cookies.count == 1)
            #expect(
                cookies[0].contains(
                    #/^__Host-siwa-browser=[A-Za-z0-9_-]{43}; Max-Age=720; Path=/; Secure; HttpOnly; SameSite=None$/#))
        }
    }

    @Test("Two tabs share the browser's name; a value that is not ours is replaced")
    func twoTabs() async throws {
        try await withService { client, _ in
            let name = "__Host-siwa-browser"
            let first = try #require(try await client.page("/sign-in/apple").cookie(name))
            #expect(try await client.page("/sign-in/apple", cookies: [first]).cookie(name) == first)
            for cookies in [[name + "=x"], [first, first], [first, name + "=x"]] {
                let answer = try await client.page("/sign-in/apple", cookies: cookies)
                #expect(answer.status == .found)
                #expect(answer.cookie(name) != first && answer.cookie(name) != name + "=x")
            }
        }
    }

    @Test("The way back is a path of this site", arguments: ["/account", "/", "/a/b?c=d%26e", "/account?x=%2F%2Fevil"])
    func returnPath(path: String) async throws {
        try await withService { client, service in
            let query = "return=" + path.addingPercentEncoding()
            let answer = try await service.completeSignIn(client, begunAt: "/sign-in/apple?" + query)
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == path)
        }
    }

    @Test(
        "Another site is no way back",
        arguments: [
            "return=https://evil.example", "return=//evil.example", "return=/%5Cevil.example", "return=%2F%2Fevil",
            "return=", "return=account", "return=/a%0d%0ab", "return=/%09/evil.example", "return=/a&return=/b",
            "return=%", "return=/%ff", "return=/%00",
        ]
    )
    func wrongReturnPath(query: String) async throws {
        try await withService { client, _ in
            let answer = try await client.send(.get, "/sign-in/apple?" + query)
            try answer.expectError(.invalidRequest, 400, field: "return")
            #expect(answer.headers[.setCookie] == nil && answer.headers[.location] == nil)
            try await client.page("/sign-in/apple?" + query).expectErrorPage(400, "That request can’t be read")
        }
    }

    @Test("Without a Services ID there is no sign-in on the web, and it is said")
    func noWebClient() async throws {
        try await withService(webClient: nil) { client, _ in
            try await client.send(.get, "/sign-in/apple").expectError(.configuration, 503)
        }
    }
}

extension String {
    /// Encodes everything but letters, digits and a few marks.
    func addingPercentEncoding() -> String {
        utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            let isPlain =
                scalar.properties.isAlphabetic && byte < 128 || "0123456789-_.~".unicodeScalars.contains(scalar)
            return isPlain ? String(Character(scalar)) : "%" + (digits.count == 1 ? "0" : "") + digits
        }.joined()
    }
}
