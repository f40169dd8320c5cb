import AppleIDTypes
import Testing

@testable import AppleIDEmulator

@Suite("A portal")
struct PortalTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let reason: String
        let change: @Sendable (inout Portal) -> Void
        var testDescription: String { reason }

        init(_ reason: String, _ change: @escaping @Sendable (inout Portal) -> Void) {
            self.reason = reason
            self.change = change
        }
    }

    @Test(
        "is refused if it contradicts itself, with the reason",
        arguments: [
            Case("team id stands twice") { $0.teams[1].id = "JUICETEAM1" },
            Case("client id stands twice") { $0.teams[1].apps[0].id = "com.example.juice.web" },
            Case("person id stands twice") { $0.people[1].id = "johnny" },
            Case("key id stands twice") { $0.teams[1].apps[0].keys[0].id = "KEYJUICE01" },
            Case("no primary App ID") { $0.teams[0].apps[1].primary = "org.example.cider" },
            Case("no primary App ID") { $0.teams[0].apps[1].primary = "com.example.juice.mini" },
            Case("services and keys belong to") { $0.teams[0].apps[1].keys = [TestPortal.otherTeamKey] },
            Case("is no PEM P-256 private key") { $0.teams[0].apps[0].keys[0].privateKey = "x" },
            Case("return URL must be") { $0.teams[0].apps[0].services[0].returnURLs = ["https://a.example/#x"] },
            Case("must be printable ASCII") { $0.people[0].id = "jo hnny" },
            Case("must be printable ASCII") { $0.teams[0].id = "" },
            Case("a notification URL belongs to") { $0.teams[0].apps[1].notificationURL = "https://a.example/" },
            Case("notification URL must be") { $0.teams[0].apps[0].notificationURL = "http://a.example/" },
            Case("notification URL must be") { $0.teams[0].apps[0].notificationURL = "http://localhost.a.example/" },
            Case("notification URL must be") { $0.teams[0].apps[0].notificationURL = "http://192.0.2.1/" },
            Case("notification URL must be") { $0.teams[0].apps[0].notificationURL = "https://a.example/#x" },
            Case("notification URL must be") { $0.teams[0].apps[0].notificationURL = "/apple" },
            Case("notification URL must be") {
                $0.plainNotificationHosts = ["app"]
                $0.teams[0].apps[0].notificationURL = "http://app.example/"
            },
            Case("base URL must be") { $0.baseURL = "127.0.0.1:4010" },
        ])
    func refused(_ example: Case) throws {
        var portal = TestPortal.portal
        example.change(&portal)
        let error = #expect(throws: EmulatorError.self) { try Registry(portal) }
        #expect(try #require(error).reason.contains(example.reason))
    }

    @Test(
        "names the return URLs on the emulator's own site, whatever the port",
        arguments: [
            ("http://127.0.0.1:4010", ["http://127.0.0.1:4000/a"]),
            ("http://localhost:4010", ["http://localhost:4000/b"]),
            ("https://apple.juice.example", ["https://juice.example/c"]),
            ("http://apple:4010", []),
        ] as [(String, [String])])
    func ownSite(_ baseURL: String, _ found: [String]) {
        var portal = TestPortal.portal
        portal.baseURL = baseURL
        portal.teams[0].apps[0].services[0].returnURLs = [
            "http://127.0.0.1:4000/a", "http://localhost:4000/b", "https://juice.example/c",
            "http://b.localhost:4000/d",
        ]
        #expect(portal.returnURLsOnOwnSite == found)
    }

    @Test(
        "accepts a notification URL with https, and with http to this machine or to a listed host",
        arguments: [
            "https://juice.example.com/apple?from=emulator", "http://localhost:4000/apple", "http://127.0.0.1/",
            "http://[::1]:4000/", "http://app:8080/apple",
        ])
    func notificationURL(_ url: String) throws {
        var portal = TestPortal.portal
        portal.plainNotificationHosts = ["app"]
        portal.teams[0].apps[0].notificationURL = url
        #expect(try Registry(portal).notificationURLs == ["com.example.juice": url])
    }

    @Test("has errors with code and reason, and without secrets")
    func description() throws {
        var portal = TestPortal.portal
        portal.teams[0].apps[0].keys[0].privateKey = "secret"
        let error = #expect(throws: EmulatorError.self) { try Registry(portal) }
        let text = try #require(error).description
        #expect(text.hasPrefix("invalid_portal: key KEYJUICE01 is no PEM"))
        #expect(!text.contains("secret"))
    }
}

@Suite("Small parts")
struct SmallPartsTests {
    @Test(
        "a URL is parsed or refused",
        arguments: [
            ("https://a.example", "https://a.example"), ("http://LOCALHOST:4000/x", "http://localhost:4000"),
            ("https://a.example:443/", "https://a.example"), ("http://[::1]:80/?q", "http://[::1]"),
            ("https://", nil), ("https:///x", nil), ("https://a b/", nil), ("https://u:p@a.example/", nil),
            ("https://a.example:0/", nil), ("https://a.example:99999/", nil), ("https://a.example:/", nil),
            ("ftp://a.example/", nil), ("//a.example/", nil), ("https://a.example\\@b/", nil),
            ("https://é.example/", nil),
            ("https://a.example/\r\nx: y", nil), ("javascript:alert(1)", nil), ("https://[::1/", nil),
        ] as [(String, String?)])
    func webAddress(_ text: String, _ origin: String?) {
        #expect(WebAddress(text)?.origin == origin)
    }

    @Test("a table drops entries that are too old or too many")
    func table() {
        var table = ExpiringTable<Int>(lifetime: 10, capacity: 100)
        for number in 0..<1_000 {
            table.insert(number, for: "\(number)", at: Int64(number / 10))
            if number % 3 == 0 { table.remove("\(number)") }
            #expect(table.count <= 100)
        }
        #expect(table.value("998", at: 99) == 998)
        #expect(table.value("999", at: 99) == nil, "removed")
        #expect(table.value("998", at: 110) == nil, "too old")
        #expect(table.value("1", at: 99) == nil, "pushed out")
    }

    @Test("malformed base64url is refused", arguments: ["QQ==", "QQ=", "Q", "QR", "Q+Q", "QQ "])
    func base64(_ text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test("base64url decodes to the encoded bytes", arguments: 0..<70)
    func base64RoundTrip(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 200) }
        #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }
}
