// Microsoft documents these declarations:
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in of the Windows SDK's module, for `check.py`: the part of Winsock that the loopback listener uses, with the
// types that Swift sees on Windows, on top of the sockets of this machine. It ships nowhere.
//
// Each declaration is Microsoft's: the pages are below https://learn.microsoft.com/windows/win32/api/ at the place that
// stands beside it. What Swift makes of macros and of BOOL is in the module's overlay,
// https://github.com/swiftlang/swift/blob/main/stdlib/public/Windows/WinSDK.swift.
//
// Where Winsock differs from POSIX and the listener depends on it, the stand-in follows Winsock: nothing works before
// WSAStartup, errors come from WSAGetLastError with Winsock's numbers, and a new socket is inherited by other programs
// until SetHandleInformation says otherwise.

import Foundation
import Glibc

// Types: winsock2.h, ws2def.h, ws2ipdef.h, basetsd.h, minwindef.h

public typealias SOCKET = UInt64
public typealias HANDLE = UnsafeMutableRawPointer
public typealias DWORD = UInt32
public typealias u_long = UInt32
public typealias ADDRESS_FAMILY = UInt16

public struct SOCKADDR {
    public var sa_family: ADDRESS_FAMILY = 0
    public var sa_data: (UInt64, UInt32, UInt16) = (0, 0, 0)
    public init() {}
}

public struct IN_ADDR {
    public struct Union {
        public var S_addr: UInt32 = 0
    }
    public var S_un = Union()
    public init() {}
}

public struct SOCKADDR_IN {
    public var sin_family: ADDRESS_FAMILY = 0
    public var sin_port: UInt16 = 0
    public var sin_addr = IN_ADDR()
    public var sin_zero: UInt64 = 0
    public init() {}
}

public struct IN6_ADDR {
    var words: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
    public init() {}
}

public struct SOCKADDR_IN6 {
    public var sin6_family: ADDRESS_FAMILY = 0
    public var sin6_port: UInt16 = 0
    public var sin6_flowinfo: UInt32 = 0
    public var sin6_addr = IN6_ADDR()
    public var sin6_scope_id: UInt32 = 0
    public init() {}
}

public struct SOCKADDR_STORAGE {
    public var ss_family: ADDRESS_FAMILY = 0
    var rest: (SOCKADDR_IN6, SOCKADDR_IN6, SOCKADDR_IN6, SOCKADDR_IN6) = (.init(), .init(), .init(), .init())
    public init() {}
}

public struct pollfd {
    public var fd: SOCKET
    public var events: Int16
    public var revents: Int16

    public init(fd: SOCKET, events: Int16, revents: Int16) {
        self.fd = fd
        self.events = events
        self.revents = revents
    }
}

public struct WSADATA {
    public var wVersion: UInt16 = 0
    public var wHighVersion: UInt16 = 0
    public init() {}
}

public struct IPPROTO: RawRepresentable {
    public var rawValue: Int32
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }
}

// Numbers: winsock2.h, ws2def.h, ws2ipdef.h, winerror.h

public var AF_INET: Int32 { 2 }
public var AF_INET6: Int32 { 23 }
public var SOCK_STREAM: Int32 { 1 }
public var SOL_SOCKET: Int32 { 0xFFFF }
public var SO_REUSEADDR: Int32 { 4 }
public var IPPROTO_IPV6: IPPROTO { IPPROTO(rawValue: 41) }
public var IPV6_V6ONLY: Int32 { 27 }
public var SOMAXCONN: Int32 { 0x7FFF_FFFF }
public var SD_SEND: Int32 { 1 }
public var SOCKET_ERROR: Int32 { -1 }
public var INVALID_SOCKET: SOCKET { SOCKET(bitPattern: -1) }
public var FIONBIO: Int32 { Int32(bitPattern: 0x8004_667E) }
public var HANDLE_FLAG_INHERIT: DWORD { 1 }
public var POLLERR: Int32 { 0x0001 }
public var POLLHUP: Int32 { 0x0002 }
public var POLLNVAL: Int32 { 0x0004 }
public var POLLWRNORM: Int32 { 0x0010 }
public var POLLRDNORM: Int32 { 0x0100 }
public var WSAEINTR: Int32 { 10004 }
public var WSAEACCES: Int32 { 10013 }
public var WSAEINVAL: Int32 { 10022 }
public var WSAEMFILE: Int32 { 10024 }
public var WSAEWOULDBLOCK: Int32 { 10035 }
public var WSAENOTSOCK: Int32 { 10038 }
public var WSAEADDRINUSE: Int32 { 10048 }
public var WSAEADDRNOTAVAIL: Int32 { 10049 }
public var WSAECONNRESET: Int32 { 10054 }
public var WSANOTINITIALISED: Int32 { 10093 }

// Calls: winsock/nf-winsock-wsastartup, winsock2/nf-winsock2-socket and so on, handleapi/nf-handleapi-sethandleinformation.
// One thread uses the stand-in.

nonisolated(unsafe) private var isStarted = false
nonisolated(unsafe) private var lastError: Int32 = 0

public func WSAGetLastError() -> Int32 { lastError }
public func GetLastError() -> DWORD { DWORD(bitPattern: lastError) }

public func WSAStartup(_ version: UInt16, _ data: UnsafeMutablePointer<WSADATA>!) -> Int32 {
    guard version == 0x0202 else { return 10092 }
    data.pointee.wVersion = version
    isStarted = true
    return 0
}

public func socket(_ family: Int32, _ type: Int32, _ proto: Int32) -> SOCKET {
    guard isStarted else { return failed(with: WSANOTINITIALISED) }
    guard type == SOCK_STREAM else { return failed(with: WSAEINVAL) }
    return made(Glibc.socket(family == AF_INET6 ? Glibc.AF_INET6 : Glibc.AF_INET, CInt(Glibc.SOCK_STREAM.rawValue), 0))
}

public func accept(
    _ socket: SOCKET, _ address: UnsafeMutablePointer<SOCKADDR>!, _ size: UnsafeMutablePointer<Int32>!
) -> SOCKET {
    made(Glibc.accept(Int32(socket), nil, nil))
}

public func bind(_ socket: SOCKET, _ address: UnsafePointer<SOCKADDR>!, _ size: Int32) -> Int32 {
    told(withPOSIXAddress(address, size) { Glibc.bind(Int32(socket), $0, socklen_t(size)) })
}

public func connect(_ socket: SOCKET, _ address: UnsafePointer<SOCKADDR>!, _ size: Int32) -> Int32 {
    told(withPOSIXAddress(address, size) { Glibc.connect(Int32(socket), $0, socklen_t(size)) })
}

public func listen(_ socket: SOCKET, _ backlog: Int32) -> Int32 {
    told(Glibc.listen(Int32(socket), backlog))
}

public func getsockname(
    _ socket: SOCKET, _ address: UnsafeMutablePointer<SOCKADDR>!, _ size: UnsafeMutablePointer<Int32>!
) -> Int32 {
    size.withMemoryRebound(to: socklen_t.self, capacity: 1) { size in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { told(Glibc.getsockname(Int32(socket), $0, size)) }
    }
}

public func getpeername(
    _ socket: SOCKET, _ address: UnsafeMutablePointer<SOCKADDR>!, _ size: UnsafeMutablePointer<Int32>!
) -> Int32 {
    size.withMemoryRebound(to: socklen_t.self, capacity: 1) { size in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { told(Glibc.getpeername(Int32(socket), $0, size)) }
    }
}

public func setsockopt(
    _ socket: SOCKET, _ level: Int32, _ option: Int32, _ value: UnsafePointer<CChar>!, _ size: Int32
) -> Int32 {
    switch (level, option) {
    // SO_EXCLUSIVEADDRUSE: on Linux a port is exclusive.
    case (SOL_SOCKET, ~SO_REUSEADDR): return 0
    case (IPPROTO_IPV6.rawValue, IPV6_V6ONLY):
        return told(
            Glibc.setsockopt(Int32(socket), CInt(Glibc.IPPROTO_IPV6), Glibc.IPV6_V6ONLY, value, socklen_t(size)))
    default: return failed(with: WSAEINVAL)
    }
}

public func ioctlsocket(_ socket: SOCKET, _ command: Int32, _ value: UnsafeMutablePointer<u_long>!) -> Int32 {
    guard command == FIONBIO else { return failed(with: WSAEINVAL) }
    let flags = fcntl(Int32(socket), F_GETFL)
    return told(fcntl(Int32(socket), F_SETFL, value.pointee == 0 ? flags & ~O_NONBLOCK : flags | O_NONBLOCK))
}

public func recv(_ socket: SOCKET, _ buffer: UnsafeMutablePointer<CChar>!, _ size: Int32, _ flags: Int32) -> Int32 {
    told(Int32(Glibc.recv(Int32(socket), buffer, Int(size), 0)))
}

public func send(_ socket: SOCKET, _ buffer: UnsafePointer<CChar>!, _ size: Int32, _ flags: Int32) -> Int32 {
    told(Int32(Glibc.send(Int32(socket), buffer, Int(size), CInt(MSG_NOSIGNAL))))
}

public func shutdown(_ socket: SOCKET, _ how: Int32) -> Int32 {
    guard how == SD_SEND else { return failed(with: WSAEINVAL) }
    return told(Glibc.shutdown(Int32(socket), CInt(Glibc.SHUT_WR)))
}

public func closesocket(_ socket: SOCKET) -> Int32 {
    told(Glibc.close(Int32(socket)))
}

public func WSAPoll(_ sockets: UnsafeMutablePointer<pollfd>!, _ count: UInt32, _ limit: Int32) -> Int32 {
    // Winsock refuses an empty list, and bits that it only returns.
    let sockets = UnsafeMutableBufferPointer(start: sockets, count: Int(count))
    guard count > 0, sockets.allSatisfy({ Int32($0.events) & ~(POLLRDNORM | POLLWRNORM) == 0 }) else {
        return failed(with: WSAEINVAL)
    }
    var polled = sockets.map { socket in
        Glibc.pollfd(
            fd: Int32(socket.fd), events: Int16(Int32(socket.events) == POLLWRNORM ? POLLOUT : POLLIN), revents: 0)
    }
    let ready = told(poll(&polled, nfds_t(count), limit))
    for (index, answer) in polled.enumerated() {
        var events: Int32 = 0
        if Int32(answer.revents) & POLLIN != 0 { events |= POLLRDNORM }
        if Int32(answer.revents) & POLLOUT != 0 { events |= POLLWRNORM }
        if Int32(answer.revents) & Glibc.POLLERR != 0 { events |= POLLERR }
        if Int32(answer.revents) & Glibc.POLLHUP != 0 { events |= POLLHUP }
        sockets[index].revents = Int16(events)
    }
    return ready
}

public func SetHandleInformation(_ handle: HANDLE!, _ mask: DWORD, _ flags: DWORD) -> Bool {
    guard mask == HANDLE_FLAG_INHERIT else { return false }
    return fcntl(Int32(Int(bitPattern: handle)), F_SETFD, flags == 0 ? FD_CLOEXEC : 0) == 0
}

/// Copies an address, and translates its family: 23 is IPv6's number on Windows, and not here.
private func withPOSIXAddress(
    _ address: UnsafePointer<SOCKADDR>!, _ size: Int32, _ body: (UnsafePointer<sockaddr>) -> CInt
) -> CInt {
    var storage = sockaddr_storage()
    return withUnsafeMutableBytes(of: &storage) { bytes in
        bytes.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(size)))
        let family = bytes.load(as: ADDRESS_FAMILY.self)
        bytes.storeBytes(
            of: sa_family_t(Int32(family) == AF_INET6 ? Glibc.AF_INET6 : Glibc.AF_INET), as: sa_family_t.self)
        return body(bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self))
    }
}

private func made(_ descriptor: Int32) -> SOCKET {
    told(descriptor) < 0 ? INVALID_SOCKET : SOCKET(descriptor)
}

private func failed<Number: FixedWidthInteger>(with error: Int32) -> Number {
    lastError = error
    // SOCKET_ERROR and INVALID_SOCKET.
    return Number(truncatingIfNeeded: -1)
}

private func told(_ status: Int32) -> Int32 {
    guard status < 0 else { return status }
    let numbers = [
        EAGAIN: WSAEWOULDBLOCK, EINTR: WSAEINTR, EACCES: WSAEACCES, EMFILE: WSAEMFILE, ENOTSOCK: WSAENOTSOCK,
        EADDRINUSE: WSAEADDRINUSE, EADDRNOTAVAIL: WSAEADDRNOTAVAIL, ECONNRESET: WSAECONNRESET, EBADF: WSAENOTSOCK,
    ]
    return failed(with: numbers[errno] ?? WSAEINVAL)
}
