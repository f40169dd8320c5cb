#if PostgreSQL
    import TaskSignals

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Darwin
    #endif

    /// One of the servers that an address names: an entry of libpq's lists `host`, `hostaddr` and `port`.
    struct PostgresHost: Hashable, Sendable {
        /// A name, a numeric address or the folder of a socket; nil where there is only `address`.
        var name: String?
        /// The numeric address to connect to; nil where `name` says it.
        var address: String?
        var port: String?

        /// Reads the lists by libpq's rules: one port is for all hosts, and an empty one is 5432.
        /// - Returns: an empty list where no host is named, and for lists that only libpq can read or refuse.
        static func list(names: String?, addresses: String?, ports: String?) -> [Self] {
            let (names, addresses, ports) = (elements(of: names), elements(of: addresses), elements(of: ports))
            let count = max(names.count, addresses.count)
            guard names.isEmpty || names.count == count, addresses.isEmpty || addresses.count == count,
                ports.count <= 1 || ports.count == count, !names.contains(""), !addresses.contains("")
            else { return [] }
            return (0..<count).map { index in
                let port = ports.count > 1 ? ports[index] : ports.first
                return Self(
                    name: names.isEmpty ? nil : names[index], address: addresses.isEmpty ? nil : addresses[index],
                    port: port == "" ? "5432" : port)
            }
        }

        private static func elements(of list: String?) -> [String] {
            guard let list, !list.isEmpty else { return [] }
            return list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }

        /// The host once for each address that its name has now. If the name has none, libpq says why.
        func resolved() -> [Self] {
            guard address == nil, let name, !name.hasPrefix("/"), !name.hasPrefix("@") else { return [self] }
            let addresses = Self.addresses(of: name)
            return addresses.isEmpty ? [self] : addresses.map { Self(name: name, address: $0, port: port) }
        }

        /// The numeric addresses of a name. It waits for the name service as libpq would, without a time limit.
        static func addresses(of name: String) -> [String] {
            var first: UnsafeMutablePointer<addrinfo>?
            var hints = unsafe addrinfo()
            guard unsafe getaddrinfo(name, nil, &hints, &first) == 0 else { return [] }
            defer { unsafe freeaddrinfo(first) }
            var addresses: [String] = []
            var next = unsafe first
            while let entry = unsafe next {
                // Longer than every numeric address.
                var text = [CChar](repeating: 0, count: 128)
                let status = unsafe getnameinfo(
                    entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0,
                    NI_NUMERICHOST)
                let address = String(
                    decoding: text.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
                // An address comes once for each kind of socket.
                if status == 0, !addresses.contains(address) { addresses.append(address) }
                unsafe next = entry.pointee.ai_next
            }
            return addresses
        }
    }

    /// Opens connections to the servers that an address names.
    ///
    /// While the caller watches the socket, libpq sets no time limit for a server. A machine that is gone, and refuses nothing,
    /// would use up the time for those after it. So this tries one server at a time, and each has its share.
    final class PostgresHosts: Sendable {
        private let parameters: PostgresParameters
        /// The server that took the last connection. The next connection tries it first, for any worker.
        private let last = Lock<PostgresHost?>(nil)

        init(_ parameters: PostgresParameters) {
            self.parameters = parameters
        }

        /// Connects to the first server that takes the connection.
        ///
        /// A server has an equal part of the time that the servers before it have left.
        /// - Throws: ``PostgresFailure``, with the messages of all servers. It is of the kind `timedOut` if one of them was.
        func connect(until deadline: ContinuousClock.Instant) throws(PostgresFailure) -> PostgresLink {
            var hosts = parameters.hosts.flatMap { $0.resolved() }
            if let last = last.withLock({ $0 }), let index = hosts.firstIndex(of: last) {
                hosts.remove(at: index)
                hosts.insert(last, at: 0)
            }
            guard hosts.count > 1 else {
                return try PostgresLink(hosts.first.map { parameters.only($0) } ?? parameters, until: deadline)
            }
            var failures: [PostgresFailure] = []
            for (index, host) in hosts.enumerated() {
                let share = ContinuousClock.now.duration(to: deadline) / (hosts.count - index)
                do throws(PostgresFailure) {
                    let link = try PostgresLink(parameters.only(host), until: .now + share)
                    last.withLock { $0 = host }
                    return link
                } catch {
                    failures.append(error)
                }
            }
            throw PostgresFailure(
                failures.contains { $0.kind == .timedOut } ? .timedOut : .lost,
                message: failures.map(\.message).joined(separator: "; "))
        }
    }
#endif
