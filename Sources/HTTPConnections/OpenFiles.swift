#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#elseif canImport(Glibc)
    import Glibc
#endif

/// The system's limit on the files and sockets that this process has open at once.
package enum OpenFiles {
    /// The two limits that a system has.
    package struct Limits: Hashable, Sendable {
        /// The limit in force.
        package var soft: Int
        /// The limit up to which the process may raise the soft one.
        package var hard: Int
    }

    /// The limits; nil when the system doesn't tell them.
    package static var limits: Limits? { read().map { Limits($0) } }

    /// Raises the soft limit to the hard one.
    /// - Returns: the limits from before; nil when the system doesn't tell them.
    @discardableResult
    package static func raise() -> Limits? {
        guard var limit = read() else { return nil }
        let before = Limits(limit)
        limit.rlim_cur = limit.rlim_max
        #if canImport(Darwin)
            // setrlimit refuses more than this, although getrlimit calls the hard limit infinite.
            limit.rlim_cur = min(limit.rlim_cur, rlim_t(OPEN_MAX))
        #endif
        // Every process may do that. If the system refuses it all the same, the soft limit stays.
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
