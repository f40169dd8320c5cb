import AccountClient
import ArgumentParser

/// Where the session is kept between two runs.
enum Store: String, ExpressibleByArgument, CaseIterable {
    case memory, file, system

    /// - Parameter tell: is given a sentence for people, if the system has no keyring and a file has to do.
    func storage(telling tell: @escaping @Sendable (String) -> Void) -> any SecretStorage {
        switch self {
        case .memory: MemoryStorage()
        case .file: FileStorage()
        case .system: SystemStorage(note: tell)
        }
    }
}
