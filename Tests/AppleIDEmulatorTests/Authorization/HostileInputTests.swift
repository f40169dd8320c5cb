import Foundation
import HTTPTypes
import Testing

@testable import AppleIDEmulator

@Suite("Hostile input to the pages")
struct HostileInputTests {
    @Test(
        "a redirect URI that only looks like a registered one gets a page that shows nothing of it",
        arguments: [
            "http://localhost:4000/sign-in/apple/callback?evil=1", "http://localhost:4000/sign-in/apple/callback/",
            "http://localhost:4000/sign-in/apple/callback%2f", "http://localhost:4000//sign-in/apple/callback",
            "http://localhost:4000/sign-in/../sign-in/apple/callback", "HTTP://localhost:4000/sign-in/apple/callback",
            "http://LOCALHOST:4000/sign-in/apple/callback", "http://localhost:04000/sign-in/apple/callback",
            "http://localhost.evil.example:4000/sign-in/apple/callback",
            "http://localhost:4000@evil.example/sign-in/apple/callback",
            "http://localhost:4000\\@evil.example/sign-in/apple/callback",
            "http://localhost:4000\r\nSet-Cookie: evil=1", "http://localhost:4000/\u{0}",
            "http://lоcalhost:4000/sign-in/apple/callback", "//evil.example", "javascript:alert('evil')",
            "data:text/html,evil", " http://localhost:4000/sign-in/apple/callback",
            "http://localhost:4000/sign-in/apple/callback#evil", "https://[::1]evil.example/",
            "https://juice.example.com.evil.example/callback?from=apple",
            "https://juice.example.com/callback?from=appl",
        ])
    func lookAlikes(_ url: String) async throws {
        let emulator = try await TestEmulator()
        for accept in ["text/html", "application/json"] {
            let answer = try await emulator.get(
                TestEmulator.authorizePath(["redirect_uri": url]), headers: ["accept": accept])
            #expect(answer.status == 400)
            #expect(answer.headers[.location] == nil)
            #expect(answer.headers[.setCookie] == nil)
            #expect(!answer.text.contains("evil"))
        }
    }

    static let injections = [
        "\r\nSet-Cookie: evil=1", "\nLocation: https://evil.example", "%0d%0aSet-Cookie:%20evil=1", "a&code=evil",
        "#code=evil", "\"><script>alert(1)</script>", "' onfocus='alert(1)", "</form><form action=//evil.example>",
        "{{fields}}{{{state}}}", "\u{202e}evil\u{2028}", "é漢🍎", String(repeating: "x", count: 8_000), "",
    ]

    @Test(
        "a state or a nonce without bounds is refused, on the web and on devices",
        arguments: [("state", 8_192), ("nonce", 1_024)])
    func lengths(name: String, limit: Int) async throws {
        let emulator = try await TestEmulator()
        for (count, status) in [(limit, 200), (limit + 1, 400)] {
            let value = String(repeating: "x", count: count)
            #expect(try await emulator.get(TestEmulator.authorizePath([name: value])).status == status)
            let device = try await emulator.call(
                "/emulator/device/authorizations",
                ["person": "johnny", "clientID": "com.example.juice", name: value])
            #expect(device.status == status)
            if status == 400 {
                #expect(try device.json["message"] as? String == "\(name) may have \(limit) bytes.")
            }
        }
    }

    @Test("a state comes back unchanged, and as nothing but a state", arguments: injections)
    func state(_ state: String) async throws {
        let emulator = try await TestEmulator()
        let posted = try await emulator.decide(try await emulator.begin(["state": state]))
        #expect(posted.headers[.setCookie] == nil)
        #expect(
            !posted.text.contains("<script>") && !posted.text.contains("' onfocus") && !posted.text.contains("</form><")
        )
        #expect(posted.text.contains("name=\"state\" value=\"\(HTMLEscaping().escapeText(state))\""))
        let id = try await emulator.begin([
            "response_mode": "query", "response_type": "code", "scope": nil, "state": state,
        ])
        let location = try #require(try await emulator.decide(id).headers[.location])
        #expect(location.utf8.allSatisfy { (0x21...0x7e).contains($0) })
        let query = try #require(URLComponents(string: location)?.queryItems)
        #expect(query.map(\.name) == ["code", "state"])
        #expect(query.last?.value == state)
    }

    @Test("an absent state is not sent back, and an empty one is")
    func absentState() async throws {
        let emulator = try await TestEmulator()
        let without = try await emulator.decide(try await emulator.begin(["state": nil]))
        #expect(without.hiddenFields["state"] == nil)
        let empty = try await emulator.decide(try await emulator.begin(["state": ""]))
        #expect(empty.hiddenFields["state"] == "")
    }

    @Test("a name adds no markup and no header to the pages", arguments: injections.filter { $0.count < 256 })
    func names(_ name: String) async throws {
        let emulator = try await TestEmulator()
        let id = try await emulator.begin()
        let posted = try await emulator.decide(id, ["firstName": name, "lastName": name])
        #expect(posted.status == 200)
        let settings = try await emulator.get("/settings/app?person=johnny&app=com.example.juice")
        #expect(settings.status == 200)
        for page in [posted, settings] {
            #expect(!page.text.contains("<script>") && !page.text.contains("</form><"))
            #expect(page.headers[.setCookie] == nil && page.headers[.location] == nil)
        }
    }

    @Test("a name that is too long is refused, and the sheet stays open")
    func longName() async throws {
        let emulator = try await TestEmulator()
        let id = try await emulator.begin()
        let long = String(repeating: "n", count: 256)
        let refused = try await emulator.decide(id, ["firstName": long])
        #expect(refused.status == 400)
        #expect(!refused.text.contains(long))
        #expect(try await emulator.decide(id, ["firstName": String(long.dropLast())]).status == 200)
    }

    static let forms = [
        "/auth/authorize/decision", "/auth/sign-in/password", "/auth/sign-in/code", "/settings/stop-using",
        "/settings/forwarding", "/settings/password", "/settings/delete",
    ]

    @Test("a malformed form is refused by a page, and does nothing", arguments: forms)
    func malformed(_ path: String) async throws {
        let emulator = try await TestEmulator()
        let type = "application/x-www-form-urlencoded"
        let bodies: [(type: String?, bytes: [UInt8], status: Int)] = [
            (type, Array("person=johnny&person=mono".utf8), 400), (type, Array("person=%zz".utf8), 400),
            (type, Array("person=%00".utf8), 400), (type, Array("person=%ff".utf8), 400), (type, [], 400),
            (type, [UInt8](repeating: 0x61, count: 70_000), 413), (type, Array("&&".utf8), 400),
            (type, Array((0..<200).map { "f\($0)=1" }.joined(separator: "&").utf8), 400),
            (nil, Array("person=johnny".utf8), 400), ("text/plain", Array("person=johnny".utf8), 400),
            ("multipart/form-data; boundary=x", Array("--x--".utf8), 400),
            ("application/json", Array(#"{"person":"johnny"}"#.utf8), 400),
        ]
        for body in bodies {
            let headers = body.type.map { ["content-type": $0] } ?? [:]
            let answer = try await emulator.send(.post, path, headers: headers, body: body.bytes)
            #expect(answer.status == body.status)
            #expect(answer.text.contains("This is not Apple."))
        }
        #expect(emulator.emulator.portal.people.count == 3)
    }

    @Test("a thousand and one sheets leave room for the newest, and forget the oldest")
    func manySheets() async throws {
        let emulator = try await TestEmulator()
        let first = try await emulator.begin()
        for _ in 0..<1_000 { _ = try await emulator.begin() }
        #expect(try await emulator.sheet(first, "johnny").status == 400)
        #expect(try await emulator.sheet(try await emulator.begin(), "johnny").status == 200)
    }
}
