import AppleIDEmulator
import ArgumentParser
import Configuration
import Hummingbird
import Logging
import ServiceLifecycle
import UnixSignals

/// `siwa emulate`: the emulator alone, for any stack.
struct EmulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emulate",
        abstract: "Run an emulator of Apple's side of Sign in with Apple.",
        discussion: """
            It forgets everything at the end unless --state names a file. Its control calls under /emulator/ answer on \
            loopback only, unless SIWA_EMULATE_CONTROL_TOKEN is set, which they then demand.

            Every setting can be given as a flag, as an environment variable (--base-url is SIWA_EMULATE_BASE_URL) or as a \
            member of a JSON file ("base-url"), in this order.
            """)

    @Option(help: "A JSON file with settings.")
    var config: String?

    @Option(help: "The address to listen on. Default: 127.0.0.1.")
    var host: String?

    @Option(help: "The port to listen on; 0 for a free one. Default: 4010.")
    var port: Int?

    @Option(help: "Where clients reach it, when that is not http://HOST:PORT.")
    var baseURL: String?

    @Option(help: "The issuer of tokens and discovery. Default: https://appleid.apple.com.")
    var issuer: String?

    @Option(help: "A return URL of the Services ID com.example.juice.web. May be given several times.")
    var returnURL: [String] = []

    @Flag(help: "Refuse what Apple refuses: return URLs with http, localhost or an IP address.")
    var strict = false

    @Flag(help: "Write email_verified and is_private_email as text.")
    var claimsAsText = false

    @Flag(help: "Ask for a password and for six digits before the sheet.")
    var askPassword = false

    @Option(help: "A JSON file that keeps keys, portal and grants, private keys included.")
    var state: String?

    func run() async throws {
        let settings: EmulateSettings
        switch EmulateSettings.read(from: try await reader()) {
        case .success(let good): settings = good
        case .failure(let problems):
            complain(problems.description)
            throw ExitCode(1)
        }
        let logger = Logger.standard()
        do {
            let emulator = try await Emulator(configuration: settings.emulator, logger: logger)
            let (host, fixedBaseURL) = (settings.host, settings.baseURL)
            let started = Countdown(1) {
                say("siwa emulate: \(emulator.portal.baseURL) stands in for Apple. It is not Apple. Ctrl-C ends it.")
            }
            let application = emulator.application(host: host, port: settings.port) { port in
                do {
                    if fixedBaseURL == nil { try await emulator.move(to: "http://\(host):\(port)") }
                    started.count()
                } catch {
                    logger.error("The emulator's own address is not usable.", metadata: ["error": "\(error)"])
                }
            }
            try await ServiceGroup(
                services: [started, application], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger
            ).run()
        } catch let error as EmulatorError {
            throw Failure("\(error)")
        }
    }

    private func reader() async throws -> ConfigReader {
        var sources = SettingsSources()
        sources.add(.emulatorHost, host)
        sources.add(.emulatorPort, port)
        sources.add(.baseURL, baseURL)
        sources.add(.issuer, issuer)
        sources.add(.returnURL, returnURL)
        sources.add(.strict, strict)
        sources.add(.claimsAsText, claimsAsText)
        sources.add(.askPassword, askPassword)
        sources.add(.state, state)
        return try await sources.reader(
            prefix: "siwa.emulate", secrets: ["SIWA_EMULATE_CONTROL_TOKEN"], file: config)
    }
}
