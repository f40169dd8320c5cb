#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

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

    #if canImport(Glibc)
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
