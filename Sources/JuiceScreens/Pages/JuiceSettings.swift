public import Foundation

/// The settings of an app with views: where the account service is, and how people sign in there.
public struct JuiceSettings: Hashable, Sendable {
    /// The account service.
    public let backend: URL
    /// The name by which the account service knows the app.
    public let app: String
    /// The providers beside Apple that the person can choose.
    public let providers: [OfferedProvider]

    /// Makes settings.
    public init(backend: URL, app: String = "juice", providers: [OfferedProvider] = []) {
        self.backend = backend
        self.app = app
        self.providers = providers
    }

    /// Reads the settings from the members `JuiceBackend`, `JuiceApp` and `JuiceProviders` of an Info.plist.
    ///
    /// `JuiceProviders` has providers as `ID=NAME`, separated by spaces. Empty members count as missing.
    /// - Parameter info: the Info.plist, which is `Bundle.main.infoDictionary` in an app.
    /// - Throws: ``JuiceSettingsError`` for a backend that is missing or no web address, and for a malformed provider.
    public init(info: [String: Any]) throws(JuiceSettingsError) {
        let text = { (name: String) -> String? in (info[name] as? String).flatMap { $0.isEmpty ? nil : $0 } }
        guard let address = text("JuiceBackend") else { throw .backendMissing }
        guard let backend = URL(string: address), ["http", "https"].contains(backend.scheme ?? ""),
            backend.host() != nil
        else { throw .backendMalformed(address) }
        var providers: [OfferedProvider] = []
        for word in (text("JuiceProviders") ?? "").split(separator: " ") {
            guard let provider = OfferedProvider(text: String(word)) else { throw .providerMalformed(String(word)) }
            providers.append(provider)
        }
        self.init(backend: backend, app: text("JuiceApp") ?? "juice", providers: providers)
    }

    /// Whether people sign in through a browser, and not by Apple's sheet.
    ///
    /// That is so for a service on this machine, as `siwa demo` runs it: it is bound to the emulator, and refuses the tokens
    /// that Apple's sheet gets from Apple itself.
    public var signsInByBrowser: Bool { Self.thisMachine.contains(backend.host() ?? "") }

    /// The names and numbers by which a machine calls itself.
    private static let thisMachine = ["localhost", "127.0.0.1", "::1", "[::1]"]
}

/// A mistake in the settings of an app with views.
public enum JuiceSettingsError: Error, Hashable, CustomStringConvertible {
    case backendMissing
    /// The value is no http or https address with a host.
    case backendMalformed(String)
    /// The value is neither `ID` nor `ID=NAME`.
    case providerMalformed(String)

    /// The mistake, and what to write instead.
    public var description: String {
        switch self {
        case .backendMissing: "The app names no account service. Set JUICE_BACKEND in Config/Juice.xcconfig."
        case .backendMalformed(let text):
            "JUICE_BACKEND is `\(text)`. Write a web address, such as https:/$()/accounts.example.com."
        case .providerMalformed(let text): "JUICE_PROVIDERS has `\(text)`. Write ID=NAME, such as google=Google."
        }
    }
}
