import GRDB
import GRDBSQLite

extension Database {
    /// How many pages this connection has written into the log since it was last asked.
    func takeWrittenPages() -> Int {
        var pages: Int32 = 0
        var highest: Int32 = 0
        let code = unsafe sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &pages, &highest, 1)
        return code == SQLITE_OK ? Int(pages) : 0
    }

    /// Copies from the log into the file what can be copied without waiting for anybody.
    /// - Returns: how many pages the log has, or nil while another process copies.
    @discardableResult
    func copyLog() throws -> Int? {
        var pages: Int32 = 0
        let code = unsafe sqlite3_wal_checkpoint_v2(sqliteConnection, nil, SQLITE_CHECKPOINT_PASSIVE, &pages, nil)
        guard code != SQLITE_BUSY else { return nil }
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: lastErrorMessage)
        }
        return Int(pages)
    }

    /// Copies the log to its end and empties its file, unless somebody is in the way: nobody is waited for.
    /// - Parameter busyTimeout: in seconds; what this connection waits for otherwise.
    /// - Returns: whether the file is empty.
    func emptyLog(busyTimeout: Double) throws -> Bool {
        _ = unsafe sqlite3_busy_timeout(sqliteConnection, 0)
        defer { _ = unsafe sqlite3_busy_timeout(sqliteConnection, Int32(busyTimeout * 1_000)) }
        let code = unsafe sqlite3_wal_checkpoint_v2(sqliteConnection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code != SQLITE_BUSY else { return false }
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: lastErrorMessage)
        }
        return true
    }

    /// Reads, inside a transaction: until its end the log does not begin anew, or nothing is copied from it.
    func holdLog() throws {
        try run("SELECT count(*) FROM (SELECT 1 FROM sqlite_master LIMIT 1)")
    }

    /// Waits until the file itself, without the log, is on the disk. SQLite does so only when the log has been copied
    /// to its end.
    ///
    /// By SQLite's own hand: to open and close the file here would take away the locks that it has on it.
    func flushFile() throws {
        var pointer: UnsafeMutablePointer<sqlite3_file>?
        let found = unsafe sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
        guard found == SQLITE_OK, let file = unsafe pointer, let flush = unsafe file.pointee.pMethods?.pointee.xSync
        else {
            throw DatabaseError(resultCode: ResultCode(rawValue: found), message: "the database has no file")
        }
        let code = unsafe flush(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY)
        guard code == SQLITE_OK else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: "the file could not be flushed")
        }
    }
}
