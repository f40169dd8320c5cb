import HTTPTypes
import Hummingbird
import Testing

@testable import AccountHTTP

@Suite("Cookies")
struct CookieNameTests {
    @Test(
        "A cookie counts only when it comes once",
        arguments: [
            (["__Host-siwa-session=abc"], "abc"),
            (["a=1; __Host-siwa-session=abc; b=2"], "abc"),
            (["a=1", "__Host-siwa-session=abc"], "abc"),
            (["__Host-siwa-session=a=b"], "a=b"),
            (["__Host-siwa-session=abc ; x=1"], "abc"),
            (["__Host-siwa-session="], ""),
            (["x__Host-siwa-session=abc"], nil),
            (["__host-siwa-session=abc"], nil),
            (["__Host-siwa-sessions=abc"], nil),
            (["__Host-siwa-browser=abc"], nil),
            (["__Host-siwa-session"], nil),
            (["__Host-siwa-session=abc; __Host-siwa-session=def"], nil),
            (["__Host-siwa-session=abc; __Host-siwa-session=abc"], nil),
            (["__Host-siwa-session=abc", "__Host-siwa-session=def"], nil),
            ([], nil),
        ] as [([String], String?)]
    )
    func value(fields: [String], expected: String?) {
        var headers = HTTPFields()
        for field in fields {
            headers.append(HTTPField(name: .cookie, value: field))
        }
        let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/", headerFields: headers)
        #expect(CookieName.session.value(in: Request(head: head, body: RequestBody(buffer: ByteBuffer()))) == expected)
    }

    @Test("Attributes are exactly those that browsers need")
    func attributes() {
        #expect(
            CookieName.browser.setting("abc", lifetime: .seconds(600))
                == "__Host-siwa-browser=abc; Max-Age=600; Path=/; Secure; HttpOnly; SameSite=None")
        #expect(
            CookieName.session.setting("abc", lifetime: .seconds(86_400))
                == "__Host-siwa-session=abc; Max-Age=86400; Path=/; Secure; HttpOnly; SameSite=Lax")
        #expect(
            CookieName.session.clearing
                == "__Host-siwa-session=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax")
    }
}
