#if canImport(WinSDK)
    import WinSDK

    // Winsock in place of POSIX sockets. This code is type-checked and run against a stand-in of Winsock
    // (Tests/WinSDK), and was never built on Windows.
    //
    // As in the file for POSIX, each call hands the system a pointer that lives as long as the call.

    extension LoopbackSocket {
        static func listening(on family: Family, port: UInt16) throws -> Self {
            let socket = try Self.open(family)
            do {
                // Without this option another program may listen on the same port and take the connections:
                // https://learn.microsoft.com/windows/win32/winsock/using-so-reuseaddr-and-so-exclusiveaddruse
                // The header defines SO_EXCLUSIVEADDRUSE with a cast, which Swift does not see.
                try socket.turnOn(~SO_REUSEADDR, of: SOL_SOCKET)
                if family == .ipv6 { try socket.turnOn(IPV6_V6ONLY, of: IPPROTO_IPV6.rawValue) }
                try socket.bind(to: family, port: port)
                try check(WinSDK.listen(socket.descriptor, SOMAXCONN), "listen")
                try socket.prepare()
                return socket
            } catch {
                socket.close()
                throw error
            }
        }

        /// Two ends, of which the first becomes readable when something is written to the second.
        ///
        /// Winsock has no pairs, so one end connects to the other over 127.0.0.1. Another program could connect first:
        /// the accepted end must come from the other end's port.
        static func pair() throws -> (readable: Self, writable: Self) {
            let listener = try Self.listening(on: .ipv4, port: 0)
            defer { listener.close() }
            let writable = try Self.open(.ipv4)
            do {
                try writable.connect(to: .ipv4, port: listener.port())
                let own = try writable.port()
                while true {
                    _ = wait([(socket: listener, writing: false)], limit: -1)
                    switch listener.accept() {
                    case .nobody: continue
                    case .exhausted: throw WinsockError(call: "accept", code: WSAGetLastError())
                    case .connection(let readable):
                        guard try readable.isConnected(toPort: own) else {
                            readable.close()
                            continue
                        }
                        try writable.prepare()
                        return (readable, writable)
                    }
                }
            } catch {
                writable.close()
                throw error
            }
        }

        /// The port that the system has chosen.
        func port() throws -> UInt16 {
            try unsafe port(by: WinSDK.getsockname, "getsockname")
        }

        /// - Throws: When the connection is gone. The socket is closed then.
        private func isConnected(toPort port: UInt16) throws -> Bool {
            do {
                return try unsafe self.port(by: WinSDK.getpeername, "getpeername") == port
            } catch {
                close()
                throw error
            }
        }

        func accept() -> Acceptance {
            let accepted = WinSDK.accept(descriptor, nil, nil)
            guard accepted != INVALID_SOCKET else {
                return [WSAEWOULDBLOCK, WSAEINTR, WSAECONNRESET].contains(WSAGetLastError()) ? .nobody : .exhausted
            }
            let socket = Self(descriptor: accepted)
            do {
                try socket.keepFromPrograms()
                try socket.prepare()
                return .connection(socket)
            } catch {
                socket.close()
                return .nobody
            }
        }

        func read(atMost count: Int) -> Reading {
            var buffer = [UInt8](repeating: 0, count: count)
            let received = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe recv(descriptor, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(count), 0)
            }
            if received > 0 { return .bytes(buffer.prefix(Int(received))) }
            if received < 0, [WSAEWOULDBLOCK, WSAEINTR].contains(WSAGetLastError()) { return .nothing }
            return .end
        }

        /// - Returns: how many bytes the system has taken; nil when the other side is gone.
        func write(_ bytes: ArraySlice<UInt8>) -> Int? {
            let sent = unsafe bytes.withUnsafeBytes { bytes in
                unsafe send(
                    descriptor, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 0)
            }
            if sent >= 0 { return Int(sent) }
            return [WSAEWOULDBLOCK, WSAEINTR].contains(WSAGetLastError()) ? 0 : nil
        }

        /// Wakes who waits for the other end of a pair.
        func signal() {
            // A full one is as good: its reader is about to wake.
            _ = write([1])
        }

        /// The other side reads to the end; this one may still read.
        func endWriting() {
            _ = shutdown(descriptor, SD_SEND)
        }

        func close() {
            _ = closesocket(descriptor)
        }

        /// Waits until one of the sockets is ready.
        /// - Parameter limit: in milliseconds; negative for none.
        /// - Returns: for each whether it is ready, or broken, which the next read or write tells.
        static func wait(_ interests: [(socket: Self, writing: Bool)], limit: Int32) -> [Bool] {
            var polled = interests.map { interest in
                pollfd(
                    fd: interest.socket.descriptor, events: Int16(interest.writing ? POLLWRNORM : POLLRDNORM),
                    revents: 0)
            }
            guard unsafe WSAPoll(&polled, UInt32(polled.count), limit) > 0 else {
                return interests.map { _ in false }
            }
            return polled.map { $0.revents != 0 }
        }

        private static func open(_ family: Family) throws -> Self {
            // Winsock has to be started once. It is never stopped, since sockets are open until the process ends.
            guard WinsockStart.status == 0 else { throw WinsockError(call: "WSAStartup", code: WinsockStart.status) }
            let descriptor = WinSDK.socket(family == .ipv4 ? AF_INET : AF_INET6, SOCK_STREAM, 0)
            guard descriptor != INVALID_SOCKET else { throw WinsockError(call: "socket", code: WSAGetLastError()) }
            let socket = Self(descriptor: descriptor)
            do {
                try socket.keepFromPrograms()
                return socket
            } catch {
                socket.close()
                throw error
            }
        }

        // Never blocks its thread.
        private func prepare() throws {
            var on: u_long = 1
            try Self.check(unsafe ioctlsocket(descriptor, FIONBIO, &on), "ioctlsocket")
        }

        // Closed in the programs that this one starts: the browser must not keep the port.
        private func keepFromPrograms() throws {
            let handle = unsafe HANDLE(bitPattern: UInt(descriptor))
            guard unsafe SetHandleInformation(handle, HANDLE_FLAG_INHERIT, 0) else {
                throw WinsockError(call: "SetHandleInformation", code: Int32(bitPattern: GetLastError()))
            }
        }

        private func turnOn(_ option: Int32, of level: Int32) throws {
            var on: Int32 = 1
            let status = unsafe withUnsafeBytes(of: &on) { bytes in
                unsafe setsockopt(
                    descriptor, level, option, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                    Int32(bytes.count))
            }
            try Self.check(status, "setsockopt")
        }

        private func bind(to family: Family, port: UInt16) throws {
            let status = unsafe withLoopbackAddress(of: family, port: port) { address, size in
                unsafe WinSDK.bind(descriptor, address, size)
            }
            try Self.check(status, "bind")
        }

        private func connect(to family: Family, port: UInt16) throws {
            let status = unsafe withLoopbackAddress(of: family, port: port) { address, size in
                unsafe WinSDK.connect(descriptor, address, size)
            }
            try Self.check(status, "connect")
        }

        private func withLoopbackAddress(
            of family: Family, port: UInt16, _ body: (UnsafePointer<SOCKADDR>, Int32) -> Int32
        ) -> Int32 {
            switch family {
            case .ipv4:
                var address = SOCKADDR_IN()
                address.sin_family = ADDRESS_FAMILY(AF_INET)
                address.sin_port = port.bigEndian
                address.sin_addr.S_un.S_addr = UInt32(0x7F00_0001).bigEndian
                return unsafe Self.withBytes(of: address, body)
            case .ipv6:
                var address = SOCKADDR_IN6()
                address.sin6_family = ADDRESS_FAMILY(AF_INET6)
                address.sin6_port = port.bigEndian
                // ::1, fifteen zeros and a one.
                unsafe withUnsafeMutableBytes(of: &address.sin6_addr) { bytes in unsafe bytes[15] = 1 }
                return unsafe Self.withBytes(of: address, body)
            }
        }

        private static func withBytes<Address>(
            of address: Address, _ body: (UnsafePointer<SOCKADDR>, Int32) -> Int32
        ) -> Int32 {
            unsafe withUnsafePointer(to: address) { pointer in
                unsafe pointer.withMemoryRebound(to: SOCKADDR.self, capacity: 1) { pointer in
                    unsafe body(pointer, Int32(MemoryLayout<Address>.size))
                }
            }
        }

        private func port(
            by call: (SOCKET, UnsafeMutablePointer<SOCKADDR>?, UnsafeMutablePointer<Int32>?) -> Int32, _ name: String
        ) throws -> UInt16 {
            var address = SOCKADDR_STORAGE()
            var size = Int32(MemoryLayout<SOCKADDR_STORAGE>.size)
            let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: SOCKADDR.self, capacity: 1) { pointer in
                    unsafe call(descriptor, pointer, &size)
                }
            }
            try Self.check(status, name)
            // The port stands at the same place for both families.
            return unsafe withUnsafeBytes(of: &address) { bytes in
                unsafe UInt16(bytes[2]) << 8 | UInt16(bytes[3])
            }
        }

        private static func check(_ status: Int32, _ call: String) throws {
            guard status == SOCKET_ERROR else { return }
            throw WinsockError(call: call, code: WSAGetLastError())
        }
    }

    /// A call of Winsock that failed.
    struct WinsockError: Error, CustomStringConvertible {
        let call: String
        /// Winsock's number, such as 10048 for an address in use.
        let code: Int32

        var description: String { "\(call) failed with Winsock's error \(code)" }
    }

    private enum WinsockStart {
        /// Zero, or Winsock's number for what is wrong.
        static let status: Int32 = {
            var data = WSADATA()
            // Version 2.2, the newest.
            return unsafe WSAStartup(0x0202, &data)
        }()
    }
#endif
