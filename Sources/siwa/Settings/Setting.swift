import Configuration

/// One setting of `siwa serve` or `siwa emulate`, with its names: the same word as flag, environment variable and
/// member of the file.
struct Setting: Hashable, Sendable {
    /// In kebab case: `public-url` is `--public-url`, `SIWA_PUBLIC_URL` and `"public-url"`.
    let name: String
    /// The members of the file that it stands in, from the outermost on; such a setting is in the file only.
    var group: [String] = []
    /// What stands before the name in the environment.
    var prefix = Self.prefixOfService

    static let prefixOfService = "SIWA"
    static let prefixOfEmulator = "SIWA_EMULATE"

    static let publicURL = Self(name: "public-url")
    static let host = Self(name: "host")
    static let port = Self(name: "port")
    static let database = Self(name: "database")
    static let databaseConnections = Self(name: "database-connections")
    static let keyRing = Self(name: "key-ring")
    static let keyRingFile = Self(name: "key-ring-file")
    static let emulator = Self(name: "emulator")
    static let teamID = Self(name: "team-id")
    static let keyID = Self(name: "key-id")
    static let privateKey = Self(name: "private-key")
    static let privateKeyFile = Self(name: "private-key-file")
    static let bundleID = Self(name: "bundle-id")
    static let servicesID = Self(name: "services-id")
    static let tokenAudience = Self(name: "token-audience")
    static let appName = Self(name: "app-name")
    static let buttonStyle = Self(name: "button-style")
    static let buttonTitle = Self(name: "button-title")
    static let signInScript = Self(name: "sign-in-script")
    static let logLevel = Self(name: "log-level")
    static let trustedProxy = Self(name: "trusted-proxy")
    static let app = Self(name: "app")
    static let sessionIdle = Self(name: "session-idle")
    static let sessionLifetime = Self(name: "session-lifetime")
    static let refreshGrace = Self(name: "refresh-grace")
    static let auditLifetime = Self(name: "audit-lifetime")
    static let requestBudget = Self(name: "request-budget")
    static let maximumConnections = Self(name: "maximum-connections")
    static let maximumConnectionsPerAddress = Self(name: "maximum-connections-per-address")
    static let managementHost = Self(name: "management-host")
    static let managementPort = Self(name: "management-port")
    static let nativeServicesID = Self(name: "native-services-id")
    static let webhookURL = Self(name: "webhook-url")
    static let webhookSecret = Self(name: "webhook-secret")
    static let webhookSecretFile = Self(name: "webhook-secret-file")
    static let deleteOnConsentRevoked = Self(name: "delete-on-consent-revoked")
    static let admitTransferred = Self(name: "admit-transferred")

    /// The settings file itself.
    static let config = Self(name: "config")

    static func app(_ id: String) -> Self { Self(name: id, group: ["apps"]) }

    static func app(_ id: String, _ member: String) -> Self { Self(name: member, group: ["apps", id]) }

    static let allowHost = emulate("allow-host")
    static let asApple = emulate("as-apple")
    static let askPassword = emulate("ask-password")
    static let baseURL = emulate("base-url")
    static let claimsAsText = emulate("claims-as-text")
    static let controlToken = emulate("control-token")
    static let emulatorHost = emulate("host")
    static let emulatorPort = emulate("port")
    static let emulatorTLS = emulate("tls")
    static let issuer = emulate("issuer")
    static let emulatorMaximumConnections = emulate("maximum-connections")
    static let emulatorMaximumConnectionsPerAddress = emulate("maximum-connections-per-address")
    static let mailPort = emulate("mail-port")
    static let notificationURL = emulate("notification-url")
    static let portal = emulate("portal")
    static let quirk = emulate("quirk")
    static let readyFile = emulate("ready-file")
    static let returnURL = emulate("return-url")
    static let rootFile = emulate("root-file")
    static let state = emulate("state")
    static let strict = emulate("strict")

    private static func emulate(_ name: String) -> Self {
        Self(name: name, prefix: prefixOfEmulator)
    }

    /// The settings of `siwa emulate`.
    static let ofEmulator: [Self] = [
        allowHost, asApple, askPassword, baseURL, claimsAsText, controlToken, emulatorHost, emulatorPort, emulatorTLS,
        issuer, emulatorMaximumConnections, emulatorMaximumConnectionsPerAddress, mailPort, notificationURL, portal,
        quirk, readyFile, returnURL, rootFile, state, strict,
    ]

    var key: ConfigKey { ConfigKey(group + [name]) }

    var absoluteKey: AbsoluteConfigKey { AbsoluteConfigKey(group + [name]) }

    /// Names it in a message.
    var path: String { (group + [name]).joined(separator: ".") }

    /// How to give it, for a hint.
    var howToSet: String {
        if self == .config { return "nothing else in the --config file" }
        if group == ["apps"] { return "--app, SIWA_APP or \"apps\" in the --config file" }
        guard group.isEmpty else { return "\"\(name)\" of \(group.joined(separator: ".")) in the --config file" }
        return "--\(name), \(prefix)_\(name.uppercased().replacing("-", with: "_")) or \"\(name)\" in the --config file"
    }
}
