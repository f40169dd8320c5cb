import Testing

@testable import AccountHTTP

@Suite("Where a request comes from")
struct CallerReaderTests {
    @Test(
        "A range contains the addresses of its own version that match its prefix",
        arguments: [
            ("10.0.0.0/8", "10.255.3.4", true), ("10.0.0.0/8", "11.0.0.0", false),
            ("10.128.0.0/9", "10.127.0.1", false),
            ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false), ("0.0.0.0/0", "203.0.113.9", true),
            ("::1", "::1", true), ("::1", "::2", false), ("2001:db8::/32", "2001:db8:ffff::1", true),
            ("2001:db8::/32", "2001:db9::1", false), ("2001:db8:8000::/33", "2001:db8:7fff::1", false),
            ("0.0.0.0/0", "::1", false), ("::/0", "10.0.0.1", false),
            // An IPv4 address in the form that a socket of version 6 gives it.
            ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("::ffff:10.0.0.1", "10.0.0.1", true),
        ])
    func ranges(range: String, address: String, expected: Bool) throws {
        #expect(try #require(AddressRange(range)).contains(#require(IPAddress(address))) == expected)
    }

    @Test(
        "A text that isn't an address or range is refused",
        arguments: [
            "", "/", "localhost", "10.0.0", "10.0.0.0.0", "256.0.0.1", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x",
            "10.0.0.0/", "::1/129", "fe80::1%eth0", "10.0.0.0/8/8", "10.0.0.1:80", "10.0.0.0/+8",
        ])
    func noRange(text: String) {
        #expect(AddressRange(text) == nil)
    }

    @Test(
        "An address is always written in the same form",
        arguments: [
            ("2001:0DB8:0:0:0:0:0:1", "2001:db8::1"), ("::FFFF:203.0.113.9", "203.0.113.9"),
            ("203.0.113.9", "203.0.113.9"),
        ])
    func text(address: String, expected: String) throws {
        #expect(try #require(IPAddress(address)).text == expected)
    }

    @Test(
        "The forwarding header is read from its end, as far as its proxies are trusted",
        arguments: [
            // Nobody is trusted: the header is anybody's text.
            ([], "203.0.113.9", "198.51.100.1", "203.0.113.9"),
            // The proxy is trusted, and says who asked it.
            (["10.0.0.1"], "10.0.0.1", "198.51.100.1", "198.51.100.1"),
            (["10.0.0.1"], "10.0.0.1", "", "10.0.0.1"),
            // The client's own text stands further left.
            (["10.0.0.1"], "10.0.0.1", "192.0.2.66, 198.51.100.1", "198.51.100.1"),
            (["10.0.0.0/8"], "10.0.0.1", "192.0.2.66,198.51.100.1, 10.0.0.2", "198.51.100.1"),
            // The request does not come through the proxy.
            (["10.0.0.1"], "203.0.113.9", "198.51.100.1", "203.0.113.9"),
            // The list ends where something is no address.
            (["10.0.0.0/8"], "10.0.0.1", "198.51.100.1, unknown, 10.0.0.2", "10.0.0.2"),
            // Some proxies add the port.
            (["10.0.0.1"], "10.0.0.1", "192.0.2.66, 198.51.100.1:5678", "198.51.100.1"),
            (["10.0.0.1"], "10.0.0.1", "[2001:db8::7]:443", "2001:db8::7"),
            (["10.0.0.1"], "10.0.0.1", "2001:db8::7", "2001:db8::7"),
            (["10.0.0.1"], "10.0.0.1", "198.51.100.1:1:2", "10.0.0.1"),
            // All are ours.
            (["10.0.0.0/8"], "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ] as [([String], String, String, String)])
    func forwarded(trusted: [String], peer: String, header: String, expected: String) throws {
        let callers = CallerReader(trustedProxies: try trusted.map { try #require(AddressRange($0)) })
        let address = callers.address(peer: try #require(IPAddress(peer)), forwarded: header.split(separator: ","))
        #expect(address.text == expected)
    }
}
