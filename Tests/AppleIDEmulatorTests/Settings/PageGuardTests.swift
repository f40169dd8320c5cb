import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import AppleIDEmulator

@Suite("Access to the settings")
struct PageGuardTests {
    private static let token = "0123456789abcdef"
    private let form = Array("person=johnny&app=com.example.juice".utf8)

    private static func basic(_ text: String) -> String { "Basic " + Data(text.utf8).base64EncodedString() }

    @Test(
        "a form from another site is refused, and nothing happens",
        arguments: [
            ["sec-fetch-site": "cross-site"], ["sec-fetch-site": "same-site"], ["origin": "https://evil.example"],
            ["origin": "null"], ["origin": "http://localhost:4010"],
            ["origin": "http://127.0.0.1:4010", "sec-fetch-site": "cross-site"],
        ])
    func foreign(_ headers: [String: String]) async throws {
        let emulator = try await TestEmulator()
        _ = try await emulator.authorize()
        let type = ["content-type": "application/x-www-form-urlencoded"]
        for path in ["stop-using", "forwarding", "password", "delete"] {
            let answer = try await emulator.send(
                .post, "/settings/\(path)", headers: headers.merging(type) { $1 }, body: form)
            #expect(answer.status == 403)
        }
        for path in ["password", "code"] {
            let answer = try await emulator.send(
                .post, "/auth/sign-in/\(path)", headers: headers.merging(type) { $1 }, body: form)
            #expect(answer.status == 403)
        }
        #expect(try await emulator.get("/emulator/grants").text.contains("johnny"))
    }

    @Test(
        "a foreign name that resolves to this machine is refused",
        arguments: ["evil.example:4010", "", "127.0.0.1.evil"])
    func rebound(_ host: String) async throws {
        let emulator = try await TestEmulator()
        #expect(try await emulator.send(.get, "/settings", authority: host).status == 403)
        let headers = [
            "content-type": "application/x-www-form-urlencoded", "origin": "http://\(host)",
            "sec-fetch-site": "same-origin",
        ]
        let answer = try await emulator.send(
            .post, "/settings/delete", headers: headers, body: Array("person=johnny".utf8), authority: host)
        #expect(answer.status == 403)
        #expect(emulator.emulator.portal.people.contains { $0.id == "johnny" })
    }

    @Test(
        "with a configured control token, the browser asks for it",
        arguments: [
            (nil, 401), (basic("me:wrong"), 401), (basic(":"), 401), (basic(token), 401), ("Basic !", 401),
            ("Bearer \(token)", 401), (basic("me:\(token)"), 200), (basic(":\(token)"), 200),
        ] as [(String?, Int)])
    func withToken(_ header: String?, _ status: Int) async throws {
        let emulator = try await TestEmulator { $0.controlToken = Self.token }
        for path in ["/settings", "/settings/", "/settings/apps?person=johnny"] {
            let answer = try await emulator.get(path, headers: header.map { ["authorization": $0] } ?? [:])
            #expect(answer.status == status)
            #expect((answer.headers[.wwwAuthenticate]?.hasPrefix("Basic ") == true) == (status == 401))
        }
        #expect(try await emulator.get(TestEmulator.authorizePath()).status == 200, "the sheet is for everybody")
    }

    @Test("beyond loopback the pages are closed without a token, and open with it", arguments: [nil, token])
    func exposed(_ token: String?) async throws {
        let emulator = try await TestEmulator { $0.controlToken = token }
        try await emulator.emulator.application(host: "0.0.0.0", port: 0).test(.live) { client in
            let headers: HTTPFields = [.authorization: Self.basic("me:\(Self.token)")]
            let answer = try await client.executeRequest(uri: "/settings", method: .get, headers: headers, body: nil)
            #expect(answer.status == (token == nil ? .forbidden : .ok))
        }
    }
}
