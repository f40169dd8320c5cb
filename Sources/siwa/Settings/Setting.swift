import AccountHTTP
import ArgumentParser
import Configuration
import Logging
import SiwaDoctor

/// A setting of `siwa serve` or `siwa emulate`, with all that is to be said of it: its name as flag, environment variable
/// and member of the file, what it takes, its default, and its help.
///
/// A new setting is declared here, once, and stands in the list of its program. Its flag is one line of the command,
/// `@Option(.name) var name: String?`, and a test wants a row of it in `Docs/service-settings.md`.
struct Setting: Sendable {
    /// A program that reads settings.
    enum Program: Sendable {
        case serve
        case emulate

        /// The text before a setting's name in the environment.
        var prefix: String {
            switch self {
            case .serve: "SIWA"
            case .emulate: "SIWA_EMULATE"
            }
        }

        var settings: [Setting] {
            switch self {
            case .serve: Setting.ofService
            case .emulate: Setting.ofEmulator
            }
        }
    }

    /// The completions that a shell offers for the setting's value.
    enum Completion: Sendable {
        case files
        case folders
        case words([String])
    }

    /// The name in kebab case: `public-url` is `--public-url`, `SIWA_PUBLIC_URL` and `"public-url"`.
    let name: String
    var kind = SettingKind.text
    /// The help for people, without the default; empty if there is no flag.
    var help = ""
    /// The default, as the help and the documentation have it. Nil where there is none, or where none needs to be told.
    var standard: String?
    /// Whether no report and no log may show the value.
    var isSecret = false
    var completion: Completion?
    /// The members of the file that it stands in, from the outermost on; such a setting is in the file only.
    var group: [String] = []
    var program = Program.serve

    // MARK: siwa serve

    static let publicURL = serve(
        "public-url", "Where people reach this service: https://host, or http://localhost:port while developing.")
    static let host = serve("host", "The address to listen on.", standard: "127.0.0.1")
    static let port = serve("port", takes: .port, "The port to listen on.", standard: "4000")
    static let database = serve(
        "database", "A SQLite file, or postgres://user@host/name.", standard: "siwa.sqlite", isSecret: true,
        completion: .files)
    static let databasePasswordFile = serve(
        "database-password-file", "A file with the password for a postgres:// address that holds none.",
        completion: .files)
    static let databaseConnections = serve(
        "database-connections", takes: .count, "How many connections to PostgreSQL are open at most.", standard: "8")
    static let keyRing = serve(
        "key-ring", "The server's secret keys, id:base64, separated by commas: the first seals, all open.",
        isSecret: true)
    static let keyRingFile = serve(
        "key-ring-file", "A file with these keys, in place of --key-ring.", completion: .files)
    static let emulator = serve("emulator", "An emulator in place of Apple, for development.")
    static let teamID = serve("team-id", "Your team at Apple.")
    static let keyID = serve("key-id", "The key for Sign in with Apple.")
    /// The content of ``privateKeyFile``. It has no flag, because other people on the machine can read flags.
    static let privateKey = serve("private-key", isSecret: true)
    static let privateKeyFile = serve("private-key-file", "The .p8 file of that key.", completion: .files)
    static let formerTeamID = serve(
        "former-team-id",
        "The team that had the app before, for siwa transfer, while people move from it.")
    static let formerKeyID = serve("former-key-id", "The key of that team for Sign in with Apple.")
    /// The content of ``formerPrivateKeyFile``. It has no flag, because other people on the machine can read flags.
    static let formerPrivateKey = serve("former-private-key", isSecret: true)
    static let formerPrivateKeyFile = serve(
        "former-private-key-file", "The .p8 file of that key.", completion: .files)
    static let bundleID = serve(
        "bundle-id", takes: .texts, "The bundle id of an app whose tokens are accepted. May be given several times.")
    static let servicesID = serve(
        "services-id", takes: .texts,
        "The Services ID of the sign-in on the web. May be given several times: apps can use the others.")
    static let nativeServicesID = serve(
        "native-services-id", takes: .texts,
        """
        A Services ID whose identity tokens apps may present as they do a bundle id's, or ID=URL with the return URL \
        that its codes were obtained with. May be given several times.
        """, standard: "none")
    static let app = serve(
        "app", takes: .texts,
        """
        The id of an app that may sign people in through the browser, such as juice: under --app-name, with every \
        client above, back by loopback. For anything else see "apps" of the --config file. May be given several times.
        """)
    static let trustedProxy = serve(
        "trusted-proxy", takes: .texts,
        "The address of a proxy whose X-Forwarded-For is true, or a range. May be given several times.")
    static let requestBudget = serve(
        "request-budget", takes: .count,
        "How many requests of one kind one address may make in a minute before it has signed in; 0 for any number.",
        standard: "300")
    static let maximumConnections = serve(
        "maximum-connections", takes: .count, "How many connections are open at most.",
        standard: "10000, or the system's limit on open files less 128 where that is smaller")
    static let maximumConnectionsPerAddress = serve(
        "maximum-connections-per-address", takes: .count,
        "How many of them one address may have; 0 for any number. Trusted proxies may have any number.",
        standard: "a quarter")
    static let managementHost = serve(
        "management-host", "The address on which GET /metrics is answered.", standard: "127.0.0.1")
    static let managementPort = serve(
        "management-port", takes: .port, "The port of that. Without it nothing listens there.")
    static let sessionIdle = serve(
        "session-idle", "How long a session lives unused, as in 12h.", standard: "30d")
    static let sessionLifetime = serve(
        "session-lifetime", "How long a session lives at most, used or not.", standard: "180d")
    static let refreshGrace = serve(
        "refresh-grace",
        "How long a refresh whose answer was lost may be repeated without an attempt, as in 2m; at most 5m.",
        standard: "30s")
    static let auditLifetime = serve(
        "audit-lifetime", "How long is kept who signed in when and from where.", standard: "365d")
    static let webhookURL = serve(
        "webhook-url", "Where your own backend is told of changes to accounts: https://…, or http:// on this machine.")
    static let webhookSecret = serve(
        "webhook-secret",
        "What these are signed with, whsec_base64; several, separated by commas, while one is changed.",
        isSecret: true)
    static let webhookSecretFile = serve(
        "webhook-secret-file", "A file with these secrets, in place of --webhook-secret.", completion: .files)
    static let mailURL = serve(
        "mail-url",
        """
        The mail server that takes the service's mail: smtps://user@host, or smtp://user@host, which must offer STARTTLS \
        unless it is this machine. Without it the service sends no mail.
        """)
    static let mailPassword = serve("mail-password", "The password of the user in --mail-url.", isSecret: true)
    static let mailPasswordFile = serve(
        "mail-password-file", "A file with that password, in place of --mail-password.", completion: .files)
    static let mailFrom = serve("mail-from", "The address that mail comes from, as in accounts@example.com.")
    static let mailFromName = serve(
        "mail-from-name", "The name beside that address.", standard: "the service's name")
    static let mailTemplates = serve(
        "mail-templates", "A folder with templates of your own for mails. Each file takes the place of one of siwa's.",
        completion: .folders)
    static let consentTexts = serve(
        "consent-texts",
        "A folder with your texts that ask for consent, VERSION.LANGUAGE.txt, as in 2.en.txt.", standard: "siwa's text",
        completion: .folders)
    static let passwords = serve(
        "passwords", takes: .flag,
        "Let people sign up and sign in with an email address and a password. Needs --mail-url. Default: off.")
    static let passwordMinimumLength = serve(
        "password-minimum-length", takes: .count, "How many characters a password has at least, 8 to 64.",
        standard: "15")
    static let passwordHashers = serve(
        "password-hashers", takes: .count,
        "How many passwords are hashed at once; never more than half of the processor's cores.", standard: "2")
    static let deleteOnConsentRevoked = serve(
        "delete-on-consent-revoked", takes: .flag,
        "Delete an account when its person stops using the app at Apple. Default: keep it.")
    static let admitTransferred = serve(
        "admit-transferred", takes: .flag,
        "Give people of an app that came from another team new accounts. Default: refuse them.")
    static let tokenAudience = serve(
        "token-audience", "The audience of the access tokens that are handed out.", standard: "the public URL")
    static let appName = serve("app-name", "What people know the service by.")
    static let buttonStyle = serve(
        "button-style", "Apple's button: automatic, black, white or outlined.",
        completion: .words(AppleButton.Style.allCases.map(\.rawValue)))
    static let buttonTitle = serve(
        "button-title", "The button's title: sign-in, sign-up or continue.",
        completion: .words(AppleButton.Title.allCases.map(\.rawValue)))
    static let signInScript = serve(
        "sign-in-script", "Begin sign-ins on the start page with Sign in with Apple JS: popup or redirect.",
        standard: "a plain link", completion: .words(SignInScript.allCases.map(\.rawValue)))
    static let appleAppSiteAssociationFile = serve(
        "apple-app-site-association-file",
        """
        A file to serve as /.well-known/apple-app-site-association: the apps of Apple's platforms that share passwords \
        and links with the service.
        """, completion: .files)
    static let assetlinksFile = serve(
        "assetlinks-file",
        "A file to serve as /.well-known/assetlinks.json: the apps of Android that share passwords and links with it.",
        completion: .files)
    static let appleDomainAssociationFile = serve(
        "apple-domain-association-file",
        """
        A file from Apple's developer portal to serve as /.well-known/apple-developer-domain-association.txt: it shows \
        that the domain is yours.
        """, completion: .files)
    static let securityTxtFile = serve(
        "security-txt-file",
        "A file to serve as /.well-known/security.txt (RFC 9116): where to report a vulnerability.", completion: .files)
    static let logLevel = serve(
        "log-level", "trace, debug, info, notice, warning, error or critical.",
        standard: "info, which has a line for each request that was refused or failed; debug has one for every request",
        completion: .words(Logger.Level.allCases.map(\.rawValue)))

    /// The settings of `siwa serve`, but for its apps.
    static let ofService = [
        publicURL, host, port, database, databasePasswordFile, databaseConnections, keyRing, keyRingFile, emulator,
        teamID, keyID, privateKey, privateKeyFile, formerTeamID, formerKeyID, formerPrivateKey, formerPrivateKeyFile,
        bundleID, servicesID, nativeServicesID, app, trustedProxy,
        requestBudget, maximumConnections, maximumConnectionsPerAddress, managementHost, managementPort, sessionIdle,
        sessionLifetime, refreshGrace, auditLifetime, webhookURL, webhookSecret, webhookSecretFile,
        mailURL, mailPassword, mailPasswordFile, mailFrom, mailFromName, mailTemplates, consentTexts,
        passwords, passwordMinimumLength, passwordHashers, deleteOnConsentRevoked, admitTransferred, tokenAudience,
        appName, buttonStyle, buttonTitle, signInScript,
        appleAppSiteAssociationFile, assetlinksFile, appleDomainAssociationFile, securityTxtFile, logLevel,
    ]

    /// The settings of one app, which are members of `apps.ID` in the file.
    static let ofApp: [(name: String, kind: SettingKind)] = [
        ("name", .text), ("bundle-ids", .texts), ("services-id", .text), ("return-targets", .texts),
        ("hand-through", .flag),
    ]

    /// The settings of one provider, which are members of `providers.ID` in the file.
    static let ofProvider: [(name: String, kind: SettingKind)] = [
        ("issuer", .text), ("client-id", .text), ("client-secret-file", .text), ("private-key-file", .text),
        ("key-id", .text), ("assertion-audience", .text), ("app-client-ids", .texts), ("scopes", .texts),
        ("name", .text), ("mark", .text), ("hosted-domain", .text),
        ("accounts", .text), ("accepted-tenants", .texts), ("no-authentication-time", .flag),
    ]

    /// The settings file itself.
    static let config = Self(name: "config")
    /// All settings of apps together.
    static let apps = Self(name: "apps")

    static func app(_ id: String) -> Self { Self(name: id, group: ["apps"]) }

    static func app(_ id: String, _ member: String) -> Self { Self(name: member, group: ["apps", id]) }

    /// All settings of providers together.
    static let providers = Self(name: "providers")

    static func provider(_ id: String) -> Self { Self(name: id, group: ["providers"]) }

    static func provider(_ id: String, _ member: String) -> Self { Self(name: member, group: ["providers", id]) }

    private static func serve(
        _ name: String, takes kind: SettingKind = .text, _ help: String = "", standard: String? = nil,
        isSecret: Bool = false, completion: Completion? = nil
    ) -> Self {
        Self(
            name: name, kind: kind, help: help, standard: standard, isSecret: isSecret, completion: completion)
    }
}

extension Setting: Hashable {
    static func == (left: Self, right: Self) -> Bool {
        (left.name, left.group, left.program) == (right.name, right.group, right.program)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(group)
        hasher.combine(program)
    }
}

@available(siwaServer 1.0, *)
extension Setting {
    var key: ConfigKey { ConfigKey(group + [name]) }

    var absoluteKey: AbsoluteConfigKey { AbsoluteConfigKey(group + [name]) }

    /// The name of the environment variable, such as `SIWA_PUBLIC_URL`.
    var variable: String { program.prefix + "_" + name.uppercased().replacing("-", with: "_") }

    /// Names it in a message.
    var path: String { (group + [name]).joined(separator: ".") }

    /// The setting that names a file with this secret. Of the database, the secret is the password.
    var secretFile: Setting {
        Setting(name: (self == .database ? "database-password" : name) + "-file", program: program)
    }

    /// Whether the value is a folder of the operator's.
    var isFolder: Bool {
        if case .folders = completion { true } else { false }
    }

    /// How to give it, for a hint.
    var howToSet: String {
        if self == .config { return "nothing else in the --config file" }
        if group == ["apps"] { return "--app, SIWA_APP or \"apps\" in the --config file" }
        if self == .providers { return "\"\(name)\" in the --config file" }
        guard group.isEmpty else { return "\"\(name)\" of \(group.joined(separator: ".")) in the --config file" }
        // The command line is no place for a secret: other people on the machine can read it.
        if isSecret, self != .database { return "--\(secretFile.name), \(secretFile.variable) or \(variable)" }
        return NamedSetting.howToSet(name, prefix: program.prefix)
    }

    /// The help of the flag, with the default.
    fileprivate var argumentHelp: ArgumentHelp {
        ArgumentHelp(stringLiteral: help + (standard.map { " Default: \($0)." } ?? ""))
    }

    fileprivate var shellCompletion: CompletionKind? {
        switch completion {
        case nil: nil
        case .files: .file()
        case .folders: .directory
        case .words(let words): .list(words)
        }
    }
}

// MARK: Flags

extension Option {
    /// The flag of a setting that is one text.
    init(_ setting: Setting) where Value == String? {
        self.init(name: .customLong(setting.name), help: setting.argumentHelp, completion: setting.shellCompletion)
    }

    /// The flag of a setting that is a number.
    init(_ setting: Setting) where Value == Int? {
        self.init(name: .customLong(setting.name), help: setting.argumentHelp, completion: setting.shellCompletion)
    }

    /// The flag of a setting that may be given several times.
    init(_ setting: Setting) where Value == [String] {
        self.init(
            wrappedValue: [], name: .customLong(setting.name), help: setting.argumentHelp,
            completion: setting.shellCompletion)
    }
}

extension Flag where Value == Bool {
    /// The flag of a setting that is on or off.
    init(_ setting: Setting) {
        self.init(wrappedValue: false, name: .customLong(setting.name), help: setting.argumentHelp)
    }
}
