import Testing

@testable import AccountService

@Suite("The network that a limit counts")
struct CountedNetworkTests {
    @Test(
        "is an IPv4 address, or the first 64 bits of an IPv6 address",
        arguments: [
            ("192.0.2.1", "192.0.2.1"),
            ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
            ("2001:DB8:0000:0001:ffff:ffff:ffff:ffff", "2001:db8:0:1::/64"),
            ("2001:db8::1", "2001:db8:0:0::/64"),
            ("2001:db8:0:1:2:3:4::", "2001:db8:0:1::/64"),
            ("fe80::1%eth0", "fe80:0:0:0::/64"),
            ("::1", "0:0:0:0::/64"),
            ("::", "0:0:0:0::/64"),
        ])
    func network(address: String, network: String) {
        #expect(CountedNetwork(of: address).rawValue == network)
    }

    @Test(
        "is the IPv4 address of a mapped one",
        arguments: ["::ffff:192.0.2.1", "::FFFF:c000:201", "0:0:0:0:0:ffff:192.0.2.1"]
    )
    func mapped(address: String) {
        #expect(CountedNetwork(of: address) == CountedNetwork(of: "192.0.2.1"))
    }

    @Test(
        "is the text itself if it isn't an address",
        arguments: [
            "", "unknown", "1:2:3", "1::2::3", "1:2:3:4:5:6:7:8:9", "12345::", "g::1", "::1.2.3", ":1:2:3:4:5:6:7",
        ])
    func others(address: String) {
        #expect(CountedNetwork(of: address).rawValue == address)
    }
}
