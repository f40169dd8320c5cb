// The listener's sockets for Windows, in a conversation with a plain client of this machine. `check.py` compiles it together
// with them, on the stand-in of Winsock.

import Foundation
import Glibc

@main
struct Conversation {
    static func main() throws {
        try listens(on: .ipv4)
        let hasIPv6 = hasIPv6
        if hasIPv6 { try listens(on: .ipv6) }
        try refusesTakenPort()
        try pairWakes()
        try keepsFromPrograms()
        print("the sockets for Windows: the conversation on the stand-in went well\(hasIPv6 ? "" : ", without IPv6")")
    }

    /// A container may have no ::1. Asked of the system itself, so that a wrong address in the listener shows.
    private static var hasIPv6: Bool {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_addr = in6addr_loopback
        let descriptor = socket(AF_INET6, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        } == 0
    }

    private static func listens(on family: LoopbackSocket.Family) throws {
        let listener = try LoopbackSocket.listening(on: family, port: 0)
        guard case .nobody = listener.accept() else { fail("somebody is there before anybody connects") }
        expect(wait(for: listener, limit: 0) == false, "nobody has connected yet")
        let client = Client(family: family, port: try listener.port())
        expect(wait(for: listener), "a connection makes the listener ready")
        guard case .connection(let connection) = listener.accept() else { fail("nobody was accepted") }
        guard case .nothing = connection.read(atMost: 16) else { fail("there is something to read before it is sent") }
        expect(wait(for: connection, writing: true), "a new connection can be written to")
        client.send("GET / HTTP/1.1\r\n\r\n")
        expect(wait(for: connection), "a request makes the connection ready")
        guard case .bytes(let bytes) = connection.read(atMost: 5) else { fail("the request cannot be read") }
        expect(String(decoding: bytes, as: UTF8.self) == "GET /", "the request arrives as it was sent")
        guard case .bytes(let rest) = connection.read(atMost: 100) else { fail("the rest cannot be read") }
        expect(rest.count == 13, "a read takes what is there")

        expect(connection.write(Array("hello".utf8)[...]) == 5, "an answer is taken")
        connection.endWriting()
        expect(client.readToEnd() == "hello", "the answer arrives, and ends")
        guard case .nothing = connection.read(atMost: 16) else { fail("the other side has not ended") }
        client.close()
        expect(wait(for: connection), "an end makes the connection ready")
        guard case .end = connection.read(atMost: 16) else { fail("the end is not seen") }
        connection.close()

        // A client that reads nothing: the system takes some bytes, then none.
        let slow = Client(family: family, port: try listener.port())
        expect(wait(for: listener), "a second client is there")
        guard case .connection(let full) = listener.accept() else { fail("the second client was not accepted") }
        let block = [UInt8](repeating: 65, count: 1 << 20)
        var written = 0
        while let count = full.write(block[...]), count > 0 { written += count }
        expect(written > 0 && full.write(block[...]) == 0, "a full connection takes nothing, and is not gone")
        slow.close()
        expect(wait(for: full, writing: true), "a broken connection is ready")
        while let count = full.write(block[...]), count >= 0 { _ = wait(for: full, writing: true) }
        full.close()
        listener.close()
    }

    private static func refusesTakenPort() throws {
        let listener = try LoopbackSocket.listening(on: .ipv4, port: 0)
        defer { listener.close() }
        do {
            try LoopbackSocket.listening(on: .ipv4, port: try listener.port()).close()
            fail("a taken port was given again")
        } catch let error as WinsockError {
            expect(error.code == 10048 && error.call == "bind", "\(error)")
            expect(error.description == "bind failed with Winsock's error 10048", "\(error)")
        }
    }

    private static func pairWakes() throws {
        let pair = try LoopbackSocket.pair()
        expect(wait(for: pair.readable, limit: 0) == false, "a new pair is quiet")
        pair.writable.signal()
        expect(wait(for: pair.readable), "a signal wakes")
        guard case .bytes(let bytes) = pair.readable.read(atMost: 64) else { fail("the signal cannot be read") }
        expect(bytes == [1], "a signal is one byte")
        // Others are quiet: each socket has its own place in the answer.
        let other = try LoopbackSocket.pair()
        other.writable.signal()
        let ready = LoopbackSocket.wait(
            [(socket: pair.readable, writing: false), (socket: other.readable, writing: false)], limit: 1000)
        expect(ready == [false, true], "\(ready)")
        for socket in [pair.readable, pair.writable, other.readable, other.writable] { socket.close() }
    }

    /// A program that this one starts keeps no socket open.
    private static func keepsFromPrograms() throws {
        let listener = try LoopbackSocket.listening(on: .ipv4, port: 0)
        let client = Client(family: .ipv4, port: try listener.port())
        _ = wait(for: listener)
        guard case .connection(let connection) = listener.accept() else { fail("nobody was accepted") }
        let pair = try LoopbackSocket.pair()
        for socket in [listener, connection, pair.readable, pair.writable] {
            let flags = fcntl(Int32(socket.descriptor), F_GETFD)
            expect(flags & FD_CLOEXEC != 0, "socket \(socket.descriptor) is inherited")
            expect(fcntl(Int32(socket.descriptor), F_GETFL) & O_NONBLOCK != 0, "socket \(socket.descriptor) blocks")
            socket.close()
        }
        client.close()
    }

    private static func wait(for socket: LoopbackSocket, writing: Bool = false, limit: Int32 = 5000) -> Bool {
        LoopbackSocket.wait([(socket: socket, writing: writing)], limit: limit)[0]
    }
}

/// A client that blocks, on POSIX sockets.
private struct Client {
    private let descriptor: Int32

    init(family: LoopbackSocket.Family, port: UInt16) {
        switch family {
        case .ipv4:
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            descriptor = Self.connected(AF_INET, to: address)
        case .ipv6:
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            descriptor = Self.connected(AF_INET6, to: address)
        }
    }

    private static func connected<Address>(_ family: Int32, to address: Address) -> Int32 {
        let descriptor = socket(family, CInt(SOCK_STREAM.rawValue), 0)
        let status = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                connect(descriptor, pointer, socklen_t(MemoryLayout<Address>.size))
            }
        }
        expect(status == 0, "connecting failed with \(errno)")
        return descriptor
    }

    func send(_ text: String) {
        expect(write(descriptor, text, text.utf8.count) == text.utf8.count, "sending failed with \(errno)")
    }

    func readToEnd() -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { text += buffer.prefix(count) }
        return String(decoding: text, as: UTF8.self)
    }

    func close() {
        _ = Glibc.close(descriptor)
    }
}

private func expect(_ condition: Bool, _ message: @autoclosure () -> String) {
    if !condition { fail(message()) }
}

private func fail(_ message: String) -> Never {
    print("error: the sockets for Windows: \(message)")
    exit(1)
}
