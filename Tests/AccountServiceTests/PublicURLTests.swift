import AccountService
import Testing

@Suite("A public URL")
struct PublicURLTests {
    @Test(
        "has a scheme, a host and a port, in one spelling",
        arguments: [
            ("https://example.com", "https://example.com"),
            ("https://Example.COM/", "https://example.com"),
            ("https://example.com:443", "https://example.com"),
            ("https://example.com:8443", "https://example.com:8443"),
            ("http://localhost:4000", "http://localhost:4000"),
            ("http://127.0.0.1:80", "http://127.0.0.1"),
            ("http://[::1]:4000/", "http://[::1]:4000"),
        ])
    func spelling(text: String, expected: String) throws {
        #expect(try PublicURL(text).rawValue == expected)
    }

    @Test(
        "is refused in any other form",
        arguments: [
            "", "example.com", "http://example.com", "http://127.0.0.1.example.com", "https://example.com/path",
            "https://example.com?x", "https://user@example.com", "https://example.com:0", "https://example.com:99999",
            "https://exam ple.com", "https://", "ftp://example.com", "https://example.com#x", "https://[::1",
        ])
    func refused(text: String) {
        #expect(throws: AccountError(.configuration, "")) { try PublicURL(text) }
    }

    @Test("recognizes loopback and TLS")
    func kinds() throws {
        #expect(try PublicURL("http://localhost:4000").isLoopback)
        #expect(try !PublicURL("http://localhost:4000").usesTLS)
        #expect(try PublicURL("https://localhost:4000").usesTLS)
        #expect(try !PublicURL("https://example.com").isLoopback)
        #expect(try PublicURL("https://example.com/").appending("/account") == "https://example.com/account")
    }
}
