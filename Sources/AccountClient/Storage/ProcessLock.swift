import Foundation

/// A lock that the processes of one user share: one caller holds it at a time, in whatever process.
///
/// It is a lock on an empty file in the folder `siwa/locks` in the user's state folder, see ``FileStorage``. The system gives
/// it back when a process ends. A caller that already holds it must not ask for it again.
struct ProcessLock: Sendable {
    let folder: URL
    let name: String
    /// How long a caller waits. It should be longer than anybody holds the lock.
    let timeLimit: Duration

    init(folder: URL, name: String, timeLimit: Duration) {
        self.folder = folder
        self.name = name
        self.timeLimit = timeLimit
    }

    init(_ name: String, environment: [String: String], timeLimit: Duration) {
        self.init(folder: FileStorage.stateFolder("locks", environment), name: name, timeLimit: timeLimit)
    }

    /// Runs the work while nobody else holds the lock. Throws `busy` if the lock isn't free in time.
    func withLock<Value>(
        _ work: () throws(SecretStorageError) -> Value
    ) throws(SecretStorageError) -> Value {
        try SecretFolder(making: folder).withLock(name, timeLimit: timeLimit, work)
    }
}
