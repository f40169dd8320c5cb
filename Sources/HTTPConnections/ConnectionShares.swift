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
