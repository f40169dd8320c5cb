#if !canImport(WinSDK) && !os(WASI)
    import Foundation

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Android)
        import Android
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Glibc)
        import Glibc
    #endif

    // The only unsafe code of the flow: each call hands the system a pointer that lives as long as the call.

    extension LoopbackSocket {
        static func listening(on family: Family, port: UInt16) throws -> Self {
            let socket = try Self(checking: socket(family == .ipv4 ? AF_INET : AF_INET6, streamType, 0))
            do {
                try socket.prepare()
                // Connections of an earlier listener still occupy the port for a minute; a listener still does, too.
                try socket.turnOn(SO_REUSEADDR, of: SOL_SOCKET)
                switch family {
                case .ipv4:
                    var address = sockaddr_in()
                    address.sin_family = sa_family_t(AF_INET)
                    address.sin_port = port.bigEndian
                    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
                    try socket.bind(to: address)
                case .ipv6:
                    try socket.turnOn(IPV6_V6ONLY, of: CInt(IPPROTO_IPV6))
                    var address = sockaddr_in6()
                    address.sin6_family = sa_family_t(AF_INET6)
                    address.sin6_port = port.bigEndian
                    address.sin6_addr = in6addr_loopback
                    try socket.bind(to: address)
                }
                try check(listen(socket.descriptor, CInt(SOMAXCONN)))
                return socket
            } catch {
                socket.close()
                throw error
            }
        }

        /// Two ends, of which the first becomes readable when something is written to the second.
        ///
        /// Sockets and no pipe, whose ends are kept from other programs only in a second step.
        static func pair() throws -> (readable: Self, writable: Self) {
            var ends: [CInt] = [-1, -1]
            try check(unsafe socketpair(AF_UNIX, streamType, 0, &ends))
            let pair = (readable: Self(descriptor: ends[0]), writable: Self(descriptor: ends[1]))
            do {
                try pair.readable.prepare()
                try pair.writable.prepare()
                return pair
            } catch {
                pair.readable.close()
                pair.writable.close()
                throw error
            }
        }

        /// The port that the system has chosen.
        func port() throws -> UInt16 {
            var address = sockaddr_storage()
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    unsafe getsockname(descriptor, pointer, &size)
                }
            }
            try Self.check(status)
            // The port stands at the same place for both families.
            return unsafe withUnsafeBytes(of: &address) { bytes in
                unsafe UInt16(bytes[2]) << 8 | UInt16(bytes[3])
            }
        }

        func accept() -> Acceptance {
            let accepted = systemAccept(descriptor, nil, nil)
            guard accepted >= 0 else {
                return [EAGAIN, EWOULDBLOCK, EINTR, ECONNABORTED].contains(errno) ? .nobody : .exhausted
            }
            let socket = Self(descriptor: accepted)
            do {
                // This is a second step, since Swift does not see `accept4`. A program that starts in between may keep
                // the connection open, but not the port.
                try socket.prepare()
                return .connection(socket)
            } catch {
                socket.close()
                return .nobody
            }
        }

        func read(atMost count: Int) -> Reading {
            var buffer = [UInt8](repeating: 0, count: count)
            let received = unsafe systemRead(descriptor, &buffer, count)
            if received > 0 { return .bytes(buffer.prefix(received)) }
            if received < 0, [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) { return .nothing }
            return .end
        }

        /// - Returns: how many bytes the system has taken; nil when the other side is gone.
        func write(_ bytes: ArraySlice<UInt8>) -> Int? {
            let sent = unsafe bytes.withUnsafeBytes { buffer in
                unsafe systemSend(descriptor, buffer.baseAddress, buffer.count, sendFlags)
            }
            if sent >= 0 { return sent }
            return [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) ? 0 : nil
        }

        /// Wakes who waits for the other end of a pair.
        func signal() {
            // A full one is as good: its reader is about to wake.
            _ = write([1])
        }

        /// The other side reads to the end; this one may still read.
        func endWriting() {
            _ = shutdown(descriptor, CInt(shutdownWriting))
        }

        func close() {
            _ = systemClose(descriptor)
        }

        /// Waits until one of the sockets is ready.
        /// - Parameter limit: in milliseconds; negative for none.
        /// - Returns: for each whether it is ready, or broken, which the next read or write tells.
        static func wait(_ interests: [(socket: Self, writing: Bool)], limit: Int32) -> [Bool] {
            var polled = interests.map { interest in
                pollfd(
                    fd: interest.socket.descriptor, events: Int16(interest.writing ? POLLOUT : POLLIN), revents: 0)
            }
            guard unsafe poll(&polled, nfds_t(polled.count), limit) > 0 else {
                return interests.map { _ in false }
            }
            return polled.map { $0.revents != 0 }
        }

        // Never blocks its thread, and is closed in the programs that this one starts: the browser must not keep the
        // port.
        private func prepare() throws {
            try Self.check(fcntl(descriptor, F_SETFD, FD_CLOEXEC))
            let flags = fcntl(descriptor, F_GETFL)
            try Self.check(flags)
            try Self.check(fcntl(descriptor, F_SETFL, flags | O_NONBLOCK))
            #if canImport(Darwin)
                try turnOn(SO_NOSIGPIPE, of: SOL_SOCKET)
            #endif
        }

        private func turnOn(_ option: CInt, of level: CInt) throws {
            var on: CInt = 1
            try Self.check(unsafe setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<CInt>.size)))
        }

        private func bind<Address>(to address: Address) throws {
            try unsafe withUnsafePointer(to: address) { pointer in
                try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    try Self.check(unsafe systemBind(descriptor, pointer, socklen_t(MemoryLayout<Address>.size)))
                }
            }
        }

        private init(checking descriptor: CInt) throws {
            try Self.check(descriptor)
            self.init(descriptor: descriptor)
        }

        private static func check(_ status: CInt) throws {
            guard status < 0 else { return }
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    // The system's functions that a method here has the name of, and what the systems spell differently.
    #if canImport(Darwin)
        private let (systemAccept, systemBind, systemClose) = unsafe (Darwin.accept, Darwin.bind, Darwin.close)
        private let (systemRead, systemSend) = unsafe (Darwin.read, Darwin.send)
        private let streamType = Darwin.SOCK_STREAM
        private let sendFlags: CInt = 0
    #elseif canImport(Android)
        private let (systemAccept, systemBind, systemClose) = unsafe (Android.accept, Android.bind, Android.close)
        private let (systemRead, systemSend) = unsafe (Android.read, Android.send)
        private let streamType = CInt(SOCK_STREAM) | CInt(SOCK_CLOEXEC)
        private let sendFlags = CInt(MSG_NOSIGNAL)
    #elseif canImport(Musl)
        private let (systemAccept, systemBind, systemClose) = unsafe (Musl.accept, Musl.bind, Musl.close)
        private let (systemRead, systemSend) = unsafe (Musl.read, Musl.send)
        private let streamType = CInt(SOCK_STREAM) | CInt(SOCK_CLOEXEC)
        private let sendFlags = CInt(MSG_NOSIGNAL)
    #else
        private let (systemAccept, systemBind, systemClose) = unsafe (Glibc.accept, Glibc.bind, Glibc.close)
        private let (systemRead, systemSend) = unsafe (Glibc.read, Glibc.send)
        // In one step with the making, since another thread may start a program in between.
        private let streamType = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        private let sendFlags = CInt(MSG_NOSIGNAL)
    #endif
    private let shutdownWriting = SHUT_WR
#endif
