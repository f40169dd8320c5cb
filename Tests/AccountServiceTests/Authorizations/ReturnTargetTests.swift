import Testing

@testable import AccountService

@Suite("A return target")
struct ReturnTargetTests {
    @Test(
        "is an https URL, a private scheme in reverse-DNS form, an intent, or every loopback address",
        arguments: [
            "https://juice.example.com/back", "https://juice.example.com", "https://juice.example.com:8443/a?b=c",
            "https://[2001:db8::1]:8443/back",
            "com.example.juice:/back", "com.example.juice://back", "com.example.my-app2:/",
            "intent://back#Intent;scheme=juice;package=com.example.juice;end", "loopback",
        ])
    func accepted(text: String) throws {
        #expect(try ReturnTarget(text).description == text)
    }

    @Test(
        "is refused if it is malformed, or if others could receive the answer",
        arguments: [
            "", "http://juice.example.com/back", "http://localhost/back", "http://127.0.0.1/back", "juice:/back",
            "javascript:alert(1)", "data:text/html,x", "HTTPS://juice.example.com", "https:///back", "https:back",
            "https://:80/x", "https://:", "https://[]/x", "https://[]:80/x",
            "https://johnny@juice.example.com/", "com.example.juice://johnny:x@back", "https://juice.example.com/#x",
            "com.example.juice:/back#x", "https://juice.example.com/a b", "https://juice.example.com/ü",
            "https://juice.example.com/\r\nx", "https://juice.example.com/<x>", ".example:/x", "com.:/x", "com..x:/",
            "1com.example:/", "com.Example:/", "intent://back", "intent:back#Intent;end",
            "intent://a@back#Intent;scheme=x;end", "https://juice.example.com/" + String(repeating: "a", count: 2_048),
        ])
    func refused(text: String) {
        #expect(throws: AccountError(.configuration, "")) { _ = try ReturnTarget(text) }
    }

    @Test("matches its own bytes only")
    func exact() throws {
        let target = try ReturnTarget("https://juice.example.com/back")
        #expect(target.matches("https://juice.example.com/back"))
        for other in [
            "https://juice.example.com/back/", "https://juice.example.com/Back", "https://juice.example.com/back?x",
            "https://juice.example.com:443/back", "loopback", "",
        ] {
            #expect(!target.matches(other))
        }
    }

    @Test(
        "matches 127.0.0.1 and [::1] at any port and path",
        arguments: [
            "http://127.0.0.1", "http://127.0.0.1/", "http://127.0.0.1:1/a", "http://127.0.0.1:65535/a/b?c=d",
            "http://[::1]:49152/x", "http://[::1]?a",
        ])
    func loopback(uri: String) {
        #expect(ReturnTarget.loopback.matches(uri))
    }

    @Test(
        "doesn't match a URI that only looks like a loopback address",
        arguments: [
            "http://localhost:49152/x", "http://127.0.0.1.evil.example/x", "http://127.0.0.1@evil.example/x",
            "http://127.0.0.1:1@evil.example/x", "http://127.0.0.1:/x", "http://127.0.0.1:0/x",
            "http://127.0.0.1:65536/x", "http://127.0.0.1:+1/x", "http://127.0.0.11/x", "https://127.0.0.1/x",
            "http://[::1].evil.example/x", "http://[::11]/x", "http://127.0.0.2/x", "http://127.0.0.1/x#y",
            "http://127.0.0.1/a b", "http://127.0.0.1\\@evil.example", "HTTP://127.0.0.1/x", "http://0x7f000001/x",
            "http://127.0.0.1:80\r\n/", "loopback",
        ])
    func notLoopback(uri: String) {
        #expect(!ReturnTarget.loopback.matches(uri))
    }

    @Test(
        "gets parameters after its query and before its fragment",
        arguments: [
            ("https://a.example/b", "https://a.example/b?h=1"), ("https://a.example/b?c", "https://a.example/b?c&h=1"),
            ("com.example.a:/b", "com.example.a:/b?h=1"),
            ("intent://b?c=d#Intent;scheme=a;end", "intent://b?c=d&h=1#Intent;scheme=a;end"),
        ])
    func location(target: String, expected: String) {
        #expect(ReturnTarget.location(target, adding: "h=1") == expected)
    }
}
