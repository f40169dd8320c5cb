import Foundation
import Testing

@testable import AccountConnection
@testable import OpenAuthenticationServices

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Foundation's client as transport", .timeLimit(.minutes(2)))
struct URLSessionTransportTests {
    private func request(_ server: RawServer) -> ServiceRequest {
        ServiceRequest(
            method: "POST", path: "/v1/x", url: server.url.appending(path: "v1/x"),
            headers: ["Content-Type": "application/json"], body: Data("{}".utf8))
    }

    @Test("The answer comes whatever its status", arguments: [200, 400, 503])
    func answer(status: Int) async throws {
        let server = try RawServer(
            answer: "HTTP/1.1 \(status) X\r\nContent-Length: 2\r\nRetry-After: 3\r\nConnection: close\r\n\r\nhi")
        defer { server.stop() }
        let answer = try await ServiceTransport.urlSession.send(request(server))
        #expect(answer.status == status)
        #expect(answer.body == Data("hi".utf8))
        #expect(answer.headers.contains { $0.key.lowercased() == "retry-after" && $0.value == "3" })
        let head = try #require(server.requests.first)
        #expect(head.hasPrefix("POST /v1/x HTTP/1.1\r\n"))
        #expect(head.contains("Content-Type: application/json\r\n"))
    }

    @Test("A redirect is the answer: the secrets of the request go nowhere else", arguments: [301, 302, 303, 307, 308])
    func redirect(status: Int) async throws {
        let other = try RawServer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        let server = try RawServer(
            answer: "HTTP/1.1 \(status) X\r\nLocation: \(other.url)/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        defer {
            server.stop()
            other.stop()
        }
        #expect(try await ServiceTransport.urlSession.send(request(server)).status == status)
        #expect(other.requests.isEmpty)
    }

    @Test("Cookies are neither kept nor sent, and nothing is answered from a cache")
    func nothingKept() async throws {
        let server = try RawServer(
            answer: "HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nCache-Control: max-age=600\r\nContent-Length: 0\r\n"
                + "Connection: close\r\n\r\n")
        defer { server.stop() }
        for _ in 0..<2 {
            var request = request(server)
            request.method = "GET"
            request.body = nil
            #expect(try await ServiceTransport.urlSession.send(request).status == 200)
        }
        #expect(server.requests.count == 2)
        #expect(!server.requests.contains { $0.lowercased().contains("\r\ncookie:") })
    }

    @Test("An answer that is too large is an error", arguments: [true, false])
    func tooLarge(hasLength: Bool) async throws {
        let body = String(repeating: "x", count: 5000)
        let server = try RawServer(
            answer: "HTTP/1.1 200 OK\r\n\(hasLength ? "Content-Length: 5000\r\n" : "")Connection: close\r\n\r\n\(body)")
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            try await ServiceTransport.urlSession(maximumAnswerBytes: 4999).send(request(server))
        }
        #expect(error?.code == .dataLengthExceedsMaximum)
        let answer = try await ServiceTransport.urlSession(maximumAnswerBytes: 5000).send(request(server))
        #expect(answer.body.count == 5000)
    }

    @Test("A server that says nothing is given up after the whole time")
    func silence() async throws {
        let server = try RawServer(answer: nil)
        defer { server.stop() }
        let error = await #expect(throws: URLError.self) {
            try await ServiceTransport.urlSession(whole: .milliseconds(100)).send(request(server))
        }
        #expect(error?.code == .timedOut)
    }

    @Test("A cancelled task ends the call at once")
    func cancellation() async throws {
        let server = try RawServer(answer: nil)
        defer { server.stop() }
        let request = request(server)
        let task = Task { try await ServiceTransport.urlSession.send(request) }
        try await server.connection()
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
    }

    @Test("If nobody listens at the port, the error is a URLError")
    func nobody() async throws {
        let socket = try LoopbackSocket.listening(on: .ipv4, port: 0)
        let url = try #require(URL(string: "http://127.0.0.1:\(try socket.port())/"))
        socket.close()
        await #expect(throws: URLError.self) {
            try await ServiceTransport.urlSession.send(ServiceRequest(method: "GET", path: "/", url: url))
        }
    }
}
