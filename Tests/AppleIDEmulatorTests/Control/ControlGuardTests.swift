import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import AppleIDEmulator

@Suite("Access to the control calls")
struct ControlGuardTests {
    @Test(
        "without a token only a loopback Host is accepted, whatever the base URL",
        arguments: [
            ("127.0.0.1:4010", 200), ("localhost:4010", 200), ("[::1]:4010", 200), ("localhost", 200),
            ("apple.test:4010", 403), ("LOCALHOST:8080", 200), ("evil.example:4010", 403), ("evil.example", 403),
            ("127.0.0.1.evil.example", 403), ("localhost.evil.example:4010", 403), ("127.0.0.1:x", 403), ("", 403),
            (nil, 403),
        ] as [(String?, Int)])
    func host(_ host: String?, _ status: Int) async throws {
        let emulator = try await TestEmulator { $0.baseURL = "http://apple.test:4010" }
        #expect(try await emulator.send(.get, "/emulator/portal", authority: host).status == status)
    }

    @Test(
        "a request from another site's page is refused",
        arguments: [
            (["sec-fetch-site": "none"], 200), (["sec-fetch-site": "same-origin"], 200),
            (["sec-fetch-site": "same-site"], 403), (["sec-fetch-site": "cross-site"], 403),
            (["origin": "http://127.0.0.1:4010"], 200), (["origin": "https://127.0.0.1:4010"], 200),
            (["origin": "http://127.0.0.1:4000"], 403), (["origin": "http://localhost:4010"], 403),
            (["origin": "null"], 403), (["origin": "https://evil.example"], 403),
            (["origin": "http://127.0.0.1:4010", "sec-fetch-site": "cross-site"], 403),
        ])
    func site(_ headers: [String: String], _ status: Int) async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.get("/emulator/portal", headers: headers)
        #expect(answer.status == status)
        #expect(!answer.headers.contains { $0.name.canonicalName.hasPrefix("access-control") })
    }

    @Test(
        "a body must say that it is JSON",
        arguments: [nil, "text/plain", "application/x-www-form-urlencoded", "application/json-patch"])
    func contentType(_ type: String?) async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.send(
            .post, "/emulator/authorizations", headers: type.map { ["content-type": $0] } ?? [:],
            body: Array(#"{"person":"johnny","clientID":"com.example.juice.web"}"#.utf8))
        #expect(answer.status == 415)
        #expect(answer.error == "unsupported_media_type")
    }

    @Test(
        "with a configured token, every call needs it",
        arguments: [
            (nil, 401), ("Bearer wrong", 401), ("Bearer ", 401), ("0123456789abcdef", 401),
            ("Bearer 0123456789abcdef", 200), ("bearer 0123456789abcdef", 200), ("BEARER  0123456789abcdef", 200),
            ("Basic 0123456789abcdef", 401),
        ] as [(String?, Int)])
    func token(_ header: String?, _ status: Int) async throws {
        let emulator = try await TestEmulator { $0.controlToken = "0123456789abcdef" }
        let headers = header.map { ["authorization": $0] } ?? [:]
        #expect(try await emulator.get("/emulator/portal", headers: headers).status == status)
        let order = try await emulator.send(
            .post, "/emulator/authorizations",
            headers: headers.merging(["content-type": "application/json"]) { $1 },
            body: Array(#"{"person":"johnny","clientID":"com.example.juice.web"}"#.utf8), authority: "docker:4010")
        #expect(order.status == status)
    }

    @Test(
        "beyond loopback the calls are closed, or need the token",
        arguments: [
            ("127.0.0.1", nil, nil, 200), ("0.0.0.0", nil, nil, 403), ("0.0.0.0", nil, "Bearer x", 403),
            ("0.0.0.0", "0123456789abcdef", nil, 401), ("0.0.0.0", "0123456789abcdef", "Bearer 0123456789abcdef", 200),
        ] as [(String, String?, String?, Int)])
    func exposed(_ host: String, _ token: String?, _ header: String?, _ status: Int) async throws {
        let emulator = try await TestEmulator { $0.controlToken = token }
        let headers: HTTPFields = header.map { [.authorization: $0] } ?? [:]
        try await emulator.emulator.application(host: host, port: 0).test(.router) { client in
            for path in ["/emulator/portal", "//emulator/portal", "/emulator//portal/"] {
                let answer = try await client.executeRequest(uri: path, method: .get, headers: headers, body: nil)
                #expect(answer.status.code == status)
            }
            #expect(
                try await client.executeRequest(uri: "/auth/keys", method: .get, headers: [:], body: nil).status == .ok)
        }
    }

    private static let forwarding: [[String: String]] = [
        ["x-forwarded-for": "192.0.2.7"], ["X-Forwarded-Proto": "https"], ["x-forwarded-host": "127.0.0.1"],
        ["forwarded": "for=127.0.0.1"], ["via": "1.1 proxy"], ["x-real-ip": "127.0.0.1"], ["x-forwarded-for": ""],
    ]

    @Test("a request that a proxy forwarded needs the token, whatever its Host", arguments: forwarding)
    func forwarded(_ headers: [String: String]) async throws {
        let bare = try await TestEmulator()
        let token = "0123456789abcdef"
        let guarded = try await TestEmulator { $0.controlToken = token }
        for path in ["/emulator/portal", "/emulator/snapshot", "/settings", "/mail"] {
            let refused = try await bare.get(path, headers: headers)
            #expect(refused.status == 403)
            #expect(!refused.text.contains("PRIVATE KEY"))
            #expect(refused.text.contains("SIWA_EMULATE_CONTROL_TOKEN"), "it says what opens it")
            let isControl = path.hasPrefix("/emulator")
            let proof = isControl ? "Bearer \(token)" : "Basic " + Data("me:\(token)".utf8).base64EncodedString()
            let opened = try await guarded.send(
                .get, path, headers: headers.merging(["authorization": proof]) { $1 }, authority: "apple.example")
            #expect(opened.status == 200)
        }
        #expect(try await bare.get("/auth/keys", headers: headers).status == 200, "Apple's own addresses are open")
        #expect(try await bare.get(TestEmulator.authorizePath(), headers: headers).status == 200)
    }

    @Test("the token doesn't open the calls to other sites' pages")
    func tokenOfAnotherSite() async throws {
        let emulator = try await TestEmulator { $0.controlToken = "0123456789abcdef" }
        for foreign in [["sec-fetch-site": "cross-site"], ["origin": "https://evil.example"]] {
            let headers = foreign.merging(["authorization": "Bearer 0123456789abcdef"]) { $1 }
            #expect(try await emulator.get("/emulator/portal", headers: headers).status == 403)
        }
    }

    @Test(
        "only an address of this machine is a local peer",
        arguments: [
            ("127.0.0.1", true), ("127.8.9.10", true), ("::1", true), ("::ffff:127.0.0.1", true),
            ("192.0.2.7", false), ("10.0.0.1", false), ("2001:db8::1", false), ("fe80::1", false),
            ("::ffff:192.0.2.7", false), ("0.0.0.0", false), ("::", false),
        ])
    func peer(_ address: String, isLocal: Bool) throws {
        let peer = EmulatorContext.Peer.connection(try SocketAddress(ipAddress: address, port: 40_000))
        #expect(peer.isLocal == isLocal)
        let request = Request(
            head: HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:4010", path: "/emulator/portal"),
            body: RequestBody(buffer: ByteBuffer()))
        #expect((LocalAccess(isExposed: false).objection(to: request, from: peer) == nil) == isLocal)
        #expect(LocalAccess(isExposed: true).objection(to: request, from: peer) != nil)
        #expect(LocalAccess.isLoopback(listeningOn: address) == isLocal)
    }

    @Test(
        "a host name to listen on counts as loopback only if it is localhost",
        arguments: ["localhost", "emulator", "0.0.0.0", ""])
    func listeningOn(_ host: String) {
        #expect(LocalAccess.isLoopback(listeningOn: host) == (host == "localhost"))
    }

    @Test("a short control token is refused at the start")
    func shortToken() async throws {
        await #expect(throws: EmulatorError(.invalidConfiguration, "")) {
            try await TestEmulator { $0.controlToken = "short" }
        }
    }
}
