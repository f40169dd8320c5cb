import AccountClient
import ArgumentParser

/// How the person gets to the account service. Without a word from them Juice looks where it runs.
enum Way: EnumerableFlag {
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
