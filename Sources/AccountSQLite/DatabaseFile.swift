import AccountDatabase
import Foundation
import GRDB

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A database's place on disk.
struct DatabaseFile {
    let path: String

    /// Makes the file, and its folder, for their owner alone, unless they are there: what is there is left as it is.
    ///
    /// SQLite would make the file readable by everybody; its side files take after the file.
    func createIfMissing() throws {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        if !FileManager.default.fileExists(atPath: folder) {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw SQLDatabaseError(.configuration, "The database's folder cannot be made.", cause: error)
            }
        }
        let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        let failure = errno
        if descriptor >= 0 {
            close(descriptor)
        } else if failure != EEXIST {
            let cause = POSIXErrorCode(rawValue: failure).map { POSIXError($0) }
            throw SQLDatabaseError(.configuration, "The database's file cannot be made.", cause: cause)
        }
    }
}

extension DatabasePool {
    /// The time between two attempts to open the file, in seconds.
    private static let pause = 0.005

    /// Opens a file and sees to it that it has a write-ahead log.
    ///
    /// SQLite waits for every lock but the one under which a file gets its log: two connections that each read the file
    /// would wait for each other. Another process that makes the same new file ready has that lock for a moment; so a
    /// refused attempt is tried again. To be called on a thread that may wait.
    /// - Parameter busyTimeout: the time to wait for other processes, in seconds.
    static func withLog(path: String, busyTimeout: Double) throws -> DatabasePool {
        let configuration = DatabaseSettings.configuration(label: "siwa", busyTimeout: busyTimeout)
        let deadline = ContinuousClock.now + .seconds(busyTimeout)
        while true {
            do {
                return try DatabasePool(path: path, configuration: configuration)
            } catch let error as DatabaseError
                where error.resultCode == .SQLITE_BUSY && ContinuousClock.now < deadline
            {
                Thread.sleep(forTimeInterval: pause)
            }
        }
    }
}

/// The settings of every connection of ours, and those that are read back before the first write.
enum DatabaseSettings {
    static func configuration(label: String, busyTimeout: Double) -> Configuration {
        var configuration = Configuration()
        configuration.label = label
        configuration.busyMode = .timeout(busyTimeout)
        configuration.foreignKeysEnabled = true
        configuration.maximumReaderCount = SharedReads.lanes
        return configuration
    }

    /// Makes a connection fail at once instead of waiting for a lock. It is called after opening, which may have to
    /// wait for another process.
    static func disableWaiting(_ database: Database) throws {
        try database.execute(sql: "PRAGMA busy_timeout = 0")
    }

    /// Lets the writer and each look-up keep 4 MiB of the file in memory, twice SQLite's default. The upper levels of
    /// the tables fit into it when a million people have accounts.
    static func keepPages(of database: Database) throws {
        // Negative is in KiB.
        try database.execute(sql: "PRAGMA cache_size = -4096")
    }

    /// Makes a commit wait for the disk. GRDB's pool sets NORMAL after all that its configuration can say, so this
    /// comes later; and since a setting that did not take would lose what was acknowledged, each is read back.
    static func makeDurable(_ database: Database) throws {
        try database.execute(sql: "PRAGMA synchronous = FULL")
        // The pages that a savepoint needs to undo itself stay in memory, not in a temporary file.
        try database.execute(sql: "PRAGMA temp_store = MEMORY")
        // The cache holds the pages that a full group of new people changes. Further pages go into the log before the
        // commit, and some of them twice. A larger one costs: in a file below 1 GiB, a commit that has put a B-tree's
        // pages in order makes SQLite visit every page it holds.
        try keepPages(of: database)
        // SQLite overwrites deleted rows with zeros. Only some systems build it so that it does this by default.
        try database.execute(sql: "PRAGMA secure_delete = ON")
        // No commit copies the log: ``Checkpoints`` does that.
        try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        try require("journal_mode", is: "wal", in: database)
        try require("synchronous", is: "2", in: database)
        try require("secure_delete", is: "1", in: database)
        try requireForeignKeys(database)
    }

    static func requireForeignKeys(_ database: Database) throws {
        try require("foreign_keys", is: "1", in: database)
    }

    private static func require(_ pragma: String, is expected: String, in database: Database) throws {
        let found = try String.fetchOne(database, sql: "PRAGMA \(pragma)")
        guard found == expected else {
            throw SQLDatabaseError(
                .configuration, "SQLite's \(pragma) is \(found ?? "unknown") and cannot be set to \(expected).")
        }
    }
}
