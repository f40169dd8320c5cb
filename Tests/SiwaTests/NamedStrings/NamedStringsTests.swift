import AccountHTTP
import AccountService
import AppleID
import AppleIDEmulator
import Configuration
import Foundation
import Testing

@testable import siwa

/// Names that are stored, sent, logged, measured, configured or fed to a key derivation never change.
@Suite("Names that others rely on")
struct NamedStringsTests {
    /// A command as `--experimental-dump-help` describes it.
    private struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                let kind, name: String
            }

            let kind: String
            let isRepeating: Bool
            let names: [Name]?
            let valueName: String?

            var line: String {
                let shown = (names ?? []).map { ($0.kind == "short" ? "-" : "--") + $0.name }
                return (shown.isEmpty ? ["<\(valueName ?? "")>"] : shown.sorted()).joined(separator: " ")
                    + " (\(kind)\(isRepeating ? ", repeated" : ""))"
            }
        }

        let commandName: String
        let arguments: [Argument]?
        let subcommands: [Command]?

        func lines(_ path: String = "") -> [String] {
            let path = path.isEmpty ? commandName : "\(path) \(commandName)"
            return [path] + (arguments ?? []).map { "\(path) \($0.line)" }.sorted()
                + (subcommands ?? []).flatMap { $0.lines(path) }
        }
    }

    private struct DumpedHelp: Decodable {
        let command: Command
    }

    @Test("commands and their flags are those that were recorded")
    func commands() throws {
        let dump = try Transcript.run(["--experimental-dump-help"])
        let help = try JSONDecoder().decode(DumpedHelp.self, from: Data(dump.output.utf8))
        try RecordedNames.expect("commands", help.command.lines())
    }

    @Test("settings keep their names in flags, environment and file, and what they take there")
    func settings() throws {
        let service = Setting.ofService.map { "serve: --\($0.name), \($0.variable), \"\($0.name)\": \($0.kind)" }
        let emulator = Setting.ofEmulator.map { "emulate: --\($0.name), \($0.variable), \"\($0.name)\"" }
        let app = Setting.ofApp.map { name, kind in "serve, in the file: apps.ID.\(name): \(kind)" }
        let provider = Setting.ofProvider.map { name, kind in "serve, in the file: providers.ID.\(name): \(kind)" }
        try RecordedNames.expect("settings", (service + app + provider + emulator).sorted())
    }

    @Test("settings have the recorded defaults")
    func defaults() throws {
        try RecordedNames.expect("defaults", try Self.values(besides: [:]))
    }

    @Test("settings have the defaults that their help states")
    func documentedDefaults() throws {
        let settings = (Setting.ofService + Setting.ofEmulator).compactMap { setting in
            // A default of several words is an explanation.
            setting.standard.flatMap { $0.contains(" ") || $0 == "none" ? nil : (setting.variable, $0) }
        }
        #expect(settings.count >= 13)
        // The first goes with PostgreSQL alone, the second with a management port alone, the others with passwords.
        let alone = [
            Setting.databaseConnections, .managementHost, .passwordMinimumLength, .passwordHashers,
        ].map(\.variable)
        let given = settings.filter { !alone.contains($0.0) }
        #expect(
            try Self.values(besides: Dictionary(uniqueKeysWithValues: given)) == Self.values(besides: [:]))
    }

    /// Returns the settings, with some in the environment beside those that must be there.
    private static func values(besides more: [String: String]) throws -> [String] {
        var environment = try ServeSettingsTests.good().merging(more) { $1 }
        environment["SIWA_SERVICES_ID"] = "com.example.juice.web"
        let settings = try ServeSettings.read(
            from: .init(
                provider: EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "siwa")),
            file: SettingsFile()
        ).get()
        let (account, pages) = (settings.account, settings.pages)
        var lines = [
            "serve: host = \(settings.host)", "serve: port = \(settings.port)",
            "serve: database = \(settings.database)", "serve: log-level = \(settings.logLevel)",
            "serve: emulator = \(settings.server.name)",
            "serve: token-audience = \(account.accessTokenAudience)",
            "serve: session-idle = \(account.sessionLimits.idle)",
            "serve: session-lifetime = \(account.sessionLimits.absolute)",
            "serve: refresh-grace = \(account.sessionLimits.refreshGrace)",
            "serve: audit-lifetime = \(account.auditLifetime)",
            "serve: delete-on-consent-revoked = \(account.deletesOnConsentRevoked)",
            "serve: admit-transferred = \(account.admitsTransferredPeople)",
            "serve: app-name = \(pages.appName)", "serve: button-style = \(pages.button.style)",
            "serve: button-title = \(pages.button.title)",
            "serve: request-budget = \(pages.requestBudget.map { "\($0)" } ?? "none")",
            "serve: sign-in-script = \(pages.signInScript?.rawValue ?? "none")",
            "serve: management-port = \(settings.management.map { "\($0.port)" } ?? "none")",
            "serve: webhook-url = \(settings.webhook == nil ? "none" : "set")",
            "serve: mail-url = \(settings.mail == nil ? "none" : "set")",
            "serve: consent-texts = \(account.consentTexts.current)",
            "serve: passwords = \(account.passwords == nil ? "off" : "on")",
        ]
        let emulate = try EmulateSettings.read(
            from: .init(
                provider: EnvironmentVariablesProvider(environmentVariables: more).prefixKeys(with: "siwa.emulate"))
        ).get()
        lines += [
            "emulate: host = \(emulate.host)", "emulate: port = \(emulate.port)",
            "emulate: base-url = \(emulate.emulator.baseURL)", "emulate: issuer = \(emulate.emulator.issuer)",
            "emulate: tls = \(emulate.usesTLS)", "emulate: strict = \(emulate.emulator.strictURLs)",
            "emulate: ask-password = \(emulate.emulator.asksPassword)",
            "emulate: state = \(emulate.emulator.stateFile ?? "none")",
            "emulate: mail-port = \(emulate.emulator.mailPort.map { "\($0)" } ?? "none")",
        ]
        return lines
    }

    @Test("commands end with the status that is documented")
    func exitCodes() throws {
        for (arguments, status) in [
            (["--version"], 0), (["accounts", "list", "--help"], 0), (["serve", "--check"], 2), (["nonsense"], 2),
            (["serve", "--nonsense"], 2), (["token", "decode", "nonsense"], 1),
            (["outbox", "list", "--database", "/nowhere/siwa.sqlite"], 1),
        ] {
            #expect(try Transcript.run(arguments).status == Int32(status), "\(arguments)")
        }
    }

    /// Runs `siwa serve` on an address that no machine has: it stops once its database is open.
    private static func makeTables(in database: String) throws {
        var environment = try ServeSettingsTests.good()
        environment["SIWA_DATABASE"] = database
        environment["SIWA_HOST"] = "203.0.113.1"
        environment["SIWA_TRUSTED_PROXY"] = "203.0.113.7"
        let result = try Transcript.run(["serve"], environment: environment)
        #expect(result.complaints.contains("annot assign requested address"), "\(result.complaints)")
    }

    /// Runs a program that prints rows.
    private static func rows(_ program: String, _ arguments: [String]) throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program)")
        return text.split(separator: "\n").map(String.init)
    }

    @Test("tables, columns, indexes and migrations on SQLite")
    func tablesOnSQLite() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "siwa.sqlite").path
        try Self.makeTables(in: file)
        // Python comes with its own SQLite, and is there wherever the tests run.
        let script = """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1])
            for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"):
                for _, column, kind, required, _, key in database.execute(f"PRAGMA table_info({table})"):
                    print(f"{table}.{column} {kind}{' not null' if required else ''}{f' key {key}' if key else ''}")
            for name, table, sql in database.execute("SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index'"
                    " AND sql IS NOT NULL ORDER BY name"):
                print("index", " ".join(sql.split()))
            for (name,) in database.execute("SELECT name FROM migrations ORDER BY name"):
                print("migration", name)
            """
        try RecordedNames.expect("tables-sqlite", try Self.rows("python3", ["-c", script, file]))
    }

    #if PostgreSQL
        @Test("tables, columns, indexes and migrations on PostgreSQL")
        func tablesOnPostgreSQL() async throws {
            let address = try await PostgresServeTests.schema()
            try Self.makeTables(in: address)
            let query = """
                SELECT table_name || '.' || column_name || ' ' || data_type
                  || CASE is_nullable WHEN 'NO' THEN ' not null' ELSE '' END
                  || coalesce(' collate ' || collation_name, '')
                FROM information_schema.columns WHERE table_schema = current_schema()
                ORDER BY table_name, ordinal_position;
                SELECT 'index ' || replace(indexdef, current_schema() || '.', '') FROM pg_indexes
                WHERE schemaname = current_schema() ORDER BY indexname;
                SELECT 'migration ' || name FROM migrations ORDER BY name
                """
            try RecordedNames.expect("tables-postgresql", try Self.rows("psql", ["-XqAt", address, "-c", query]))
        }
    #endif

    @Test("raw values of types that are stored or sent, keys of the log, names of metrics, labels of key derivations")
    func sourceNames() throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "source_names.py")
        try RecordedNames.expect("source-names", try Self.rows("python3", [script.path]))
    }
}
