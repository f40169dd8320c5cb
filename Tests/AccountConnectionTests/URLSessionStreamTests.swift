import Foundation
import Testing

@testable import AccountConnection

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Foundation's client as transport of streams", .timeLimit(.minutes(2)))
struct URLSessionStreamTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"

    private func open(
        _ server: RawServer, _ transport: ServiceTransport = .urlSession
    ) async throws -> ServiceStream {
        let open = try #require(transport.stream)
        return try await open(
            ServiceRequest(
                method: "GET", path: "/v1/x", url: server.url.appending(path: "v1/x"),
                headers: ["Last-Event-ID": "7"]))
    }

    @Test("Data is handed on before the answer has ended")
    func pieces() async throws {
        let server = try RawServer(answer: Self.head + "data: x\n\n", staysOpen: true)
        defer { server.stop() }
        let stream = try await open(server)
        #expect(stream.status == 200)
        #expect(stream.headers.contains { $0.key.lowercased() == "content-type" && $0.value == "text/event-stream" })
        var text = ""
        for try await piece in stream.body {
            text += String(decoding: piece, as: UTF8.self)
            if text.hasSuffix("\n\n") { break }
        }
        #expect(text == "data: x\n\n")
        #expect(server.requests.first?.lowercased().contains("last-event-id: 7\r\n") == true)
    }

    #if canImport(FoundationNetworking)
        @Test("A stream comes over a connection that has had an answer")
        func sameConnection() async throws {
            let server = try RawServer(answer: Self.head + "data: x\n\n", staysOpen: true)
            defer { server.stop() }
            let stream = try await open(server)
            #expect(stream.status == 200)
            #expect(server.requests.count == 1)
            #expect(server.connections == 1)
        }

        @Test(
            "A stream opens whatever a server answers to the request that opens the connection",
            arguments: [
                "", "HTTP/1.1 200 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                "HTTP/1.1 302 X\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n",
            ])
        func health(answer: String) async throws {
            let server = try RawServer(answer: Self.head + "data: x\n\n", staysOpen: true, health: answer)
            defer { server.stop() }
            #expect(try await open(server).status == 200)
            #expect(server.requests.first?.hasPrefix("GET /v1/x HTTP/1.1\r\n") == true)
        }

        @Test("A server that doesn't answer the request that opens the connection is given up")
        func silentHealth() async throws {
            let server = try RawServer(answer: nil, health: nil)
            defer { server.stop() }
            let error = await #expect(throws: URLError.self) {
                try await open(server, .urlSession(quietStream: .seconds(1)))
            }
            #expect(error?.code == .timedOut)
        }
    #endif

    #if canImport(Glibc)
        @Test("A stream that waits for data uses no processor")
        func processor() async throws {
            let server = try RawServer(answer: Self.head + ": \n\n", staysOpen: true)
            defer { server.stop() }
            let silence = Duration.seconds(1)
            let stream = try await open(server, .urlSession(quietStream: silence))
            let start = Duration.ofProcessor
            await #expect(throws: URLError.self) {
                for try await _ in stream.body {}
            }
            #expect(Duration.ofProcessor - start < silence / 2)
        }
    #endif

    @Test("An answer that ends ends the stream", arguments: [200, 401])
    func end(status: Int) async throws {
        let server = try RawServer(
            answer: "HTTP/1.1 \(status) X\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi")
        defer { server.stop() }
        let stream = try await open(server)
        #expect(stream.status == status)
        #expect(await stream.answer(upTo: 100).body == Data("hi".utf8))
    }

    @Test("A refusal that is too long is cut off")
    func tooLong() async throws {
        let server = try RawServer(
            answer: "HTTP/1.1 401 X\r\nConnection: close\r\n\r\n" + String(repeating: "x", count: 5000))
        defer { server.stop() }
        let stream = try await open(server)
        #expect(await stream.answer(upTo: 100).body.count <= 100)
    }

    @Test("A stream that falls silent breaks off, and so does a server that never answers", arguments: [true, false])
    func silence(answers: Bool) async throws {
        let server = try RawServer(answer: answers ? Self.head + ": \n\n" : nil, staysOpen: true)
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            let stream = try await open(server, .urlSession(quietStream: .milliseconds(300)))
            for try await _ in stream.body {}
        }
        #expect(error?.code == .timedOut)
    }

    @Test("A redirect is the answer, and never ends the program", arguments: 0..<20)
    func redirect(time: Int) async throws {
        let other = try RawServer(answer: Self.head)
        let server = try RawServer(
            answer: "HTTP/1.1 307 X\r\nLocation: \(other.url)/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        defer {
            server.stop()
            other.stop()
        }
        #expect(try await open(server).status == 307)
        #expect(other.requests.isEmpty)
    }

    @Test("A cancelled task ends the waiting for an answer at once")
    func cancellation() async throws {
        let server = try RawServer(answer: nil)
        defer { server.stop() }
        let task = Task { try await open(server) }
        try await server.connection()
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
    }
}
