import Configuration

/// One setting of `siwa serve` or `siwa emulate`, with its names: the same word as flag, environment variable and member of the file.
struct Setting: Hashable, Sendable {
    /// In kebab case: `public-url` is `--public-url`, `SIWA_PUBLIC_URL` and `"public-url"`.
    let name: String
    /// What stands before the name in the environment.
    var prefix = "SIWA"

    static let publicURL = Self(name: "public-url")
    static let host = Self(name: "host")
    static let port = Self(name: "port")
    static let database = Self(name: "database")
    static let keyRing = Self(name: "key-ring")
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
    static let logLevel = Self(name: "log-level")

    static let baseURL = emulate("base-url")
    static let claimsAsText = emulate("claims-as-text")
    static let controlToken = emulate("control-token")
    static let emulatorHost = emulate("host")
    static let emulatorPort = emulate("port")
    static let issuer = emulate("issuer")
    static let returnURL = emulate("return-url")
    static let state = emulate("state")
    static let strict = emulate("strict")

    private static func emulate(_ name: String) -> Self {
        Self(name: name, prefix: "SIWA_EMULATE")
    }

    var key: ConfigKey { ConfigKey([name]) }

    var absoluteKey: AbsoluteConfigKey { AbsoluteConfigKey([name]) }

    /// How to give it, for a hint.
    var howToSet: String {
        "--\(name), \(prefix)_\(name.uppercased().replacing("-", with: "_")) or \"\(name)\" in the --config file"
    }
}
