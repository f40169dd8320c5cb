import AccountHTTP
import AccountService
import AppleID
import ArgumentParser
import Configuration
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

/// `siwa serve`: the account service alone.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the account service.",
        discussion: """
            Every setting can be given as a flag, as an environment variable (--public-url is SIWA_PUBLIC_URL) or as a \
            member of a JSON file ("public-url"), in this order. Give the key ring, the private key and an address \
            with a password in the environment or the file: other people on the machine can read flags.

            \(Help.examples(
                """
                siwa serve --public-url http://localhost:4000 \\
                  --team-id ABCDE12345 --key-id FGHIJ67890 \\
                  --private-key-file AuthKey_FGHIJ67890.p8 \\
                  --services-id com.example.juice.web
                """,
                "siwa serve --config siwa.json --check"))
            """)

    @Option(help: "A JSON file with settings.", completion: .file(extensions: ["json"]))
    var config: String?

    @Flag(help: "Only say whether the settings are good.")
    var check = false

    @Flag(help: "With --check: print JSON.")
    var json = false

    @Option(help: "Where people reach this service: https://host, or http://localhost:port while developing.")
    var publicURL: String?

    @Option(help: "The address to listen on. Default: 127.0.0.1.")
    var host: String?

    @Option(help: "The port to listen on. Default: 4000.")
    var port: Int?

    @Option(help: "A SQLite file, or postgres://user@host/name. Default: siwa.sqlite.", completion: .file())
    var database: String?

    @Option(help: "How many connections to PostgreSQL are open at most. Default: 8.")
    var databaseConnections: Int?

    @Option(help: "The server's secret keys, id:base64, separated by commas: the first seals, all open.")
    var keyRing: String?

    @Option(help: "A file with these keys, in place of --key-ring.", completion: .file())
    var keyRingFile: String?

    @Option(help: "An emulator in place of Apple, for development.")
    var emulator: String?

    @Option(help: "Your team at Apple.")
    var teamID: String?

    @Option(help: "The key for Sign in with Apple.")
    var keyID: String?

    @Option(help: "The .p8 file of that key.", completion: .file())
    var privateKeyFile: String?

    @Option(help: "The bundle id of an app whose tokens are accepted. May be given several times.")
    var bundleID: [String] = []

    @Option(help: "The Services ID of the sign-in on the web. May be given several times: apps can use the others.")
    var servicesID: [String] = []

    @Option(
        help: """
            The id of an app that may sign people in through the browser, such as juice: under --app-name, with every \
            client above, back by loopback. For anything else see "apps" of the --config file. May be given several \
            times.
            """)
    var app: [String] = []

    @Option(help: "The address of a proxy whose X-Forwarded-For is true, or a range. May be given several times.")
    var trustedProxy: [String] = []

    @Option(
        help: """
            How many requests of one kind one address may make in a minute before it has signed in; 0 for any number. \
            Default: 300.
            """)
    var requestBudget: Int?

    @Option(
        help: """
            How many connections are open at most. Default: 10000, or the system's limit on open files less 128 where \
            that is smaller.
            """)
    var maximumConnections: Int?

    @Option(
        help: """
            How many of them one address may have; 0 for any number. Trusted proxies may have any number. Default: a \
            quarter.
            """)
    var maximumConnectionsPerAddress: Int?

    @Option(help: "The address on which GET /metrics is answered. Default: 127.0.0.1.")
    var managementHost: String?

    @Option(help: "The port of that. Without it nothing listens there.")
    var managementPort: Int?

    @Option(help: "How long a session lives unused, as in 12h. Default: 30d.")
    var sessionIdle: String?

    @Option(help: "How long a session lives at most, used or not. Default: 180d.")
    var sessionLifetime: String?

    @Option(
        help: """
            How long a refresh whose answer was lost may be repeated without an attempt, as in 2m; at most 5m. \
            Default: 30s.
            """)
    var refreshGrace: String?

    @Option(help: "How long is kept who signed in when and from where. Default: 365d.")
    var auditLifetime: String?

    @Option(
        help: """
            A Services ID whose identity tokens apps may present as they do a bundle id's, or ID=URL with the return \
            URL that its codes were obtained with. May be given several times. Default: none.
            """)
    var nativeServicesID: [String] = []

    @Option(help: "Where your own backend is told of changes to accounts: https://…, or http:// on this machine.")
    var webhookURL: String?

    @Option(help: "What these are signed with, whsec_base64; several, separated by commas, while one is changed.")
    var webhookSecret: String?

    @Option(help: "A file with these secrets, in place of --webhook-secret.", completion: .file())
    var webhookSecretFile: String?

    @Flag(help: "Delete an account when its person stops using the app at Apple. Default: keep it.")
    var deleteOnConsentRevoked = false

    @Flag(help: "Give people of an app that came from another team new accounts. Default: refuse them.")
    var admitTransferred = false

    @Option(help: "The audience of the access tokens that are handed out. Default: the public URL.")
    var tokenAudience: String?

    @Option(help: "What people know the service by.")
    var appName: String?

    @Option(
        help: "Apple's button: automatic, black, white or outlined.",
        completion: .list(AppleButton.Style.allCases.map(\.rawValue)))
    var buttonStyle: String?

    @Option(
        help: "The button's title: sign-in, sign-up or continue.",
        completion: .list(AppleButton.Title.allCases.map(\.rawValue)))
    var buttonTitle: String?

    @Option(
        help: "Begin sign-ins on the start page with Sign in with Apple JS: popup or redirect. Default: a plain link.",
        completion: .list(SignInScript.allCases.map(\.rawValue)))
    var signInScript: String?

    @Option(
        help: """
            trace, debug, info, notice, warning, error or critical. Default: info, which has a line for each request \
            that was refused or failed; debug has one for every request.
            """,
        completion: .list(Logger.Level.allCases.map(\.rawValue)))
    var logLevel: String?

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
            try await AccountServer.run(settings, reload: reload, logger: logger)
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
        let file = try config.map { try SettingsFile(path: $0) } ?? SettingsFile()
        let config = try await reader(besides: file)
        // The snapshot comes first: where a file changes in between, the next reload finds the change.
        var snapshot = SettingsSnapshot(config)
        let settings = try ServeSettings.read(from: config, file: file).get()
        snapshot.apps = settings.account.apps
        return (settings, snapshot)
    }

    /// - Parameter file: What is wrong with it is told where nothing else can be, since a `ConfigReader` does not take
    ///   every value.
    private func reader(besides file: SettingsFile) async throws -> ConfigReader {
        var sources = SettingsSources()
        let texts: [(Setting, String?)] = [
            (.publicURL, publicURL), (.host, host), (.emulator, emulator), (.teamID, teamID),
            (.keyID, keyID), (.privateKeyFile, privateKeyFile), (.tokenAudience, tokenAudience), (.appName, appName),
            (.buttonStyle, buttonStyle), (.buttonTitle, buttonTitle), (.signInScript, signInScript),
            (.logLevel, logLevel), (.sessionIdle, sessionIdle), (.sessionLifetime, sessionLifetime),
            (.refreshGrace, refreshGrace),
            (.auditLifetime, auditLifetime), (.managementHost, managementHost),
            (.webhookURL, webhookURL), (.webhookSecretFile, webhookSecretFile), (.keyRingFile, keyRingFile),
        ]
        for (setting, text) in texts { sources.add(setting, text) }
        sources.add(.keyRing, keyRing, isSecret: true)
        sources.add(.database, database, isSecret: true)
        sources.add(.databaseConnections, databaseConnections)
        sources.add(.webhookSecret, webhookSecret, isSecret: true)
        sources.add(.deleteOnConsentRevoked, deleteOnConsentRevoked)
        sources.add(.admitTransferred, admitTransferred)
        sources.add(.port, port)
        sources.add(.requestBudget, requestBudget)
        sources.add(.maximumConnections, maximumConnections)
        sources.add(.maximumConnectionsPerAddress, maximumConnectionsPerAddress)
        sources.add(.managementPort, managementPort)
        for (setting, texts) in [
            (Setting.bundleID, bundleID), (.servicesID, servicesID), (.app, app), (.trustedProxy, trustedProxy),
            (.nativeServicesID, nativeServicesID),
        ] {
            sources.add(setting, texts)
        }
        do {
            return try await sources.reader(
                prefix: "siwa",
                secrets: ["SIWA_KEY_RING", "SIWA_PRIVATE_KEY", "SIWA_DATABASE", "SIWA_WEBHOOK_SECRET"], file: config)
        } catch let failure as Failure {
            let problems = file.unknown + file.wrongKinds
            guard problems.isEmpty else { throw SettingsProblems(problems: problems) }
            throw failure
        }
    }
}

/// What `--check --json` prints.
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
