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

    /// How much of the file the writer and each look-up keep in memory: 4 MiB, twice SQLite's usual, in which the upper
    /// levels of the tables have room when a million people have accounts.
    static func keepPages(of database: Database) throws {
        // Negative is in KiB.
        try database.execute(sql: "PRAGMA cache_size = -4096")
    }

    /// Makes a commit wait for the disk. GRDB's pool sets NORMAL after all that its configuration can say, so this
    /// comes later; and since a setting that did not take would lose what was acknowledged, each is read back.
    static func makeDurable(_ database: Database) throws {
        try database.execute(sql: "PRAGMA synchronous = FULL")
        // What a savepoint needs to undo itself stays in memory, not in a temporary file.
        try database.execute(sql: "PRAGMA temp_store = MEMORY")
        // Holds what a full group of new people changes. Pages beyond that go into the log before the commit, and some
        // of them twice. A larger one costs: in a file below 1 GiB, a commit that has put a B-tree's pages in order
        // makes SQLite look at every page it holds.
        try keepPages(of: database)
        // SQLite overwrites deleted rows with zeros. Only some systems build it so that it does this by default.
        try database.execute(sql: "PRAGMA secure_delete = ON")
        // That is for ``Checkpoints``: no commit copies the log.
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
            throw AccountError(
                .configuration, "SQLite's \(pragma) is \(found ?? "unknown") and cannot be set to \(expected).")
        }
    }
}
