import AppleIDEmulator
import ArgumentParser
import Foundation
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
            loopback only, unless SIWA_CONTROL_TOKEN is set, which they then demand.
            """)

    @Option(help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(help: "The port to listen on; 0 for a free one.")
    var port = 4_010

    @Option(help: "Where clients reach it, when that is not http://HOST:PORT.")
    var baseURL: String?

    @Option(help: "The issuer of tokens and discovery.")
    var issuer = "https://appleid.apple.com"

    @Option(help: "A return URL of the Services ID com.example.juice.web. May be given several times.")
    var returnURL: [String] = []

    @Flag(help: "Refuse what Apple refuses: return URLs with http, localhost or an IP address.")
    var strict = false

    @Flag(help: "Write email_verified and is_private_email as text.")
    var claimsAsText = false

    @Option(help: "A JSON file that keeps keys, portal and grants, private keys included.")
    var state: String?

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("A port is a number from 0 to 65535.") }
    }

    func run() async throws {
        let logger = Logger.standard()
        var configuration = EmulatorConfiguration(
            baseURL: baseURL ?? "http://\(host):\(port == 0 ? 4_010 : port)", issuer: issuer, strictURLs: strict,
            claimsAsText: claimsAsText, stateFile: state,
            controlToken: ProcessInfo.processInfo.environment["SIWA_CONTROL_TOKEN"])
        if !returnURL.isEmpty { configuration.returnURLs = returnURL }
        do {
            let emulator = try await Emulator(configuration: configuration, logger: logger)
            let (host, fixedBaseURL) = (host, baseURL)
            let started = Countdown(1) {
                say("siwa emulate: \(emulator.portal.baseURL) stands in for Apple. It is not Apple. Ctrl-C ends it.")
            }
            let application = emulator.application(host: host, port: port) { port in
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
}
