import Configuration

/// One setting of `siwa serve`, with its names: the same word as flag, environment variable and member of the file.
struct Setting: Hashable, Sendable {
    /// In kebab case: `public-url` is `--public-url`, `SIWA_PUBLIC_URL` and `"public-url"`.
    let name: String

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

    var key: ConfigKey { ConfigKey([name]) }

    var absoluteKey: AbsoluteConfigKey { AbsoluteConfigKey([name]) }

    /// How to give it, for a hint.
    var howToSet: String {
        "--\(name), SIWA_\(name.uppercased().replacing("-", with: "_")) or \"\(name)\" in the --config file"
    }
}
