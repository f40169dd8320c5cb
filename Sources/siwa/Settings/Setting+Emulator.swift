/// The settings of `siwa emulate`.
extension Setting {
    static let emulatorHost = emulate("host", "The address to listen on.", standard: "127.0.0.1")
    static let emulatorPort = emulate(
        "port", takes: .port, "The port to listen on; 0 for a free one.", standard: "4010")
    static let baseURL = emulate("base-url", "Where clients reach it, when that is not http://HOST:PORT.")
    static let allowHost = emulate(
        "allow-host", takes: .texts,
        "A host under which the sheet is served, beside the base URL's and localhost. May be given several times.")
    static let issuer = emulate(
        "issuer", "The issuer of tokens and discovery.", standard: "https://appleid.apple.com")
    static let portal = emulate(
        "portal",
        "A JSON file with teams, apps, services, keys and people, instead of those that are there by themselves.",
        completion: .files)
    static let returnURL = emulate(
        "return-url", takes: .texts,
        "A return URL of the Services ID com.example.juice.web. May be given several times.")
    static let notificationURL = emulate(
        "notification-url", "Where notifications for the app com.example.juice go.")
    static let strict = emulate(
        "strict", takes: .flag, "Refuse what Apple refuses: return URLs with http, localhost or an IP address.")
    static let askPassword = emulate(
        "ask-password", takes: .flag, "Ask for a password and for six digits before the sheet.")
    static let quirk = emulate(
        "quirk", takes: .texts, "A behaviour of Apple's that is off by default. May be given several times.")
    static let claimsAsText = emulate(
        "claims-as-text", takes: .flag, "Write email_verified and is_private_email as text.")
    static let asApple = emulate(
        "as-apple", takes: .flag,
        """
        Stand in for https://appleid.apple.com itself, on port 443 of loopback, for clients that have this address \
        built in. Says which line to add to the hosts file.
        """)
    static let emulatorTLS = emulate(
        "tls", takes: .flag,
        "Serve https, with a certificate authority made for this run; its root is at /emulator-root.pem.")
    static let rootFile = emulate(
        "root-file", "A file to write the root of --tls to, for clients to trust.", completion: .files)
    static let readyFile = emulate(
        "ready-file", "A file that is there while the emulator answers: JSON with its baseURL.", completion: .files)
    static let mailPort = emulate(
        "mail-port", takes: .port, "Take mail for relay addresses on this port by SMTP; 0 for a free one.",
        standard: "no mail")
    static let emulatorMaximumConnections = emulate(
        "maximum-connections", takes: .count, "How many connections are open at most.",
        standard: "10000, or what the limit on open files allows")
    static let emulatorMaximumConnectionsPerAddress = emulate(
        "maximum-connections-per-address", takes: .count, "How many of them one address may have; 0 for any number.",
        standard: "a quarter")
    static let state = emulate(
        "state", "A JSON file that keeps keys, portal and grants, private keys included.", completion: .files)
    /// It has no flag, because other people on the machine can read flags.
    static let controlToken = emulate("control-token", isSecret: true)
    static let controlTokenFile = emulate(
        "control-token-file", "A file with the token that control calls must send; it has 16 characters or more.",
        completion: .files)

    /// The settings of `siwa emulate`.
    static let ofEmulator = [
        emulatorHost, emulatorPort, baseURL, allowHost, issuer, portal, returnURL, notificationURL, strict, askPassword,
        quirk, claimsAsText, asApple, emulatorTLS, rootFile, readyFile, mailPort, emulatorMaximumConnections,
        emulatorMaximumConnectionsPerAddress, state, controlToken, controlTokenFile,
    ]

    private static func emulate(
        _ name: String, takes kind: SettingKind = .text, _ help: String = "", standard: String? = nil,
        isSecret: Bool = false, completion: Completion? = nil
    ) -> Self {
        Self(
            name: name, kind: kind, help: help, standard: standard, isSecret: isSecret, completion: completion,
            program: .emulate)
    }
}
