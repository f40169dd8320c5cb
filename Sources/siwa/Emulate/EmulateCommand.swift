import AppleIDEmulator
import ArgumentParser
import Configuration

/// `siwa emulate`: the emulator alone, for any stack.
@available(siwaServer 1.0, *)
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

    @Option(.emulatorHost) var host: String?
    @Option(.emulatorPort) var port: Int?
    @Option(.baseURL) var baseURL: String?
    @Option(.allowHost) var allowHost: [String]
    @Option(.issuer) var issuer: String?
    @Option(.portal) var portal: String?
    @Option(.returnURL) var returnURL: [String]
    @Option(.notificationURL) var notificationURL: String?
    @Flag(.strict) var strict: Bool
    @Flag(.askPassword) var askPassword: Bool

    @Option(
        help: ArgumentHelp(
            "A behaviour of Apple's that is off by default. May be given several times.",
            discussion: BehaviourTable.quirks.sorted().joined(separator: "\n"),
            valueName: "name"),
        completion: .list(BehaviourTable.quirks.sorted()))
    var quirk: [String] = []

    @Flag(.claimsAsText) var claimsAsText: Bool
    @Flag(.asApple) var asApple: Bool
    @Flag(.emulatorTLS) var tls: Bool
    @Option(.rootFile) var rootFile: String?
    @Option(.readyFile) var readyFile: String?
    @Option(.mailPort) var mailPort: Int?
    @Option(.emulatorMaximumConnections) var maximumConnections: Int?
    @Option(.emulatorMaximumConnectionsPerAddress) var maximumConnectionsPerAddress: Int?
    @Option(.state) var state: String?
    @Option(.controlTokenFile) var controlTokenFile: String?

    func run() async throws {
        switch EmulateSettings.read(from: try await reader()) {
        case .success(let settings): try await Emulation(settings: settings).run()
        case .failure(let problems): throw problems
        }
    }

    private func reader() async throws -> ConfigReader {
        var sources = SettingsSources()
        sources.add(flagsOf: self, .emulate)
        return try await sources.reader(of: .emulate, file: config)
    }
}
