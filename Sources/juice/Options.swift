import AccountClient
import ArgumentParser
import JuiceScreens

import struct OpenAuthenticationServices.AuthenticationServicesConfiguration

/// The place that keeps the session between two runs.
enum Store: String, ExpressibleByArgument, CaseIterable {
    case memory, file, system

    /// - Parameter tell: is given a sentence for people, if the system has no keyring and a file has to do.
    func storage(telling tell: @escaping @Sendable (String) -> Void) -> any SecretStorage {
        switch self {
        case .memory: MemoryStorage()
        case .file: FileStorage()
        case .system: Self.keyring(telling: tell)
        }
    }

    private static func keyring(telling tell: @escaping @Sendable (String) -> Void) -> any SecretStorage {
        #if os(macOS)
            // Juice has no entitlement, without which the keychain of apps refuses it.
            KeychainStorage.forTools
        #else
            SystemStorage(note: tell)
        #endif
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

    /// On a Mac a tool without entitlement has no sheet, so a browser takes its place. Nil leaves the choice to the client.
    static var defaultFlow: AuthenticationServicesConfiguration.Flow? {
        #if canImport(Darwin)
            .browser
        #else
            nil
        #endif
    }

    var flow: AuthenticationServicesConfiguration.Flow {
        switch self {
        case .browser, .noBrowser: .browser
        case .device: .device
        }
    }
}

/// A provider as the command line names it: `ID` or `ID=NAME`.
struct ProviderOption: ExpressibleByArgument {
    let provider: OfferedProvider

    init?(argument: String) {
        guard let provider = OfferedProvider(text: argument) else { return nil }
        self.provider = provider
    }
}
