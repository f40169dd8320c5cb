import AccountAPI
import AccountService
import Testing

@testable import AccountHTTP

@Suite("Pages of an authorization")
struct AuthorizationTextTests {
    private func pages(emulatorURL: String? = nil) throws -> PageRenderer {
        try PageRenderer(
            configuration: AccountHTTPConfiguration(appName: "Orchard", emulatorURL: emulatorURL),
            publicURL: PublicURL("https://example.com"))
    }

    /// Each page once, about one app.
    private func all(_ pages: PageRenderer, app: String = "Juice", text: String = "x") -> [String] {
        let ends: [AuthorizationEndText] = [
            .signedIn(app: app, returnPath: "/r"), .over(app: app), .cancelled(app: app, returnPath: "/r"),
            .cancelled(app: app, returnPath: nil), .failed(app: app, returnPath: "/r"),
            .failed(app: app, returnPath: nil), .expired(app: app, returnPath: "/r"), .device(app: app), .denied(),
        ]
        let request = DeviceRequestText(app: app, code: text, place: text, age: text)
        return ends.map { pages.authorizationEnd($0, app: app) } + [
            pages.authorization(app: app, path: "/authorizations/\(text)"), pages.device(),
            pages.device(problem: text), pages.deviceRequest(request),
        ]
    }

    @Test(
        "Ages are written in words",
        arguments: [
            (-5, "just now"), (0, "just now"), (19, "just now"), (20, "less than a minute ago"),
            (49, "less than a minute ago"), (50, "a minute ago"), (89, "a minute ago"), (90, "2 minutes ago"),
            (149, "2 minutes ago"), (150, "3 minutes ago"), (600, "10 minutes ago"),
        ] as [(Int64, String)])
    func ages(seconds: Int64, text: String) {
        #expect(AgeText(.seconds(seconds)).text == text)
    }

    @Test("Pages have no inline scripts or styles, one heading, and a banner only with an emulator")
    func shape() throws {
        for (url, count) in [("http://127.0.0.1:4010", 1), (nil, 0)] {
            for html in all(try pages(emulatorURL: url)) {
                #expect(!html.contains("<script") && !html.contains(" style=") && !html.contains("<style"))
                #expect(!html.contains(#/ on[a-z]+=/#))
                #expect(html.ranges(of: "<h1 id=\"heading\"").count == 1)
                #expect(html.contains("<main>") && html.contains("<title>") && html.contains("</html>"))
                #expect(html.ranges(of: "Test mode.").count == count)
            }
        }
    }

    @Test("Names and everything else are escaped")
    func escaping() throws {
        for html in all(try pages(), app: "\"\u{301}<blink>'&", text: "\"\u{338}<script>") {
            for text in ["\"\u{301}", "<blink", "\"\u{338}", "<script"] {
                #expect(html.utf8.firstRange(of: text.utf8) == nil, "\(html)")
            }
        }
    }

    @Test("The first page names the app, and its button posts to the page itself")
    func first() throws {
        let html = try pages().authorization(app: "Juice", path: "/authorizations/aut_1")
        #expect(html.contains(">Sign in to Juice</h1>"))
        #expect(html.contains(#"<form class="actions" method="post" action="/authorizations/aut_1">"#))
        #expect(html.contains("<span>Continue with Apple</span></button>"))
        #expect(html.contains("<title>Sign in to Juice · Orchard</title>"))
        #expect(!html.contains("href=\"http"))
    }

    @Test("The field for the code is empty and labelled, and shows what was wrong")
    func device() throws {
        let html = try pages().device()
        #expect(html.contains(#"<label for="code">Code</label>"#))
        #expect(html.contains(#"autocomplete="off" autocapitalize="off""#))
        #expect(!html.contains("value=") && !html.contains("aria-invalid"))
        let wrong = try pages().device(problem: "That is no code.")
        #expect(wrong.contains(#"aria-invalid="true" aria-describedby="problem hint""#))
        #expect(wrong.contains(#"id="problem" role="alert">That is no code.</p>"#))
        #expect(wrong.contains("<title>Problem: ") && !wrong.contains("value="))
    }

    @Test("Before a device is allowed the page says which app asks, from where, since when, and warns")
    func deviceRequest() throws {
        let html = try pages().deviceRequest(
            DeviceRequestText(
                app: "Juice", code: "BCDF-GHJK", place: "203.0.113.9", age: "a minute ago"))
        for text in ["Juice", "BCDF-GHJK", "203.0.113.9", "a minute ago", "Allow only what you began yourself."] {
            #expect(html.contains(text))
        }
        #expect(html.contains(#"<form method="post" action="/device/allow">"#))
        #expect(html.contains(#"<form method="post" action="/device/deny">"#))
    }
}
