#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// How the connections that a process may have are divided.
package struct ConnectionShares: Hashable, Sendable {
    /// Kept for the database, requests to Apple, webhooks, event loops, and Dispatch: it ends the whole process when it
    /// cannot open a file.
    package static let reserve = 128
    /// How many connections to a database server the reserve allows for. More of them are kept besides.
    package static let databaseConnectionsInReserve = 32
    /// Below this a server does not start: too few connections would be left.
    package static let leastFiles = 192
    /// The limit on open files of most systems.
    package static let usualFiles = 1_024
    /// Unless an operator asks for more: some systems let a process have a thousand million files.
    package static let mostByDefault = 10_000
    /// Kept for the management address out of all, so that nobody outside can shut an operator's programs out.
    package static let forManagement = 16

    /// All connections of the process, from outside and to the management address.
    package let all: Int
    /// How many one address may have.
    package let perAddress: Int
    /// How many may carry a stream of events.
    package let streams: Int

    /// - Parameters:
    ///   - openFiles: How many files the process may have open; the system is asked otherwise.
    ///   - maximum: How many connections an operator asks for. The system's limit goes before it.
    ///   - perAddress: How many an operator lets one address have; 0 for any number. A quarter of all otherwise: a
    ///     network of many people behind one address gets far with it, and one stranger cannot take all.
    package init(
        openFiles: Int = OpenFiles.limits?.soft ?? Self.usualFiles, maximum: Int? = nil, perAddress: Int? = nil
    ) {
        let most = max(1, openFiles - Self.reserve)
        all = min(maximum ?? Self.mostByDefault, most)
        self.perAddress =
            switch perAddress {
            case 0: all
            case let bound?: min(bound, all)
            case nil: max(1, all / 4)
            }
        streams = max(1, all / 2)
    }

    /// The connections of the public address beside a management address.
    package var besideManagement: Int { max(1, all - min(Self.forManagement, all / 4)) }
}

/// How many files and sockets the system lets this process have open at once.
package enum OpenFiles {
    package struct Limits: Hashable, Sendable {
        /// The limit in force.
        package var soft: Int
        /// How far the process may raise it.
        package var hard: Int
    }

    /// Nil when the system does not say.
    package static var limits: Limits? { read().map { Limits($0) } }

    /// Raises the soft limit to the hard one.
    /// - Returns: The limits from before; nil when the system does not say.
    @discardableResult
    package static func raise() -> Limits? {
        guard var limit = read() else { return nil }
        let before = Limits(limit)
        limit.rlim_cur = limit.rlim_max
        #if canImport(Darwin)
            // setrlimit refuses more than this, although getrlimit calls the hard limit infinite.
            limit.rlim_cur = min(limit.rlim_cur, rlim_t(OPEN_MAX))
        #endif
        // It may raise to the hard limit by right; where it is refused all the same, the soft one holds on.
        _ = unsafe setrlimit(resource, &limit)
        return before
    }

    #if canImport(Darwin)
        private static var resource: Int32 { Darwin.RLIMIT_NOFILE }
    #elseif canImport(Glibc)
        private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #else
        private static var resource: Int32 { Int32(RLIMIT_NOFILE) }
    #endif

    private static func read() -> rlimit? {
        var limit = rlimit()
        return unsafe getrlimit(resource, &limit) == 0 ? limit : nil
    }
}

extension OpenFiles.Limits {
    fileprivate init(_ limit: rlimit) {
        self.init(soft: Int(clamping: limit.rlim_cur), hard: Int(clamping: limit.rlim_max))
    }
}
