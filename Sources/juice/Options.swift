import AccountClient
import ArgumentParser

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

/// A provider other than Apple that Juice offers: its id at the account service, and its name for people.
struct OfferedProvider: ExpressibleByArgument, Hashable, Sendable {
    var id: String
    var name: String

    /// - Parameter argument: `ID` or `ID=NAME`.
    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let id = parts.first, !id.isEmpty,
            id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") })
        else { return nil }
        let name = parts.count > 1 ? parts[1] : id.prefix(1).uppercased() + id.dropFirst()
        guard !name.isEmpty else { return nil }
        self.id = id
        // A terminal obeys what it is sent.
        self.name = String(name.unicodeScalars.filter { $0.properties.generalCategory != .control })
    }
}
