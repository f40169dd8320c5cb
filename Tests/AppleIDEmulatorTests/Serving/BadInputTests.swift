import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import AppleIDEmulator

@Suite("Bad input")
struct BadInputTests {
    struct Body: CustomTestStringConvertible, Sendable {
        let name: String
        let bytes: [UInt8]
        var status = 400
        /// Not percent-encoded, which Apple counts among the causes of `invalid_client`.
        var isUnencoded = false
        var testDescription: String { name }
    }

    static let forms = [
        Body(name: "nothing", bytes: []),
        Body(name: "ten megabytes", bytes: [UInt8](repeating: 0x61, count: 10_000_000), status: 413),
        Body(name: "one byte too many", bytes: [UInt8](repeating: 0x61, count: 65_537), status: 413),
        Body(name: "half an escape", bytes: Array("code=%4".utf8), isUnencoded: true),
        Body(name: "no escape", bytes: Array("code=%zz".utf8), isUnencoded: true),
        Body(name: "fullwidth digits", bytes: Array("code=%４１".utf8), isUnencoded: true),
        Body(name: "raw bytes", bytes: [0x63, 0x3d, 0xff, 0xfe], isUnencoded: true),
        Body(name: "raw UTF-8", bytes: Array("code=é".utf8), isUnencoded: true),
        Body(name: "escaped broken UTF-8", bytes: Array("code=%C3%28".utf8)),
        Body(name: "overlong UTF-8", bytes: Array("code=%C0%80".utf8)),
        Body(name: "surrogate", bytes: Array("code=%ED%A0%80".utf8)),
        Body(name: "U+0000", bytes: Array("code=%00".utf8)),
        Body(name: "no name", bytes: Array("=x".utf8)),
        Body(name: "empty pairs", bytes: Array("a=1&&b=2".utf8)),
        Body(name: "a thousand fields", bytes: Array((0..<1000).map { "f\($0)=1" }.joined(separator: "&").utf8)),
        Body(name: "JSON", bytes: Array("{}".utf8)),
    ]

    @Test("a malformed form gets a clear answer, on both endpoints that take one", arguments: forms)
    func form(_ body: Body) async throws {
        let emulator = try await TestEmulator()
        let headers = ["content-type": "application/x-www-form-urlencoded", "accept": "application/json"]
        for path in ["/auth/token", "/auth/authorize/decision"] {
            let answer = try await emulator.send(.post, path, headers: headers, body: body.bytes)
            #expect(answer.status == body.status)
            let isClients = body.isUnencoded && path == "/auth/token"
            #expect(answer.error == (isClients ? "invalid_client" : "invalid_request"))
            #expect(try answer.json["error_description"] is String == !isClients)
        }
    }

    @Test(
        "a malformed JSON body gets a clear answer",
        arguments: [
            Body(name: "nothing", bytes: []),
            Body(name: "ten megabytes", bytes: [UInt8](repeating: 0x20, count: 10_000_000), status: 413),
            Body(name: "array", bytes: Array("[]".utf8)),
            Body(name: "text", bytes: Array("\"x\"".utf8)),
            Body(name: "cut off", bytes: Array("{\"person\":".utf8)),
            Body(name: "member twice", bytes: Array(#"{"person":"johnny","person":"johnny"}"#.utf8)),
            Body(name: "deep", bytes: Array((String(repeating: "[", count: 30_000)).utf8)),
            Body(name: "broken UTF-8", bytes: [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
            Body(name: "escaped U+0000", bytes: Array(#"{"person":"a\u0000"}"#.utf8)),
            Body(name: "lone surrogate", bytes: Array(#"{"person":"\ud800"}"#.utf8)),
            Body(name: "no person", bytes: Array("{}".utf8)),
            Body(name: "null person", bytes: Array(#"{"person":null}"#.utf8)),
        ])
    func json(_ body: Body) async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.send(
            .post, "/emulator/authorizations", headers: ["content-type": "application/json"], body: body.bytes)
        #expect(answer.status == body.status)
        #expect(answer.error != nil)
        #expect(try answer.json["message"] is String)
    }

    @Test(
        "a malformed query gets a clear answer",
        arguments: ["", "?", "?%", "?client_id=%ff", "?client_id=%00", "?=", "?client_id=é", "?a#b", "?&&&"])
    func query(_ query: String) async throws {
        let emulator = try await TestEmulator()
        for path in ["/auth/authorize", "/auth/authorize/sheet"] {
            #expect(try await emulator.get(path + query).status == 400)
        }
    }

    @Test(
        "another method gets 405 with the allowed methods",
        arguments: [
            ("/auth/token", HTTPRequest.Method.get, "POST"), ("/auth/token", .head, "POST"),
            ("/auth/token", .put, "POST"), ("/auth/keys", .post, "GET, HEAD"), ("/", .delete, "GET, HEAD"),
            ("/auth/revoke", .get, "POST"),
            ("/auth/authorize", .post, "GET, HEAD"), ("/auth/authorize/decision", .get, "POST"),
            ("/emulator/portal", .patch, "GET, HEAD"), ("/emulator/authorizations", .options, "POST"),
        ])
    func methods(_ path: String, _ method: HTTPRequest.Method, _ allowed: String) async throws {
        let emulator = try await TestEmulator()
        let answer = try await emulator.send(method, path)
        #expect(answer.status == 405)
        #expect(answer.headers[.allow] == allowed)
    }

    @Test(
        "HEAD is GET without the body",
        arguments: ["/", "/auth/keys", "/.well-known/openid-configuration", "/assets/emulator.css", "/emulator/portal"])
    func head(_ path: String) async throws {
        let emulator = try await TestEmulator()
        let get = try await emulator.get(path)
        let head = try await emulator.send(.head, path)
        #expect(get.status == 200)
        #expect(head.status == 200)
        #expect(head.text.isEmpty)
        #expect(head.headers[.contentLength] == get.headers[.contentLength])
    }

    @Test(
        "an unknown path gets 404, as a page or as JSON",
        arguments: ["/nothing", "/emulator/nothing", "/auth/nothing", "/%2e%2e/etc/passwd", "//", "/emulator"])
    func notFound(_ path: String) async throws {
        let emulator = try await TestEmulator()
        let page = try await emulator.get(path)
        #expect(page.status == (path == "//" ? 200 : 404))
        #expect(try await emulator.get(path, headers: ["accept": "application/json"]).status == page.status)
    }

    @Test("large bodies and headers are refused over a socket, too, and plain requests are answered")
    func live() async throws {
        let emulator = try await TestEmulator()
        let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        try await emulator.emulator.application(port: 0).test(.live) { client in
            let large = ByteBuffer(repeating: 0x61, count: 1_000_000)
            let answer = try await client.executeRequest(
                uri: "/auth/token", method: .post, headers: form, body: large)
            #expect(answer.status == .contentTooLarge)
        }
        try await emulator.emulator.application(port: 0).test(.live) { client in
            let headers: HTTPFields = [.cookie: String(repeating: "x", count: 20_000)]
            let answer = try await client.executeRequest(uri: "/", method: .get, headers: headers, body: nil)
            #expect(answer.status == .badRequest)
        }
        try await emulator.emulator.application(port: 0).test(.live) { client in
            let answer = try await client.executeRequest(
                uri: "/auth/token", method: .post, headers: form, body: ByteBuffer(string: "grant_type=x"))
            #expect(answer.status == .badRequest)
            #expect(String(buffer: answer.body).contains("unsupported_grant_type"))
        }
    }
}
