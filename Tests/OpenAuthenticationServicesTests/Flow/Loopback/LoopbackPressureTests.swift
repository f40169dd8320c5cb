import Foundation
import Testing

@testable import OpenAuthenticationServices

@Suite("Loopback listener: connections that interfere", .timeLimit(.minutes(2)))
struct LoopbackPressureTests {
    static let id = "aut_0123456789abcdef"

    private func started(
        _ limits: LoopbackLimits = .patient
    ) throws -> (listener: RedirectListener, port: UInt16, right: String) {
        let listener = try RedirectListener(limits: limits)
        listener.expect(id: Self.id)
        let url = try #require(URL(string: listener.redirectURI))
        let port = UInt16(try #require(url.port))
        let right = "GET \(url.path())?handle=right&id=\(Self.id) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
        return (listener, port, right)
    }

    @Test("Two hundred unfinished requests don't delay the right one")
    func halfRequests() async throws {
        let (listener, port, right) = try started()
        var idle: [RawConnection] = []
        for index in 0..<200 {
            let connection = try RawConnection(port: port)
            if index % 2 == 0 { connection.send("GET / HT") }
            idle.append(connection)
        }
        async let redirect = listener.redirect()
        #expect(try await RawConnection.exchange(right, port: port).hasPrefix("HTTP/1.1 200"))
        #expect(try await redirect == .handle("right"))
        idle.forEach { $0.close() }
    }

    @Test("A request may come in pieces of one byte")
    func pieces() async throws {
        let (listener, port, right) = try started()
        let connection = try RawConnection(port: port)
        for character in right { connection.send(String(character)) }
        #expect(try await connection.received().hasPrefix("HTTP/1.1 200"))
        #expect(try await listener.redirect() == .handle("right"))
    }

    @Test("A head of more than eight kilobytes is refused at the limit, and changes nothing")
    func hugeHead() async throws {
        let (listener, port, right) = try started()
        let line = right.prefix { $0 != "\r\n" }
        let filler = "X-Filler: " + String(repeating: "x", count: 9000)
        #expect(try await RawConnection.exchange("\(line)\r\n\(filler)", port: port).hasPrefix("HTTP/1.1 404"))
        let whole = "\(line)\r\nHost: 127.0.0.1:\(port)\r\n\(filler)\r\n\r\n"
        #expect(try await RawConnection.exchange(whole, port: port).hasPrefix("HTTP/1.1 404"))
        async let redirect = listener.redirect()
        #expect(try await RawConnection.exchange(right, port: port).hasPrefix("HTTP/1.1 200"))
        #expect(try await redirect == .handle("right"))
    }

    @Test("A connection is closed at its time limit, whatever it does")
    func timeLimit() async throws {
        var limits = LoopbackLimits()
        limits.connection = .milliseconds(20)
        let (listener, port, _) = try started(limits)
        let silent = try RawConnection(port: port)
        let half = try RawConnection(port: port)
        half.send("GET / HTTP/1.1\r\n")
        #expect(try await silent.received().isEmpty)
        #expect(try await half.received().isEmpty)
        await listener.stop()
    }

    @Test("Beyond the limit of connections the oldest is closed")
    func tooMany() async throws {
        var limits = LoopbackLimits.patient
        limits.connections = 2
        let (listener, port, _) = try started(limits)
        let connections = try (0..<3).map { _ in try RawConnection(port: port) }
        #expect(try await connections[0].received().isEmpty)
        connections[2].send("GET / HTTP/1.1\r\n\r\n")
        #expect(try await connections[2].received().hasPrefix("HTTP/1.1 404"))
        await listener.stop()
    }

    @Test("If many right requests come at once, exactly one succeeds")
    func onlyOne() async throws {
        let (listener, port, right) = try started()
        let connections = try (0..<20).map { _ in try RawConnection(port: port) }
        connections.forEach { $0.send(right) }
        var successes = 0
        for connection in connections where try await connection.received().hasPrefix("HTTP/1.1 200") { successes += 1 }
        #expect(successes == 1)
        #expect(try await listener.redirect() == .handle("right"))
    }

    #if os(Linux)
        @Test("Sockets are not inherited by started programs, and don't block")
        func descriptors() throws {
            let listening = try LoopbackSocket.listening(on: .ipv4, port: 0)
            let client = try RawConnection(port: listening.port())
            _ = LoopbackSocket.wait([(socket: listening, writing: false)], limit: -1)
            guard case .connection(let accepted) = listening.accept() else {
                Issue.record("nothing accepted")
                return
            }
            let pair = try LoopbackSocket.pair()
            for socket in [listening, accepted, pair.readable, pair.writable] {
                let flags = try String(contentsOfFile: "/proc/self/fdinfo/\(socket.descriptor)", encoding: .utf8)
                let line = try #require(flags.split(separator: "\n").first { $0.hasPrefix("flags:") })
                let value = try #require(Int32(line.split(separator: "\t")[1], radix: 8))
                #expect(value & O_CLOEXEC != 0)
                #expect(value & O_NONBLOCK != 0)
                socket.close()
            }
            client.close()
        }
    #endif

    @Test("Stopping closes the port and every connection")
    func stopping() async throws {
        let (listener, port, _) = try started()
        let open = try RawConnection(port: port)
        await listener.stop()
        #expect(throws: RawConnection.Refused.self) { try RawConnection(port: port) }
        #expect(try await open.received().isEmpty)
        await #expect(throws: CancellationError.self) { try await listener.redirect() }
        await listener.stop()
    }

    @Test("A cancelled wait ends at once")
    func cancellation() async throws {
        let (listener, _, _) = try started()
        let waiting = Task { try await listener.redirect() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        await listener.stop()
    }
}
