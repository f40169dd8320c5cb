/// The numbers of connections that a process accepts, in all and for each purpose.
package struct ConnectionShares: Hashable, Sendable {
    /// The number of files that are kept for the database, requests to Apple, webhooks, event loops, and Dispatch, which
    /// ends the whole process when it cannot open a file.
    package static let reserve = 128
    /// The number of connections to a database server that ``reserve`` includes. Files for more are kept besides.
    package static let databaseConnectionsInReserve = 32
    /// The minimum number of open files with which a server starts. With fewer, too few connections would be left.
    package static let leastFiles = 192
    /// The limit on open files of most systems.
    package static let usualFiles = 1_024
    /// The maximum number of connections, unless an operator sets one. Some systems allow a process a thousand million
    /// files.
    package static let defaultMaximum = 10_000
    /// The number of connections that are kept for the management address, so that outside clients can't keep an
    /// operator's programs out.
    package static let forManagement = 16

    /// All connections of the process, from outside and to the management address.
    package let all: Int
    /// The maximum number of connections from one address.
    package let perAddress: Int
    /// The maximum number of connections that carry a stream of events.
    package let streams: Int

    /// - Parameters:
    ///   - openFiles: the number of files that the process may have open; by default the system's limit.
    ///   - maximum: the number of connections that an operator sets. The system's limit goes before it.
    ///   - perAddress: the number of connections that an operator allows one address; 0 for any number. The default is a
    ///     quarter of all: it suffices for a network of many people behind one address, and one client can't take all.
    package init(
        openFiles: Int = OpenFiles.limits?.soft ?? Self.usualFiles, maximum: Int? = nil, perAddress: Int? = nil
    ) {
        let most = max(1, openFiles - Self.reserve)
        all = min(maximum ?? Self.defaultMaximum, most)
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
