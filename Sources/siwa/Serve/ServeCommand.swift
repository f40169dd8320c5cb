import AccountHTTP
import AccountService
import AppleID
import ArgumentParser
import CommandIO
import Configuration
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// `siwa serve`: the account service alone.
@available(siwaServer 1.0, *)
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the account service.",
        discussion: """
            Every setting can be given as a flag, as an environment variable (--public-url is SIWA_PUBLIC_URL) or as a \
            member of a JSON file ("public-url"), in this order. Give secrets in files of their own, by options such as \
            --key-ring-file: other users of the machine can read the command line.

            \(Help.examples(
                """
                siwa serve --public-url https://accounts.example.com \\
                  --key-ring-file key-ring \\
                  --team-id ABCDE12345 --key-id FGHIJ67890 \\
                  --private-key-file AuthKey_FGHIJ67890.p8 \\
                  --services-id com.example.juice.web
                """,
                "siwa serve --config siwa.json --check"))
            """)

    @OptionGroup var examined: ExaminedSettings

    @Flag(help: "Only say whether the settings are good.")
    var check = false

    @Flag(help: "With --check: print JSON.")
    var json = false

    @Option(.host) var host: String?
    @Option(.port) var port: Int?
    @Option(.databaseConnections) var databaseConnections: Int?
    @Option(.keyRing) var keyRing: String?
    @Option(.keyRingFile) var keyRingFile: String?
    @Option(.nativeServicesID) var nativeServicesID: [String]
    @Option(.app) var app: [String]
    @Option(.trustedProxy) var trustedProxy: [String]
    @Option(.requestBudget) var requestBudget: Int?
    @Option(.maximumConnections) var maximumConnections: Int?
    @Option(.maximumConnectionsPerAddress) var maximumConnectionsPerAddress: Int?
    @Option(.managementHost) var managementHost: String?
    @Option(.managementPort) var managementPort: Int?
    @Option(.sessionIdle) var sessionIdle: String?
    @Option(.sessionLifetime) var sessionLifetime: String?
    @Option(.refreshGrace) var refreshGrace: String?
    @Option(.auditLifetime) var auditLifetime: String?
    @Option(.webhookURL) var webhookURL: String?
    @Option(.webhookSecret) var webhookSecret: String?
    @Option(.webhookSecretFile) var webhookSecretFile: String?
    @OptionGroup var mail: MailOptions
    @Option(.mailPassword) var mailPassword: String?
    @Option(.consentTexts) var consentTexts: String?
    @Flag(.passwords) var passwords: Bool
    @Option(.passwordMinimumLength) var passwordMinimumLength: Int?
    @Option(.passwordHashers) var passwordHashers: Int?
    @Flag(.deleteOnConsentRevoked) var deleteOnConsentRevoked: Bool
    @Flag(.admitTransferred) var admitTransferred: Bool
    @Option(.formerTeamID) var formerTeamID: String?
    @Option(.formerKeyID) var formerKeyID: String?
    @Option(.formerPrivateKeyFile) var formerPrivateKeyFile: String?
    @Option(.tokenAudience) var tokenAudience: String?
    @Option(.appName) var appName: String?
    @Option(.buttonStyle) var buttonStyle: String?
    @Option(.buttonTitle) var buttonTitle: String?
    @Option(.signInScript) var signInScript: String?
    @Option(.logLevel) var logLevel: String?

    func validate() throws {
        guard check || !json else { throw ValidationError("--json goes with --check.") }
    }

    func run() async throws {
        let settings: ServeSettings
        let snapshot: SettingsSnapshot
        do {
            let read = try await read()
            (settings, snapshot) = (read.settings, read.snapshot)
        } catch let problems as SettingsProblems where json {
            say(try SettingsReport(problems).jsonText(isSpread: true))
            throw ExitCode(2)
        }
        if check {
            guard !json else { return say(try SettingsReport(settings).jsonText(isSpread: true)) }
            for warning in settings.warnings { complain("warning: \(warning)") }
            for note in settings.notes { say(note) }
            say("The settings are good.")
            return
        }
        let threshold = LogThreshold(settings.logLevel)
        let logger = Logger.standard(threshold)
        var reload: Reload.Source?
        if !Hangup.meansTheEnd {
            reload = Reload.Source(
                hangups: await UnixSignalsSequence(trapping: .sighup), snapshot: snapshot, threshold: threshold
            ) { try await read() }
        }
        do {
            try await ServeWiring.run(settings, reload: reload, logger: logger)
        } catch let error as AccountError {
            throw error.failure
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            let ports = [settings.port, settings.management?.port].compactMap { $0.map { "\($0)" } }
            throw Failure(
                "port \(ports.joined(separator: " or ")) is in use", hint: "--port takes another one, 0 a free one")
        }
    }

    /// Reads all settings, as they are now.
    /// - Throws: ``SettingsProblems`` with everything that is wrong, or ``Failure``.
    private func read() async throws -> (settings: ServeSettings, snapshot: SettingsSnapshot) {
        let file = try examined.key.config.map { try SettingsFile(path: $0) } ?? SettingsFile()
        let config = try await reader(besides: file)
        // The snapshot comes first: where a file changes in between, the next reload finds the change.
        var snapshot = SettingsSnapshot(config, providers: file.providers)
        let settings = try ServeSettings.read(from: config, file: file).get()
        snapshot.apps = settings.account.apps
        return (settings, snapshot)
    }

    /// - Parameter file: Its problems are thrown if there is no reader, since a `ConfigReader` does not take every
    ///   value.
    private func reader(besides file: SettingsFile) async throws -> ConfigReader {
        var sources = examined.sources
        sources.add(flagsOf: mail)
        sources.add(flagsOf: self)
        do {
            return try await sources.reader(file: examined.key.config)
        } catch let failure as Failure {
            let problems = file.unknown + file.wrongKinds
            guard problems.isEmpty else { throw SettingsProblems(problems: problems) }
            throw failure
        }
    }
}

/// The output of `--check --json`.
private struct SettingsReport: Encodable {
    struct Problem: Encodable {
        let setting, problem, hint: String
    }

    let good: Bool
    let problems: [Problem]
    let warnings, notes: [String]

    init(_ settings: ServeSettings) {
        good = true
        problems = []
        warnings = settings.warnings
        notes = settings.notes
    }

    init(_ found: SettingsProblems) {
        good = false
        problems = found.problems.map {
            Problem(setting: $0.setting.path, problem: $0.problem, hint: "set \($0.setting.howToSet)")
        }
        warnings = []
        notes = []
    }
}
