import AccountService
import GRDB

/// What every connection of ours is set to, and what is read back before the first write.
enum DatabaseSettings {
    static func configuration(label: String, busyTimeout: Double) -> Configuration {
        var configuration = Configuration()
        configuration.label = label
        configuration.busyMode = .timeout(busyTimeout)
        configuration.foreignKeysEnabled = true
        configuration.maximumReaderCount = SharedReads.lanes
        return configuration
    }

    /// Makes a connection answer at once or not at all. Opening it may have to wait: another process may be opening the
    /// database too.
    static func makeImpatient(_ database: Database) throws {
        try database.execute(sql: "PRAGMA busy_timeout = 0")
    }

    /// Makes a commit wait for the disk. GRDB's pool sets NORMAL after all that its configuration can say, so this
    /// comes later; and since a setting that did not take would lose what was acknowledged, each is read back.
    static func makeDurable(_ database: Database) throws {
        try database.execute(sql: "PRAGMA synchronous = FULL")
        // What a savepoint needs to undo itself stays in memory, not in a temporary file.
        try database.execute(sql: "PRAGMA temp_store = MEMORY")
        // In KiB: holds the pages that a full group changes, which would else be written twice.
        try database.execute(sql: "PRAGMA cache_size = -16384")
        // That is for ``Checkpoints``: no commit copies the log.
        try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        try require("journal_mode", is: "wal", in: database)
        try require("synchronous", is: "2", in: database)
        try requireForeignKeys(database)
    }

    static func requireForeignKeys(_ database: Database) throws {
        try require("foreign_keys", is: "1", in: database)
    }

    private static func require(_ pragma: String, is expected: String, in database: Database) throws {
        let found = try String.fetchOne(database, sql: "PRAGMA \(pragma)")
        guard found == expected else {
            throw AccountError(
                .configuration, "SQLite's \(pragma) is \(found ?? "unknown") and cannot be set to \(expected).")
        }
    }
}
