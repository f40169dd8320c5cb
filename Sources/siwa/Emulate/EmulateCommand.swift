import AppleIDEmulator
import ArgumentParser
import Configuration

/// `siwa emulate`: the emulator alone, for any stack.
struct EmulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulate",
        abstract: "Run an emulator of Apple's side of Sign in with Apple.",
        discussion: """
            It forgets everything at the end unless --state names a file. Its control calls under /emulator/ answer to \
            this machine only. If SIWA_EMULATE_CONTROL_TOKEN is set, they answer to everybody who sends it, and to \
            nobody else. Set it before you put a proxy in front: a proxy may look like this machine.

            Every setting can be given as a flag, as an environment variable (--base-url is SIWA_EMULATE_BASE_URL) or \
            as a member of a JSON file ("base-url"), in this order.

            It is not Apple: its people, teams and keys are made up, and no token from here is good anywhere else.

            \(Help.examples(
                "siwa emulate", "siwa emulate --port 0 --ready-file ready.json --quirk claims-as-text"))
            """)

    @Option(help: "A JSON file with settings.", completion: .file(extensions: ["json"]))
    var config: String?

    @Option(help: "The address to listen on. Default: 127.0.0.1.")
    var host: String?

    @Option(help: "The port to listen on; 0 for a free one. Default: 4010.")
    var port: Int?

    @Option(help: "Where clients reach it, when that is not http://HOST:PORT.")
    var baseURL: String?

    @Option(
        help: "A host under which the sheet is served, beside the base URL's and localhost. May be given several times."
    )
    var allowHost: [String] = []

    @Option(help: "The issuer of tokens and discovery. Default: https://appleid.apple.com.")
    var issuer: String?

    @Option(
        help: "A JSON file with teams, apps, services, keys and people, instead of those that are there by themselves.",
        completion: .file(extensions: ["json"]))
    var portal: String?

    @Option(help: "A return URL of the Services ID com.example.juice.web. May be given several times.")
    var returnURL: [String] = []

    @Option(help: "Where notifications for the app com.example.juice go.")
    var notificationURL: String?

    @Flag(help: "Refuse what Apple refuses: return URLs with http, localhost or an IP address.")
    var strict = false

    @Flag(help: "Ask for a password and for six digits before the sheet.")
    var askPassword = false

    @Option(
        help: ArgumentHelp(
            "A behaviour of Apple's that is off by default. May be given several times.",
            discussion: EmulatorConfiguration.Quirk.all.map(\.description).sorted().joined(separator: "\n"),
            valueName: "name"),
        completion: .list(EmulatorConfiguration.Quirk.all.map(\.description).sorted()))
    var quirk: [String] = []

    @Flag(help: "Write email_verified and is_private_email as text.")
    var claimsAsText = false

    @Flag(
        help: """
            Stand in for https://appleid.apple.com itself, on port 443 of loopback, for clients that have this address \
            built in. Says which line to add to the hosts file.
            """)
    var asApple = false

    @Flag(help: "Serve https, with a certificate authority made for this run; its root is at /emulator-root.pem.")
    var tls = false

    @Option(help: "A file to write the root of --tls to, for clients to trust.", completion: .file())
    var rootFile: String?

    @Option(help: "A file that is there while the emulator answers: JSON with its baseURL.", completion: .file())
    var readyFile: String?

    @Option(help: "Take mail for relay addresses on this port by SMTP; 0 for a free one. Default: no mail.")
    var mailPort: Int?

    @Option(help: "How many connections are open at most. Default: 10000, or what the limit on open files allows.")
    var maximumConnections: Int?

    @Option(help: "How many of them one address may have; 0 for any number. Default: a quarter.")
    var maximumConnectionsPerAddress: Int?

    @Option(help: "A JSON file that keeps keys, portal and grants, private keys included.", completion: .file())
    var state: String?

    func run() async throws {
        switch EmulateSettings.read(from: try await reader()) {
        case .success(let settings): try await Emulation(settings: settings).run()
        case .failure(let problems): throw problems
        }
    }

    private func reader() async throws -> ConfigReader {
        var sources = SettingsSources()
        sources.add(.emulatorHost, host)
        sources.add(.emulatorPort, port)
        sources.add(.baseURL, baseURL)
        sources.add(.allowHost, allowHost)
        sources.add(.issuer, issuer)
        sources.add(.portal, portal)
        sources.add(.returnURL, returnURL)
        sources.add(.notificationURL, notificationURL)
        sources.add(.strict, strict)
        sources.add(.askPassword, askPassword)
        sources.add(.quirk, quirk)
        sources.add(.asApple, asApple)
        sources.add(.emulatorTLS, tls)
        sources.add(.rootFile, rootFile)
        sources.add(.readyFile, readyFile)
        sources.add(.claimsAsText, claimsAsText)
        sources.add(.mailPort, mailPort)
        sources.add(.emulatorMaximumConnections, maximumConnections)
        sources.add(.emulatorMaximumConnectionsPerAddress, maximumConnectionsPerAddress)
        sources.add(.state, state)
        return try await sources.reader(
            prefix: SettingsSources.emulatorPrefix, secrets: ["SIWA_EMULATE_CONTROL_TOKEN"], file: config)
    }
}
