import AccountHTTP
import AccountService
import AppleID
import AppleIDTypes
import Configuration
import Foundation
import Logging
import OpenIDConnect
import WellKnownFiles

/// The settings of `siwa serve`, read and checked. Only ``read(from:)`` makes this value.
@available(siwaServer 1.0, *)
struct ServeSettings: Sendable {
    let host: String
    let port: Int
    let database: DatabaseLocation
    let server: AppleServer
    let clients: [ClientRegistration]
    let account: AccountConfiguration
    var pages: AccountHTTPConfiguration
    let logLevel: Logger.Level
    /// Nil: nothing is served there.
    var management: ManagementAddress?
    /// The webhook; nil sends no changes of accounts.
    var webhook: WebhookSettings?
    /// The files that are served under `/.well-known`.
    var wellKnownFiles: [WellKnownFile: CheckedFile] = [:]
    /// Warnings of these files.
    var fileWarnings: [String] = []
    /// The mail server; nil sends no mail.
    var mail: MailServerSettings?
    /// The providers beside Apple.
    var providers: [ProviderConfiguration] = []

    /// Warnings of settings that are good for a start and likely not what was meant.
    var warnings: [String] {
        var warnings = fileWarnings + (account.passwords?.warnings ?? [])
        guard pages.trustedProxies.isEmpty else { return warnings }
        if !account.publicURL.isLoopback {
            warnings.append(
                "\(Setting.trustedProxy.path): no proxy is trusted. Behind a proxy, all clients then share one rate "
                    + "limit, so one client can block everybody, and Apple's notifications; "
                    + "set \(Setting.trustedProxy.howToSet)")
        }
        if !host.isLoopbackHost {
            warnings.append(
                "\(Setting.host.path): other machines reach \(host) without TLS and without a proxy, so tokens cross "
                    + "the network in the clear, and slow clients hold connections of this server; put a proxy with "
                    + "TLS in front and name it with \(Setting.trustedProxy.howToSet)")
        }
        return warnings
    }

    /// The features that a start with these settings leaves out, for `--check`.
    var notes: [String] {
        guard account.webClient == nil else { return [] }
        let hasProviders = providers.contains { $0.credential != nil }
        let ways =
            switch (account.passwords != nil, hasProviders) {
            case (false, false): "There is no sign-in on the web, because no Services ID is set. Apps can sign in. "
            case (true, false): "On the web people sign in with a password alone, because no Services ID is set. "
            case (_, true): "On the web people sign in without Apple, because no Services ID is set. "
            }
        return [
            ways + "To offer Sign in with Apple on the web, set \(Setting.servicesID.howToSet)."
        ]
    }

    /// Reads every setting and says everything that is wrong, not only the first.
    ///
    /// The keys are those of ``Setting``.
    /// - Parameters:
    ///   - file: The content of the settings file, and its problems.
    ///   - now: The time with which the files' warnings are found.
    static func read(
        from config: ConfigReader, file: SettingsFile, now: Date = AppleIDEnvironment.live.now()
    ) -> Result<ServeSettings, SettingsProblems> {
        var reader = SettingsReader(config: config)
        reader.report(file)
        let publicURL = readPublicURL(&reader)
        let keyRing = KeyRing.read(&reader)
        let server = readServer(&reader)
        let key = readClientKey(&reader)
        // The key is for siwa transfer, which takes the same file.
        let former = TransferSettings.readFormer(&reader, team: key?.team)
        let bundleIDs = readClientIDs(.bundleID, &reader)
        let servicesIDs = readClientIDs(.servicesID, &reader)
        for id in servicesIDs where bundleIDs.contains(id) {
            reader.report(.servicesID, "\(id) is a bundle id, too. Apple gives a Services ID a name of its own")
        }
        if bundleIDs.isEmpty, servicesIDs.isEmpty, !reader.isRefused(.bundleID), !reader.isRefused(.servicesID) {
            reader.report(
                .bundleID,
                "is missing: whose identity tokens are accepted. An app's bundle id, or a Services ID for the web")
        }
        let button = readButton(&reader)
        let signInScript = reader.word(.signInScript, of: SignInScript.self)
        let logLevel = reader.word(.logLevel, of: Logger.Level.self) ?? .info
        let host = reader.text(.host) ?? "127.0.0.1"
        let port = reader.port(.port, default: 4_000)
        let database = DatabaseLocation.read(&reader)
        let audience = reader.text(.tokenAudience)
        let appName = readAppName(&reader, publicURL: publicURL)
        let providers = ProviderSettings().read(&reader, file: file)
        // A provider with a mistake counts as one for browsers: its mistake is reported already.
        let hasBrowserProvider =
            providers.contains { $0.credential != nil } || providers.count < file.providers.count
        let apps = AppSettings(
            defaults: AppSettings.Defaults(
                name: appName, bundleIDs: bundleIDs, servicesIDs: servicesIDs, hasBrowserProvider: hasBrowserProvider)
        ).read(&reader, file: file)
        let trustedProxies = readTrustedProxies(&reader)
        let sessionLimits = readSessionLimits(&reader)
        let requestBudget =
            reader.count(.requestBudget, in: 0...1_000_000) ?? AccountHTTPConfiguration.defaultRequestBudget
        let limits = HTTPLimits(
            maximumConnections: reader.count(.maximumConnections, in: 16...1_000_000),
            maximumConnectionsPerAddress: reader.count(.maximumConnectionsPerAddress, in: 0...1_000_000))
        let nativeServices = NativeServices.read(&reader, servicesIDs: servicesIDs)
        let webhook = WebhookSettings.read(&reader)
        let mail = MailServerSettings.read(&reader, serviceName: appName)
        let consentTexts = ConsentTexts.read(&reader)
        let passwords = PasswordSettings.read(&reader, mail: mail)
        let deletesOnConsentRevoked = reader.flag(.deleteOnConsentRevoked)
        let admitsTransferredPeople = reader.flag(.admitTransferred)
        let auditLifetime = reader.span(.auditLifetime, in: .seconds(86_400) ... .seconds(3_650 * 86_400))
        let management = ManagementAddress.read(&reader)
        let wellKnownFiles = [WellKnownFile: CheckedFile].read(&reader)
        guard reader.problems.isEmpty, let publicURL, let keyRing, let server, let key, let database
        else {
            return .failure(SettingsProblems(problems: reader.problems))
        }
        var account = AccountConfiguration(
            publicURL: publicURL, accessTokenAudience: audience, keyRing: keyRing, webClient: servicesIDs.first,
            nativeClients: Set(bundleIDs).union(nativeServices.keys), sessionLimits: sessionLimits)
        account.nativeReturnURLs = nativeServices.compactMapValues { $0 }
        account.deletesOnConsentRevoked = deletesOnConsentRevoked
        account.admitsTransferredPeople = admitsTransferredPeople
        account.formerTeam = former?.team
        account.apps = apps
        account.consentTexts = consentTexts
        account.passwords = passwords
        account.auditLifetime = auditLifetime ?? account.auditLifetime
        var pages = AccountHTTPConfiguration(
            appName: appName, button: button, emulatorURL: server == .apple ? nil : server.name,
            signInScript: signInScript, limits: limits, trustedProxies: trustedProxies, requestBudget: requestBudget)
        pages.wellKnownFiles = PublishedFiles(wellKnownFiles)
        return .success(
            ServeSettings(
                host: host, port: port, database: database, server: server,
                clients: bundleIDs.map { ClientRegistration(id: $0, kind: .app, key: key) }
                    + servicesIDs.map { ClientRegistration(id: $0, kind: .service, key: key) },
                account: account, pages: pages, logLevel: logLevel, management: management,
                webhook: webhook, wellKnownFiles: wellKnownFiles,
                fileWarnings: wellKnownFiles.warnings(at: Int64(now.timeIntervalSince1970)), mail: mail,
                providers: providers))
    }

    private static func readClientIDs(_ setting: Setting, _ reader: inout SettingsReader) -> [ClientID] {
        let ids = reader.texts(setting)
        for id in ids where id.contains(where: { $0 == "," || $0.isWhitespace }) {
            reader.report(setting, "\(id) is not one id. Give the flag once for each id")
        }
        return ids.map { ClientID($0) }
    }

    /// Reads the name that people know the service by.
    static func readAppName(_ reader: inout SettingsReader, publicURL: PublicURL?) -> String {
        reader.text(.appName) ?? publicURL?.host ?? "siwa"
    }

    static func readPublicURL(_ reader: inout SettingsReader) -> PublicURL? {
        guard
            let text = reader.requiredText(
                .publicURL, what: "where people reach this service, https://… (http://localhost:… while developing)")
        else { return nil }
        do {
            return try PublicURL(text)
        } catch {
            reader.report(.publicURL, error.reason)
            return nil
        }
    }

    static func readServer(_ reader: inout SettingsReader) -> AppleServer? {
        guard let url = reader.text(.emulator) else { return .apple }
        do {
            return try .emulator(at: url)
        } catch {
            reader.report(.emulator, error.reason)
            return nil
        }
    }

    static func readClientKey(_ reader: inout SettingsReader) -> AppleClientKey? {
        let team = reader.requiredText(.teamID, what: "the ten characters of your team, from Apple's developer portal")
        let id = reader.requiredText(.keyID, what: "the ten characters of the key for Sign in with Apple")
        var pem = reader.text(.privateKey, isSecret: true)
        if pem == nil {
            guard let file = reader.requiredText(.privateKeyFile, what: "the .p8 file of that key") else { return nil }
            pem = reader.secret(inFile: file, of: .privateKeyFile, lines: .several)
        }
        guard let team, let id, let pem else { return nil }
        do {
            return try AppleClientKey(id: KeyID(id), team: TeamID(team), pem: pem)
        } catch {
            reader.report(.privateKeyFile, error.reason)
            return nil
        }
    }

    private static func readButton(_ reader: inout SettingsReader) -> AppleButton {
        var button = AppleButton()
        if let style = reader.word(.buttonStyle, of: AppleButton.Style.self) { button.style = style }
        if let title = reader.word(.buttonTitle, of: AppleButton.Title.self) { button.title = title }
        return button
    }

    private static func readSessionLimits(_ reader: inout SettingsReader) -> SessionLimits {
        var limits = SessionLimits()
        let idle = reader.span(.sessionIdle, in: .seconds(600) ... .seconds(3_650 * 86_400))
        limits.absolute =
            reader.span(.sessionLifetime, in: .seconds(600) ... .seconds(3_650 * 86_400)) ?? limits.absolute
        limits.refreshGrace =
            reader.span(.refreshGrace, in: .seconds(1)...SessionLimits.maximumRefreshGrace) ?? limits.refreshGrace
        limits.idle = idle ?? min(limits.idle, limits.absolute)
        if limits.idle > limits.absolute {
            reader.report(.sessionIdle, "must not be longer than \(Setting.sessionLifetime.path)")
        }
        return limits
    }

    private static func readTrustedProxies(_ reader: inout SettingsReader) -> [AddressRange] {
        reader.texts(.trustedProxy).compactMap { text in
            let range = AddressRange(text)
            if range == nil {
                reader.report(.trustedProxy, "\(text) is no IP address, nor a range as in 10.0.0.0/8")
            }
            return range
        }
    }
}

extension String {
    /// Whether only this machine reaches a server that listens on this host.
    fileprivate var isLoopbackHost: Bool { self == "localhost" || self == "::1" || hasPrefix("127.") }
}
