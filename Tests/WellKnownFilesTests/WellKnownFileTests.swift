import Testing

@testable import WellKnownFiles

@Suite("A well-known file")
struct WellKnownFileTests {
    private static let good: [WellKnownFile: String] = [
        .appSiteAssociation: #"{"webcredentials": {"apps": ["ABCDE12345.com.example.juice"]}, "unknown": [1.50]}"#,
        .assetLinks: #"[{"relation": ["a/b"], "target": {"namespace": "web", "site": "https://a.example"}, "x": 1}]"#,
        .domainAssociation: "7B2276657273696F6E223A317D\r\n",
        .securityText: "Contact: mailto:security@example.com\nExpires: 2027-01-31T12:00:00Z\n",
    ]

    @Test("keeps its bytes unchanged, whatever members they have", arguments: WellKnownFile.allCases)
    func bytes(file: WellKnownFile) throws {
        let bytes = Array(try #require(Self.good[file]).utf8)
        #expect(try file.check(bytes).bytes == bytes)
    }

    @Test("has a path under /.well-known and a media type")
    func paths() {
        #expect(
            WellKnownFile.allCases.map { "\($0.path) \($0.contentType)" } == [
                "/.well-known/apple-app-site-association application/json",
                "/.well-known/assetlinks.json application/json",
                "/.well-known/apple-developer-domain-association.txt text/plain",
                "/.well-known/security.txt text/plain; charset=utf-8",
            ])
    }

    @Test("is refused above 128 KiB, and accepted up to that size", arguments: WellKnownFile.allCases)
    func size(file: WellKnownFile) throws {
        // White space at the end is a part of no JSON value and of no field.
        let good = try #require(Self.good[file])
        let room = WellKnownFile.maximumBytes - good.utf8.count
        #expect(throws: Never.self) { try file.check(Array((good + String(repeating: "\n", count: room)).utf8)) }
        Fault(good + String(repeating: "\n", count: room + 1), .tooLarge, "is larger than 131072 bytes")
            .expect(of: file)
    }

    @Test("is refused when it is empty", arguments: WellKnownFile.allCases)
    func empty(file: WellKnownFile) {
        Fault("", .empty, "is empty").expect(of: file)
    }

    @Test("quotes a wrong text without control characters, and shortens a long one")
    func quoting() throws {
        let text = "\u{1B}[31m" + String(repeating: "a", count: 200)
        let error = WellKnownFileError(.malformed, at: "line 1", text, "is no field")
        #expect(error.description == "line 1: `?[31m" + String(repeating: "a", count: 75) + "…` is no field")
    }

    @Test(
        "accepts the times of RFC 3339",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-25T00:00:00Z", 1_795_564_800),
            ("2024-02-29T23:59:60z", 1_709_251_200), ("2030-01-31t12:00:00.123+02:00", 1_896_084_000),
            ("2030-01-31T12:00:00-00:30", 1_896_093_000), ("0000-03-01T00:00:00Z", -62_162_035_200),
            ("2100-03-01T00:00:00Z", 4_107_542_400),
        ] as [(String, Int64)])
    func times(text: String, seconds: Int64) {
        #expect(InternetTime.seconds(text) == seconds)
    }

    @Test(
        "accepts no other text as a time",
        arguments: [
            "", "2030-01-31", "2030-01-31 12:00:00Z", "2030-01-31T12:00:00", "2030-01-31T12:00Z",
            "2030-02-29T12:00:00Z", "2100-02-29T12:00:00Z", "2030-13-01T12:00:00Z", "2030-00-01T12:00:00Z",
            "2030-01-00T12:00:00Z",
            "2030-04-31T12:00:00Z", "2030-01-31T24:00:00Z", "2030-01-31T12:60:00Z", "2030-01-31T12:00:61Z",
            "2030-01-31T12:00:00.Z", "2030-01-31T12:00:00Z ", "2030-01-31T12:00:00+0200", "2030-01-31T12:00:00+24:00",
            "٢٠٣٠-01-31T12:00:00Z", "Thu, 31 Jan 2030 12:00:00 GMT",
        ])
    func noTimes(text: String) {
        #expect(InternetTime.seconds(text) == nil)
    }
}
