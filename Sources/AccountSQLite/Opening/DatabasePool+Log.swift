import Foundation
import GRDB

extension DatabasePool {
    /// In seconds.
    private static let pause = 0.005

    /// Opens a file and sees to it that it has a write-ahead log.
    ///
    /// Of all locks SQLite does not wait for the one under which a file gets its log, since two who each read it would
    /// wait for each other. Another process that makes the same new file ready has it for a moment; so what is refused
    /// is tried again. For a thread that may wait.
    /// - Parameter busyTimeout: in seconds; how long others are waited for.
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
