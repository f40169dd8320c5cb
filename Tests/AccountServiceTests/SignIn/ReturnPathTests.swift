import AccountService
import Testing

@Suite("A return path")
struct ReturnPathTests {
    @Test("is a path of this site", arguments: ["/", "/account", "/a/b?c=d&e=/f#g", "/%2F%2Fevil.example"])
    func accepted(path: String) {
        #expect(ReturnPath(rawValue: path)?.rawValue == path)
    }

    @Test(
        "never leads elsewhere",
        arguments: [
            "", "account", "//evil.example", "/\\evil.example", "\\/evil.example", "https://evil.example", "/a//b",
            "/\t/evil.example", "/a\r\nSet-Cookie: x", "/\u{0}", "/ü", " /account", "/a b", "/a?b=//c",
        ])
    func refused(path: String) {
        #expect(ReturnPath(rawValue: path) == nil)
    }

    @Test("has a limit")
    func limit() {
        #expect(ReturnPath(rawValue: "/" + String(repeating: "a", count: 2_047)) != nil)
        #expect(ReturnPath(rawValue: "/" + String(repeating: "a", count: 2_048)) == nil)
    }
}
