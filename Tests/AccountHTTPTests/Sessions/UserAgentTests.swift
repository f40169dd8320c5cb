import AccountService
import Testing

@testable import AccountHTTP

@Suite("The name of a browser")
struct UserAgentTests {
    @Test(
        "is made of what it tells of itself",
        arguments: [
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                    + "Version/18.1 Mobile/15E148 Safari/604.1", "Safari on iPhone"
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) "
                    + "Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0", "Edge on Mac"
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile "
                    + "Safari/537.36", "Chrome on Android"
            ),
            ("Firefox/1 on nothing known", "Firefox"), ("Juice/1.0 CFNetwork/1568.200.51 Darwin/24.1.0", nil),
            ("", nil),
            ("Firefox/" + String(repeating: "9", count: 5_000), nil),
        ] as [(String, String?)])
    func name(userAgent: String, name: String?) {
        #expect(DeviceName(userAgent: userAgent)?.rawValue == name)
    }
}
