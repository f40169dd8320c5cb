import AccountService
import Testing

@testable import AccountHTTP

@Suite("Text in HTML")
struct HTMLTextTests {
    @Test("The five special characters are escaped")
    func escapes() {
        #expect(HTMLText().escapeText(#"<a href="x">&'"#) == "&lt;a href=&quot;x&quot;&gt;&amp;&#39;")
        #expect(HTMLText().escapeText("Jörg 🍎") == "Jörg 🍎")
    }

    @Test(
        "A combining character doesn't prevent the escaping",
        arguments: ["\u{301}", "\u{338}", "\u{200D}", "\u{20E3}", "\u{FE0F}"]
    )
    func combining(mark: String) {
        for character in ["<", ">", "&", "\"", "'"] {
            let escaped = HTMLText().escapeText(character + mark)
            #expect(!escaped.utf8.contains(where: { Array("<>\"'".utf8).contains($0) }))
            #expect(escaped.hasPrefix("&"))
        }
    }

    @Test("A page escapes its values this way, in its layout too")
    func page() throws {
        let pages = try PageRenderer(
            configuration: AccountHTTPConfiguration(
                appName: "\"\u{301}<blink>", emulatorURL: "http://\"\u{301}<i>"),
            publicURL: PublicURL("http://localhost:4000"))
        let account = Account(
            id: AccountID(rawValue: "acc_"), name: PersonName(givenName: "\"\u{338}<script>"), email: "<\u{338}u>@x",
            emailVerified: true, isPrivateEmail: false, createdAt: Timestamp(secondsSince1970: 0))
        for html in [pages.signIn(account: nil), pages.signIn(account: account), pages.account(account)] {
            for scalars in ["\"\u{301}", "<blink", "<i>", "\"\u{338}", "<script", "<\u{338}"] {
                #expect(html.utf8.firstRange(of: scalars.utf8) == nil, "\(scalars.unicodeScalars.map(\.value))")
            }
        }
    }
}
