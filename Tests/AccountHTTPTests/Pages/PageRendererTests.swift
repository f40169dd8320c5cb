import AccountAPI
import AppleIDTypes
import Testing

@testable import AccountHTTP
@testable import AccountService

@Suite("Pages")
struct PageRendererTests {
    private func pages(
        _ button: AppleButton = AppleButton(), emulatorURL: String? = nil, publicURL: String = "https://example.com"
    ) throws -> PageRenderer {
        try PageRenderer(
            configuration: AccountHTTPConfiguration(appName: " Juice\n", button: button, emulatorURL: emulatorURL),
            publicURL: PublicURL(publicURL))
    }

    let johnny = Account(
        id: AccountID(rawValue: "acc_1"), name: PersonName(givenName: "Johnny", familyName: "Appleseed"),
        email: "x@privaterelay.appleid.com", emailVerified: true, isPrivateEmail: true,
        createdAt: Timestamp(secondsSince1970: 1_795_000_000))

    let deletion = Deletion(
        state: .done, requestedAt: Timestamp(secondsSince1970: 1_795_000_000),
        finishedAt: Timestamp(secondsSince1970: 1_795_000_000), asksApple: false)

    func session(_ kind: Session.Kind, device: String? = nil) -> Session {
        let moment = Timestamp(secondsSince1970: 1_795_000_000)
        return Session(
            id: SessionID(rawValue: "ses_\(kind)"), accountID: johnny.id, identityID: IdentityID(rawValue: "idn_1"),
            kind: kind, clientID: "com.example.juice", createdAt: moment, authenticatedAt: moment, lastUsedAt: moment,
            expiresAt: moment + .seconds(60), deviceName: device.flatMap { DeviceName(cleaning: $0) })
    }

    let consent = Consent(
        id: ConsentID(rawValue: "con_1"), purpose: .phone, textVersion: "1",
        givenAt: Timestamp(secondsSince1970: 1_795_000_000), sessionID: SessionID(rawValue: "ses_1"),
        clientID: "com.example.juice", caller: Caller(address: nil, device: nil))

    @Test("A consent text is shown paragraph by paragraph, as the text that it is")
    func consentText() throws {
        let text = ConsentTexts.Text(version: "2", language: "de", text: "\nEins\nzwei <b>\n\n \nDrei\r\n")
        #expect(ConsentPageText(text).paragraphs == ["Eins\nzwei <b>", "Drei"])
        let html = try pages().profile(
            johnny, purposes: [.phone], text: text, confirmsContacts: true, outcome: nil, mistake: nil)
        #expect(html.contains("zwei &lt;b&gt;</p>") && html.contains(#"lang="de""#))
        // The box stands at the number alone.
        #expect(html.ranges(of: #"type="checkbox""#).count == 1 && html.contains(#"id="consent-phone""#))
    }

    @Test("The button of a withdrawal mentions a removal only if the withdrawal removes something")
    func withdrawalButton() throws {
        let pages = try pages()
        let apple = LinkedIdentity(
            id: IdentityID(rawValue: "idn_1"), provider: "apple", team: "ABCDE12345", address: nil,
            isPrivateEmail: false, hasPassword: false, addedAt: johnny.createdAt, lastSignInAt: johnny.createdAt)
        var toLink = consent
        toLink.purpose = .linkedIdentity
        for page in [
            pages.consentQuestion(consent, of: johnny), pages.consentQuestion(toLink, of: johnny, unlinked: [apple]),
        ] {
            #expect(page.contains(">Withdraw and remove</button>"))
        }
        for page in [
            pages.consentQuestion(toLink, of: johnny, kept: [apple]), pages.consentQuestion(toLink, of: johnny),
        ] {
            #expect(page.contains(">Withdraw</button>"))
        }
    }

    @Test("A consent whose text is gone shows the text's version")
    func goneText() throws {
        var consent = consent
        consent.textVersion = "0"
        consent.withdrawnAt = johnny.createdAt
        let html = try pages().consents([consent], texts: .builtIn, languages: [])
        #expect(html.contains("Text, version 0</span>") && !html.contains("<details"))
        #expect(html.contains("Withdrawn on") && !html.contains("Withdraw…"))
    }

    @Test("A text to which several consents were given stands on their page once")
    func textOnce() throws {
        let html = try pages().consents([consent, consent, consent], texts: .builtIn, languages: [])
        #expect(html.ranges(of: "Text, version 1</span>").count == 3)
        #expect(html.ranges(of: "Text of version 1</summary>").count == 1)
    }

    @Test("The page of sessions names each session, marks this browser's, and links to more")
    func sessionsPage() throws {
        let rows = [session(.browser), session(.tokens, device: "<Zoë's> iPad")]
        let html = try pages().sessions(SessionPage(sessions: rows, next: nil), current: rows[0].id)
        #expect(html.contains("A browser</strong>") && html.ranges(of: "This browser").count == 1)
        #expect(html.contains("&lt;Zoë&#39;s&gt; iPad") && !html.contains("<Zoë"))
        #expect(html.contains(#"action="/account/sessions/ses_tokens/end""#))
        #expect(html.contains("Sign out everywhere else…"))
        #expect(html.contains(#"<time datetime="2026-11-18T11:06:40Z">18 Nov 2026, 11:06 UTC</time>"#))
        #expect(html.contains(#"<span class="fact">Juice</span>"#) && html.contains("com.example.juice</span>"))
        #expect(!html.contains("Older ones"))
        let alone = try pages().sessions(SessionPage(sessions: [rows[0]], next: rows[0].id), current: rows[0].id)
        #expect(!alone.contains("Sign out everywhere else"))
        #expect(alone.contains(#"href="/account/sessions?before=ses_browser">Older ones</a>"#))
    }

    @Test("The page that allows a device says who asks from where, and sends the code on")
    func devicePages() throws {
        let text = DeviceRequestText(app: "<Juice>", code: "ABCD-EFGH", place: "192.0.2.1", age: "a minute ago")
        let html = try pages().deviceRequest(text)
        for words in ["&lt;Juice&gt;", "ABCD-EFGH", "192.0.2.1", "a minute ago", "/device/allow", "/device/deny"] {
            #expect(html.contains(words), "\(words)")
        }
        #expect(!html.contains("<Juice>"))
        let again = try pages().device(problem: "A <b>", typed: "\"ABCD")
        #expect(again.contains("A &lt;b&gt;") && again.contains(#"value="&quot;ABCD""#))
        #expect(try !pages().device().contains("value="))
    }

    @Test("The page of an app's authorization names it, and asks Apple only after a click")
    func authorizationPage() throws {
        let html = try pages().authorization(app: "<Juice>", path: "/authorizations/1")
        #expect(html.contains("&lt;Juice&gt;") && !html.contains("<Juice>"))
        #expect(html.contains(#"method="post" action="/authorizations/1""#))
    }

    @Test(
        "The page of a deletion tells its state in words",
        arguments: [
            (Deletion.State.waiting, true, "We haven’t told Apple yet."), (.parked, true, "We haven’t told Apple yet."),
            (.done, true, "Has ended the authorization"), (.done, false, "Could not be asked"),
            (.withdrawn, true, "you signed in again"),
        ])
    func deletionPage(state: Deletion.State, asksApple: Bool, words: String) throws {
        var deletion = deletion
        (deletion.state, deletion.asksApple) = (state, asksApple)
        let html = try pages().deletion(deletion)
        #expect(html.contains(words))
        #expect(html.contains("account.apple.com") == !asksApple)
        #expect(html.contains(#"<time datetime="2026-11-18">"#))
    }

    @Test(
        "Apple's button is a link with Apple's words", arguments: AppleButton.Style.allCases, AppleButton.Title.allCases
    )
    func button(style: AppleButton.Style, title: AppleButton.Title) throws {
        let html = try pages(AppleButton(style: style, title: title)).signIn(account: nil)
        #expect(html.contains(#"<a class="apple-button apple-\#(style.rawValue)" href="/sign-in/apple">"#))
        #expect(html.contains("<span>\(title.text)</span></a>"))
        // The logo is left of the title, and screen readers hear the title alone.
        let logo = try #require(html.firstRange(of: "<svg class=\"apple-logo\""))
        let words = try #require(html.firstRange(of: "<span>\(title.text)"))
        #expect(logo.upperBound < words.lowerBound)
        #expect(html.contains(#"aria-hidden="true" focusable="false"><path fill="currentColor" d="M"#))
        #expect(html.contains("in to Juice") || html.contains("Join Juice") || html.contains("Welcome to Juice"))
    }

    @Test("The button's style decides the page's background")
    func theme() throws {
        for (style, theme) in [
            (AppleButton.Style.automatic, "automatic"), (.black, "light"), (.outlined, "light"), (.white, "dark"),
        ] {
            let html = try pages(AppleButton(style: style)).signIn(account: nil)
            #expect(html.contains(#"<html lang="en" data-theme="\#(theme)">"#))
        }
    }

    @Test("The corner radius is a setting, kept within the button", arguments: [(-3, 0), (0, 0), (8, 8), (99, 24)])
    func cornerRadius(asked: Int, given: Int) throws {
        let style = try #require(try pages(AppleButton(cornerRadius: asked)).assets.first)
        #expect(style.content.contains("--button-radius: \(given)px;"))
    }

    @Test("Assets are named by their content")
    func assets() throws {
        let some = try pages(AppleButton(cornerRadius: 8))
        let other = try pages(AppleButton(cornerRadius: 9))
        #expect(some.assets[0].path != other.assets[0].path)
        #expect(some.assets[1].path == other.assets[1].path)
        let html = some.signIn(account: nil)
        for asset in some.assets where asset.path != some.localTimeScript.path {
            #expect(html.contains("\"\(asset.path)\""))
        }
    }

    @Test("Every page says that an emulator stands in for Apple, and none says so otherwise")
    func banner() throws {
        for (url, count) in [("http://127.0.0.1:4010", 1), (nil, 0)] {
            let pages = try pages(emulatorURL: url)
            for html in all(of: pages) {
                #expect(html.ranges(of: "emulator at <span>http://127.0.0.1:4010</span>").count == count)
            }
        }
    }

    @Test("Pages have no inline scripts or styles")
    func nothingInline() throws {
        let pages = try pages(emulatorURL: "http://127.0.0.1:4010")
        for html in all(of: pages) {
            let scripts = html.ranges(of: "<script").count
            #expect(scripts == html.ranges(of: #"<script src="\#(pages.localTimeScript.path)" defer></script>"#).count)
            #expect(!html.contains(" style=") && !html.contains("<style"))
            #expect(!html.contains(" on") || !html.contains(#/ on[a-z]+=/#))
            #expect(html.contains("<main>") && html.contains("<h1 id=\"heading\"") && html.contains("</html>"))
        }
    }

    @Test("The account page tells name, address, relay and since when")
    func account() throws {
        let html = try pages().account(johnny)
        #expect(html.contains(">Johnny Appleseed</h1>"))
        #expect(html.contains("x<wbr>@privaterelay.appleid.com"))
        #expect(html.contains("Hidden by Apple: mail is forwarded"))
        #expect(html.contains(#"<time datetime="2026-11-18">18 November 2026</time>"#))
        #expect(html.contains(#"<form class="actions" method="post" action="/sign-out">"#))
        #expect(!html.contains("Apple hasn’t verified it"))
        #expect(!html.contains("Contact address") && !html.contains("<dt>Phone"))
    }

    @Test("The account page shows what the person has added")
    func addedFacts() throws {
        var account = johnny
        account.contact = ContactFacts(email: "a@example.com", pendingEmail: "b@example.com", phone: "+4930123456")
        let html = try pages().account(account)
        for words in ["a<wbr>@example.com", "b<wbr>@example.com", "+4930123456", "Not confirmed yet"] {
            #expect(html.contains(words), "\(words)")
        }
        for path in ["profile", "consents"] { #expect(html.contains(#"href="/account/\#(path)""#)) }
    }

    @Test("An account without name and address has a page too")
    func bareAccount() throws {
        var account = johnny
        account.name = nil
        account.email = nil
        let html = try pages().account(account)
        #expect(html.contains(">Your account</h1>"))
        #expect(html.contains("Not shared"))
        #expect(!html.contains("Hidden by Apple"))
    }

    @Test("An address that Apple has not verified is marked")
    func unverified() throws {
        var account = johnny
        account.emailVerified = false
        account.isPrivateEmail = false
        let html = try pages().account(account)
        #expect(html.contains("Apple hasn’t verified it"))
        #expect(!html.contains("Hidden by Apple"))
    }

    @Test("A signed-in person sees a link to the account instead of the button")
    func signedIn() throws {
        let html = try pages().signIn(account: johnny)
        #expect(html.contains(#"href="/account">Continue to your account</a>"#))
        #expect(html.contains("Johnny Appleseed"))
        #expect(!html.contains("apple-button"))
        #expect(html.contains(#"method="post" action="/sign-out""#) && html.contains("Not you? Sign out"))
    }

    @Test("The page about missing cookies mentions Safari only on http://localhost")
    func cookies() throws {
        let local = try pages(publicURL: "http://localhost:4000").failure(.browserCookieMissing, requestID: "1")
        #expect(local.contains("Safari") && local.contains("siwa demo --tls"))
        let remote = try pages().failure(.browserCookieMissing, requestID: "1")
        #expect(!remote.contains("Safari") && remote.contains("Allow cookies"))
    }

    @Test(
        "A rate-limited person is told how long to wait",
        arguments: [(1, "in a second"), (60, "in a minute"), (61, "in 2 minutes"), (540, "in 9 minutes")])
    func wait(seconds: Int, words: String) throws {
        let details = ErrorDetails.rateLimited(RetryDelay(retryAfter: seconds))
        let html = try pages().failure(.rateLimited, details: details, requestID: "1")
        #expect(html.contains("Try again \(words)."))
        // A button would only lead to the same refusal.
        #expect(!html.contains(#"class="button"#))
    }

    @Test("An error page shows the request's id and nothing of the error")
    func failure() throws {
        let html = try pages().failure(.signatureInvalid, requestID: "abc123")
        #expect(html.contains("<code>abc123</code>"))
        #expect(!html.contains("signature"))
        let inTestMode = try pages(emulatorURL: "http://127.0.0.1:4010").failure(.signatureInvalid, requestID: "abc123")
        #expect(inTestMode.contains("Error code <code>signature_invalid</code>"))
    }
}
