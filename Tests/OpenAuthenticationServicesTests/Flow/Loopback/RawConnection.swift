import Foundation
import TaskSignals

@testable import OpenAuthenticationServices

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A TCP connection to this machine that sends what it is told, well-formed or not.
final class RawConnection: Sendable {
    struct Refused: Error {}

    private let socket: LoopbackSocket
    private let isClosed = Lock(false)

    init(port: UInt16, family: LoopbackSocket.Family = .ipv4) throws {
        #if canImport(Glibc)
            let type = CInt(SOCK_STREAM.rawValue)
        #else
            let type = Darwin.SOCK_STREAM
        #endif
        let descriptor = Self.makeSocket(family, type)
        socket = LoopbackSocket(descriptor: descriptor)
        let status =
            switch family {
            case .ipv4: Self.connect(descriptor, Self.ipv4(port))
            case .ipv6: Self.connect(descriptor, Self.ipv6(port))
            }
        // All members are there, so throwing deinitialises this, which closes the socket.
        guard status == 0 else { throw Refused() }
    }

    deinit { close() }

    func send(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            guard let count = socket.write(rest), count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Everything until the other side closes.
    func received() async throws -> String {
        let all = OneShot<String>()
        Thread { [socket] in
            var bytes: [UInt8] = []
            reading: while true {
                switch socket.read(atMost: 65_536) {
                case .bytes(let more): bytes += more
                case .nothing: continue
                case .end: break reading
                }
            }
            all.deliver(.success(String(decoding: bytes, as: UTF8.self)))
        }.start()
        return try await all.value()
    }

    func close() {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        if isFirst { socket.close() }
    }

    /// Sends one request and returns the whole answer.
    static func exchange(_ text: String, port: UInt16, family: LoopbackSocket.Family = .ipv4) async throws -> String {
        let connection = try RawConnection(port: port, family: family)
        connection.send(text)
        return try await connection.received()
    }

    private static func ipv4(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func ipv6(_ port: UInt16) -> sockaddr_in6 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_addr = in6addr_loopback
        return address
    }

    private static func makeSocket(_ family: LoopbackSocket.Family, _ type: CInt) -> CInt {
        #if canImport(Glibc)
            Glibc.socket(family == .ipv4 ? AF_INET : AF_INET6, type, 0)
        #else
            Darwin.socket(family == .ipv4 ? AF_INET : AF_INET6, type, 0)
        #endif
    }

    private static func connect<Address>(_ descriptor: CInt, _ address: Address) -> CInt {
        unsafe withUnsafePointer(to: address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                #if canImport(Glibc)
                    unsafe Glibc.connect(descriptor, pointer, socklen_t(MemoryLayout<Address>.size))
                #else
                    unsafe Darwin.connect(descriptor, pointer, socklen_t(MemoryLayout<Address>.size))
                #endif
            }
        }
    }
}
