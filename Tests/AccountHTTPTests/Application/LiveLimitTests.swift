import AccountAPI
import AccountHTTP
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

/// Limits that only a connection shows.
@Suite("Limits of a connection", .timeLimit(.minutes(1)))
struct LiveLimitTests {
    @Test("Ten megabytes are refused, and the connection goes on")
    func tenMegabytes() async throws {
        try await withService(over: .live) { client, _ in
            let body = ByteBuffer(repeating: UInt8(ascii: " "), count: 10_485_760)
            try await client.send(.post, "/v1/challenges", [.contentType: "application/json"], body: body)
                .expectError(.bodyTooLarge, 413)
            #expect(try await client.post("/v1/challenges", json: "{}").status == .ok)
        }
    }

    @Test("A chunked body is accepted, and refused when it is too large")
    func chunked() async throws {
        try await withService(over: .live) { client, _ in
            let headers: HTTPFields = [.contentType: "application/json", .transferEncoding: "chunked"]
            let port = try #require(client.base.port)
            func post(_ body: ByteBuffer) async throws -> HTTPResponse.Status {
                try await HummingbirdTesting.TestClient.withClient(host: "localhost", port: port) { raw in
                    try await raw.execute(
                        .init(
                            "/v1/challenges", method: .post, authority: "localhost", headers: headers, body: body)
                    ).status
                }
            }
            #expect(try await post(ByteBuffer(string: "{}")) == .ok)
            #expect(try await post(ByteBuffer(repeating: UInt8(ascii: " "), count: 200_000)) == .contentTooLarge)
        }
    }

    @Test("A body that doesn't arrive in time ends the request")
    func slowBody() async throws {
        let limits = HTTPLimits(bodyTimeout: .milliseconds(100))
        try await withService(.juice(limits: limits), over: .live) { client, _ in
            let port = try #require(client.base.port)
            try await HummingbirdTesting.TestClient.withClient(host: "localhost", port: port) { raw in
                let headers: HTTPFields = [.contentType: "application/json", .contentLength: "10"]
                let answer = try await raw.execute(
                    .init("/v1/challenges", method: .post, authority: "localhost", headers: headers))
                #expect(answer.status == .requestTimeout)
                #expect(answer.headers[.connection] == "close")
                let body = String(buffer: answer.body ?? ByteBuffer())
                let envelope = try JSONDecoder().decode(ErrorEnvelope.self, from: Data(body.utf8))
                #expect(envelope.error.code == .requestTimeout)
                // Nobody knows what would come next on this connection, so it ends.
                try await raw.getChannel().closeFuture.get()
            }
        }
    }

    @Test("A connection without requests is closed")
    func idle() async throws {
        let limits = HTTPLimits(idleTimeout: .milliseconds(100))
        try await withService(.juice(limits: limits), over: .live) { client, _ in
            let port = try #require(client.base.port)
            try await HummingbirdTesting.TestClient.withClient(host: "localhost", port: port) { raw in
                try await raw.getChannel().closeFuture.get()
            }
        }
    }

    @Test("Headers and request lines that are too long are refused")
    func headers() async throws {
        try await withService(over: .live) { client, _ in
            let port = try #require(client.base.port)
            let name = try #require(HTTPField.Name("X-Long"))
            let long = String(repeating: "a", count: 20_000)
            for request in [
                HummingbirdTesting.TestClient.Request(
                    "/healthz", method: .get, authority: "localhost", headers: [name: long]),
                .init("/healthz?" + long, method: .get, authority: "localhost"),
                .init(
                    "/healthz", method: .get, authority: "localhost",
                    headers: HTTPFields((0..<200).map { HTTPField(name: name, value: "\($0)") })),
            ] {
                let status = try await HummingbirdTesting.TestClient.withClient(host: "localhost", port: port) { raw in
                    try await raw.execute(request).status
                }
                #expect(status == .badRequest)
            }
        }
    }

    @Test("Requests on one connection don't affect each other")
    func keepAlive() async throws {
        try await withService(over: .live) { client, _ in
            for _ in 0..<3 {
                #expect(try await client.post("/v1/challenges", json: "{}").status == .ok)
                try await client.post("/v1/challenges", json: "{").expectError(.malformedJSON, 400)
                #expect(try await client.send(.get, "/healthz", body: ByteBuffer(string: "useless")).status == .ok)
            }
        }
    }
}
