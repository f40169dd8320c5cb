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

        /// Whether a server, with the address that it was found under, is one that this names.
        func includes(_ server: Self) -> Bool {
            name == server.name && port == server.port && (address == nil || address == server.address)
        }

        private static func elements(of list: String?) -> [String] {
            guard let list, !list.isEmpty else { return [] }
            return list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }

        /// The host once for each address that its name has now.
        /// - Throws: ``PostgresFailure`` of the kind `lost` for a name without an address, and of the kind `timedOut` if the
        ///   name service gave no answer until the deadline.
        func resolved(
            by lookUps: NameLookUps, until deadline: ContinuousClock.Instant
        ) throws(PostgresFailure) -> [Self] {
            guard address == nil, let name, !name.hasPrefix("/"), !name.hasPrefix("@") else { return [self] }
            guard let addresses = lookUps.addresses(of: name, until: deadline) else {
                throw PostgresFailure(.timedOut, message: "the name service does not answer for \(name)")
            }
            guard !addresses.isEmpty else { throw PostgresFailure(.lost, message: "no address is found for \(name)") }
            return addresses.map { Self(name: name, address: $0, port: port) }
        }

        /// The numeric addresses of a name. It waits for the name service as libpq would, without a time limit; ``NameLookUps``
        /// adds one.
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
        private let hosts: [PostgresHost]
        private let lookUps: NameLookUps
        /// The server that took the last connection. The next connection tries it first, for any worker.
        private let last = Lock<PostgresHost?>(nil)

        /// - Parameter hosts: The servers in place of those that the parameters name.
        init(_ parameters: PostgresParameters, hosts: [PostgresHost]? = nil, lookUps: NameLookUps = NameLookUps()) {
            self.parameters = parameters
            self.lookUps = lookUps
            self.hosts = hosts ?? parameters.hosts
        }

        /// Connects to the first server that takes the connection.
        ///
        /// A server has an equal part of the time that the servers before it have left. The address of the last connection is
        /// tried without a look-up, and a name is looked up when its turn comes: a name service that doesn't answer delays
        /// nothing before. What a look-up takes comes on top of the servers' time, and has a limit of its own.
        /// - Parameters:
        ///   - limits: The time limits for the servers and for a look-up.
        ///   - end: The time when everything has to be done, look-ups included.
        /// - Throws: ``PostgresFailure``, with the messages of all servers. It is of the kind `timedOut` if one of them was.
        func connect(
            within limits: PostgresLimits, until end: ContinuousClock.Instant
        ) throws(PostgresFailure) -> PostgresLink {
            var deadline = min(end, .now + limits.connecting)
            guard !hosts.isEmpty else { return try PostgresLink(parameters, until: deadline) }
            let known = last.withLock { $0 }
            var (names, failures) = (hosts, [PostgresFailure]())
            if let known, let index = names.firstIndex(where: { $0.includes(known) }) {
                names.insert(names.remove(at: index), at: 0)
            }
            var addresses = known.map { [$0] } ?? []
            while !addresses.isEmpty || !names.isEmpty {
                do throws(PostgresFailure) {
                    if addresses.isEmpty {
                        let begun = ContinuousClock.now
                        defer { deadline = min(end, deadline + begun.duration(to: .now)) }
                        let limit = begun + min(limits.lookingUp, begun.duration(to: end) / names.count)
                        addresses = try names.removeFirst().resolved(by: lookUps, until: limit)
                            .filter { $0 != known }
                        if addresses.isEmpty { continue }
                    }
                    let host = addresses.removeFirst()
                    let share = ContinuousClock.now.duration(to: deadline) / (addresses.count + names.count + 1)
                    let link = try PostgresLink(parameters.only(host), until: .now + share)
                    last.withLock { $0 = host }
                    return link
                } catch {
                    failures.append(error)
                }
            }
            if failures.count == 1 { throw failures[0] }
            throw PostgresFailure(
                failures.contains { $0.kind == .timedOut } ? .timedOut : .lost,
                message: failures.map(\.message).joined(separator: "; "))
        }
    }
#endif
