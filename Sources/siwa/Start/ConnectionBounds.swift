import CommandIO
import HTTPConnections
import Logging

/// Finds out at the start how many connections this process may have, and makes it as many as the system allows.
enum ConnectionBounds {
    /// Raises the limit on open files, says so, and divides what it allows.
    /// - Parameters:
    ///   - maximum: How many connections an operator asks for; nil for the default.
    ///   - perAddress: How many of them one address may have; nil for the default.
    ///   - databaseConnections: How many connections to a database server are open at most.
    /// - Throws: ``Failure`` when the system allows too few files: Dispatch ends a process that has none left.
    static func prepare(
        maximum: Int?, perAddress: Int?, databaseConnections: Int = 0, logger: Logger
    ) throws -> ConnectionShares {
        let before = OpenFiles.raise()
        let files = OpenFiles.limits?.soft ?? ConnectionShares.usualFiles
        let forDatabase = max(0, databaseConnections - ConnectionShares.databaseConnectionsInReserve)
        guard files - forDatabase >= ConnectionShares.leastFiles else {
            throw Failure(
                "this process may have \(files) open files, and needs \(ConnectionShares.leastFiles + forDatabase)",
                hint: "raise the limit: ulimit -n 65536, or LimitNOFILE=65536 in a systemd unit")
        }
        let shares = ConnectionShares(openFiles: files - forDatabase, maximum: maximum, perAddress: perAddress)
        if let maximum, shares.all < maximum {
            logger.warning(
                "The limit on open files allows fewer connections than were asked for.",
                metadata: ["asked": "\(maximum)", "connections": "\(shares.all)", "files": "\(files)"])
        }
        logger.info(
            "The bounds on connections are set.",
            metadata: [
                "files": "\(files)", "filesBefore": "\(before?.soft ?? files)", "connections": "\(shares.all)",
                "perAddress": "\(shares.perAddress)", "streams": "\(shares.streams)",
            ])
        return shares
    }
}
