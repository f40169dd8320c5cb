import AccountClient
import ArgumentParser

/// The place that keeps the session between two runs.
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

/// The way for the person to reach the account service. If they don't say, Juice looks where it runs.
enum BrowserMode: EnumerableFlag {
    case browser, noBrowser, device

    static func help(for value: Self) -> ArgumentHelp? {
        switch value {
        case .browser: "Open a browser on this machine, also where nobody seems to sit at it."
        case .noBrowser: "Open no browser; show the page to open on this machine."
        case .device: "Show a code for a browser on any device."
        }
    }

    #if !canImport(Darwin)
        var flow: AuthenticationServicesConfiguration.Flow {
            switch self {
            case .browser, .noBrowser: .browser
            case .device: .device
            }
        }
    #endif
}
