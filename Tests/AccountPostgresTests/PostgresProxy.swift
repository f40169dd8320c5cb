#if PostgreSQL
    import Foundation
    import Logging
    import TaskSignals
    import Testing

    @testable import AccountPostgres

    #if canImport(Darwin)
        import Darwin
    #endif

    /// A proxy between a database and its server. It notes every round trip, and can cut the connection at one of them.
    final class PostgresProxy: Sendable {
        /// The decision about one flight: the statements that a client sends before it waits for an answer.
        enum Decision {
            /// The server gets the flight, and the client the answers.
            case relay
            /// The connection ends before the server gets the flight.
            case dropFlight
            /// The server has answered the flight when the connection ends; the client gets no answer.
            case dropAnswers
        }

        let port: UInt16
        private let listener: Int32
        private let noted = Lock<[[String]]>([])
        private let decide = Lock<@Sendable ([String]) -> Decision>({ _ in .relay })

        private init() throws {
            let server = try UInt16(#require(TestDatabase.server().port))
            (listener, port) = try listenOnLoopback()
            let listener = listener
            Thread { [self] in
                while true {
                    let client = accept(listener, nil, nil)
                    guard client >= 0 else { return }
                    relay(client, to: server)
                }
            }.start()
        }

        /// Runs the work with a database behind a proxy and one connection. Both are closed afterwards.
        static func run<Value>(
            limits: PostgresLimits = PostgresLimits(),
            _ work: (PostgresDatabase, PostgresProxy, TestDatabase) async throws -> Value
        ) async throws -> Value {
            try await TestDatabase.run { test in
                let proxy = try PostgresProxy()
                var limits = limits
                limits.connections = 1
                let address = "postgres://siwa@127.0.0.1:\(proxy.port)/\(test.name)?sslmode=disable&gssencmode=disable"
                let database = PostgresDatabase(
                    try PostgresParameters(address), limits: limits, logger: Logger(label: "test"))
                let result: Result<Value, any Error>
                do {
                    result = .success(try await work(database, proxy, test))
                } catch {
                    result = .failure(error)
                }
                await database.close()
                shutdown(proxy.listener, Int32(SHUT_RDWR))
                close(proxy.listener)
                return try result.get()
            }
        }

        /// The texts of the statements in each flight since the last call.
        func takeFlights() -> [[String]] {
            noted.withLock { noted in
                defer { noted = [] }
                return noted
            }
        }

        /// Decides about every flight from now on, by the texts of its statements.
        func onFlight(_ decision: @escaping @Sendable ([String]) -> Decision) {
            decide.withLock { $0 = decision }
        }

        private func relay(_ client: Int32, to port: UInt16) {
            let server = makeSocket()
            let link = ProxiedLink(client: client, server: server)
            var address = loopback(port: port)
            let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                    unsafe connect(server, raw, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            guard isConnected else { return link.end() }
            Thread {
                while let bytes = receive(server), !link.dropsAnswers.withLock(\.self), transmit(bytes, to: client) {}
                link.end()
            }.start()
            Thread { [self] in
                var reader = FlightReader()
                while let bytes = receive(client) {
                    guard reader.read(bytes, handle: { handle($0, on: link) }) else { break }
                }
                link.end()
            }.start()
        }

        /// - Returns: false when the connection is to end.
        private func handle(_ flight: FlightReader.Flight, on link: ProxiedLink) -> Bool {
            if let statements = flight.statements {
                noted.withLock { $0.append(statements) }
                switch decide.withLock({ $0 })(statements) {
                case .relay: break
                case .dropFlight: return false
                case .dropAnswers: link.dropsAnswers.withLock { $0 = true }
                }
            }
            return transmit(flight.bytes, to: link.server)
        }
    }

    /// The two sockets of one connection, which are closed with this.
    private final class ProxiedLink: Sendable {
        let client: Int32
        let server: Int32
        let dropsAnswers = Lock(false)

        init(client: Int32, server: Int32) {
            self.client = client
            self.server = server
        }

        deinit {
            close(client)
            close(server)
        }

        func end() {
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(server, Int32(SHUT_RDWR))
        }
    }

    /// Reads what a client sends, message by message (PostgreSQL, "Message Formats").
    private struct FlightReader {
        struct Flight {
            var bytes: [UInt8] = []
            /// The texts of the statements; nil for a message that expects no statement's answer.
            var statements: [String]?
        }

        private var buffer: [UInt8] = []
        private var hasStarted = false
        private var flight = Flight()
        /// The texts of prepared statements, by name.
        private var prepared: [String: String] = [:]
        private var statements: [String] = []

        /// - Returns: false when `handle` has returned false.
        mutating func read(_ bytes: [UInt8], handle: (Flight) -> Bool) -> Bool {
            buffer += bytes
            while let message = nextMessage() {
                flight.bytes += message
                guard isEnd(message) else { continue }
                guard handle(flight) else { return false }
                flight = Flight()
            }
            return true
        }

        /// The first message has a length in its first four bytes; each later one has a letter before them.
        private mutating func nextMessage() -> [UInt8]? {
            let head = hasStarted ? 1 : 0
            guard buffer.count >= head + 4 else { return nil }
            let length = head + buffer[head..<head + 4].reduce(0) { $0 << 8 | Int($1) }
            guard buffer.count >= length else { return nil }
            defer { buffer.removeFirst(length) }
            hasStarted = true
            return Array(buffer.prefix(length))
        }

        /// Whether the client waits, or is gone, after this message.
        private mutating func isEnd(_ message: [UInt8]) -> Bool {
            let texts = message.dropFirst(5).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            switch message.first {
            case UInt8(ascii: "P"): prepared[texts[0]] = texts[1]
            case UInt8(ascii: "B"): statements.append(prepared[texts[1]] ?? "unknown")
            case UInt8(ascii: "D"), UInt8(ascii: "E"): break
            case UInt8(ascii: "S"):
                flight.statements = statements
                statements = []
                return true
            case UInt8(ascii: "Q"):
                flight.statements = [texts[0]]
                return true
            default: return true
            }
            return false
        }
    }

    /// A socket for TCP. The kind is an enumeration in glibc, and a number on Apple's systems.
    func makeSocket() -> Int32 {
        #if canImport(Darwin)
            socket(AF_INET, Darwin.SOCK_STREAM, 0)
        #else
            socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
    }

    /// Listens on a free port of this machine.
    func listenOnLoopback() throws -> (socket: Int32, port: UInt16) {
        let listener = makeSocket()
        var address = loopback(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                unsafe bind(listener, raw, length) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, raw, &length) == 0
            }
        }
        try #require(isListening)
        return (listener, address.sin_port.bigEndian)
    }

    private func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        return address
    }

    /// - Returns: nil when the connection has ended.
    private func receive(_ socket: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(socket, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    /// - Returns: false when the connection has ended.
    private func transmit(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { memory in
                unsafe send(socket, memory.baseAddress, memory.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
#endif
