import AccountDatabase
import Crypto
import Foundation
import Testing

@Suite("siwa serve --check")
struct ServeSettingsTests {
    /// Settings that are all right, as environment variables.
    static func good() throws -> [String: String] {
        [
            "SIWA_PUBLIC_URL": "https://accounts.example.com",
            "SIWA_KEY_RING": "k1:" + Data(repeating: 1, count: 32).base64EncodedString(),
            "SIWA_TEAM_ID": "ABCDE12345", "SIWA_KEY_ID": "FGHIJ67890",
            "SIWA_BUNDLE_ID": "com.example.juice,com.example.cider",
            "SIWA_PRIVATE_KEY": P256.Signing.PrivateKey().pemRepresentation,
        ]
    }

    @Test("accepts valid settings")
    func content() throws {
        var environment = try Self.good()
        environment["SIWA_SERVICES_ID"] = "com.example.juice.web"
        let result = try Transcript.run(["serve", "--check"], environment: environment)
        #expect(result.status == 0)
        #expect(result.output == "The settings are good.\n")
    }

    @Test(
        "accepts the app's former team without a key, but no key without the team",
        arguments: [
            (["SIWA_FORMER_TEAM_ID": "JUICETEAM1"], nil), (["SIWA_FORMER_TEAM_ID": "ABCDE12345"], "former-team-id"),
            (["SIWA_FORMER_KEY_ID": "JUICEKEY01"], "former-team-id"),
            (["SIWA_FORMER_TEAM_ID": "JUICETEAM1", "SIWA_FORMER_KEY_ID": "JUICEKEY01"], "former-private-key-file"),
        ] as [([String: String], String?)])
    func formerTeam(more: [String: String], problem: String?) throws {
        let result = try Transcript.run(["serve", "--check"], environment: Self.good().merging(more) { $1 })
        #expect(result.status == (problem == nil ? 0 : 2))
        if let problem { #expect(result.complaints.contains(problem)) }
    }

    @Test("says that there is no sign-in on the web if no Services ID is set")
    func appsAlone() throws {
        let result = try Transcript.run(["serve", "--check"], environment: Self.good())
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("There is no sign-in on the web, because no Services ID is set."))
        #expect(result.output.contains("--services-id") && result.output.hasSuffix("The settings are good.\n"))
    }

    @Test("lists all missing settings, and how to set them")
    func missing() throws {
        try Transcript.expect("serve-check-missing", try Transcript.run(["serve", "--check"]))
    }

    @Test("names a database file that can't be opened, and the reason, and doesn't start")
    func databaseFile() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("siwa-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(repeating: UInt8(ascii: "x"), count: 4_096).write(to: URL(fileURLWithPath: folder + "/text"))
        for (path, words) in [
            (folder, "SQLite says: "), (folder + "/text", "SQLite says: "),
            (folder + "/text/new", "The system says: Not a directory"),
        ] {
            var environment = try Self.good()
            environment["SIWA_DATABASE"] = path
            let result = try Transcript.run(["serve"], environment: environment)
            #expect(result.status == 1)
            #expect(result.complaints.contains("error: the database \(path): The database"))
            #expect(result.complaints.contains(words))
        }
    }

    @Test("doesn't start without the required settings either")
    func start() throws {
        let result = try Transcript.run(["serve"])
        #expect(result.status == 2)
        #expect(result.complaints.contains("public-url"))
    }

    @Test(
        "names the setting that is wrong",
        arguments: [
            ("SIWA_PUBLIC_URL", "http://accounts.example.com", "public-url"),
            ("SIWA_PUBLIC_URL", "https://accounts.example.com/path", "public-url"),
            ("SIWA_KEY_RING", "k1:c2hvcnQ=", "key-ring"),
            ("SIWA_KEY_RING_FILE", "/nowhere/ring", "key-ring-file"),
            ("SIWA_PRIVATE_KEY", "not a key", "private-key-file"),
            ("SIWA_EMULATOR", "http://apple.example.com", "emulator"),
            ("SIWA_PORT", "70000", "port"),
            ("SIWA_PORT", "many", "port"),
            ("SIWA_BUTTON_STYLE", "pink", "button-style"),
            ("SIWA_BUTTON_TITLE", "Hello", "button-title"),
            ("SIWA_SIGN_IN_SCRIPT", "none", "sign-in-script"),
            ("SIWA_LOG_LEVEL", "loud", "log-level"),
            ("SIWA_DATABASE", "mysql://siwa:hunter2@localhost/siwa", "database"),
            ("SIWA_DATABASE_CONNECTIONS", "8", "database-connections"),
            ("SIWA_DATABASE_CONNECTIONS", "many", "database-connections"),
            ("SIWA_REQUEST_BUDGET", "-1", "request-budget"),
            ("SIWA_MAXIMUM_CONNECTIONS", "15", "maximum-connections"),
            ("SIWA_MAXIMUM_CONNECTIONS", "many", "maximum-connections"),
            ("SIWA_MAXIMUM_CONNECTIONS_PER_ADDRESS", "-1", "maximum-connections-per-address"),
            ("SIWA_MANAGEMENT_PORT", "many", "management-port"),
            ("SIWA_MANAGEMENT_HOST", "0.0.0.0", "management-port"),
            ("SIWA_SESSION_IDLE", "soon", "session-idle"),
            ("SIWA_SESSION_IDLE", "181d", "session-idle"),
            ("SIWA_SESSION_IDLE", "1m", "session-idle"),
            ("SIWA_SESSION_LIFETIME", "-1d", "session-lifetime"),
            ("SIWA_SESSION_LIFETIME", "99999999999d", "session-lifetime"),
            ("SIWA_REFRESH_GRACE", "301s", "refresh-grace"),
            ("SIWA_REFRESH_GRACE", "0s", "refresh-grace"),
            ("SIWA_REFRESH_GRACE", "30", "refresh-grace"),
            ("SIWA_AUDIT_LIFETIME", "365", "audit-lifetime"),
            ("SIWA_DELETE_ON_CONSENT_REVOKED", "maybe", "delete-on-consent-revoked"),
            ("SIWA_ADMIT_TRANSFERRED", "maybe", "admit-transferred"),
            ("SIWA_BUNDLE_ID", "com.example.juice com.example.other", "bundle-id"),
            ("SIWA_SERVICES_ID", "com.example.juice", "services-id"),
            ("SIWA_NATIVE_SERVICES_ID", "com.example.juice.web", "native-services-id"),
            ("SIWA_WEBHOOK_URL", "https://backend.example.com/hooks", "webhook-secret-file"),
            ("SIWA_WEBHOOK_SECRET", "c2VjcmV0", "webhook-secret"),
            ("SIWA_WEBHOOK_SECRET", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "webhook-url"),
            ("SIWA_WEBHOOK_SECRET_FILE", "/nowhere/secret", "webhook-secret-file"),
        ])
    func wrong(variable: String, value: String, setting: String) throws {
        var environment = try Self.good()
        environment[variable] = value
        let result = try Transcript.run(["serve", "--check"], environment: environment)
        #expect(result.status == 2)
        #expect(result.complaints.hasPrefix("error: \(setting): "))
        #expect(result.complaints.split(separator: "error:").count == 1)
    }

    @Test("says the same in JSON", arguments: [true, false])
    func json(good: Bool) throws {
        let result = try Transcript.run(["serve", "--check", "--json"], environment: good ? Self.good() : [:])
        #expect(result.status == (good ? 0 : 2) && result.complaints.isEmpty)
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(report["good"] as? Bool == good)
        let problems = try #require(report["problems"] as? [[String: String]])
        #expect(problems.map { $0["setting"] }.contains("public-url") == !good)
        #expect((report["notes"] as? [String])?.count == (good ? 1 : 0))
        #expect((report["warnings"] as? [String])?.count == (good ? 1 : 0))
        #expect(try Transcript.run(["serve", "--json"]).status == 2)
    }

    @Test(
        "warns of a misspelt variable in the environment, and names the one that was meant",
        arguments: [
            ("SIWA_TEAMID", "SIWA_TEAM_ID"), ("SIWA_BUNDEL_ID", "SIWA_BUNDLE_ID"), ("SIWA_DATABSE", "SIWA_DATABASE"),
        ])
    func misspelt(variable: String, meant: String) throws {
        let result = try Transcript.run(["serve", "--check"], environment: Self.good().merging([variable: "x"]) { $1 })
        #expect(result.status == 0)
        #expect(
            result.complaints.contains(
                "warning: nothing reads \(variable) in the environment; did you mean \(meant)?\n"))
    }

    @Test("doesn't warn of other variables")
    func strangers() throws {
        let others = ["SIWA_RECORD": "1", "SIWA_EMULATE_PORT": "1", "SIWA_SOMETHING_ELSE": "1", "PORT": "1"]
        let result = try Transcript.run(["serve", "--check"], environment: Self.good().merging(others) { $1 })
        #expect(result.status == 0 && !result.complaints.contains("nothing reads"))
        let emulate = try Transcript.run(["emulate", "--quirk", "nope"], environment: ["SIWA_EMULATE_QUIRKS": "x"])
        #expect(emulate.status == 2 && emulate.complaints.contains("did you mean SIWA_EMULATE_QUIRK?"))
    }

    @Test(
        "warns if other machines reach it without a proxy",
        arguments: [
            ("0.0.0.0", nil, true), ("::", nil, true), ("192.0.2.1", nil, true), ("0.0.0.0", "10.0.0.7", false),
            ("127.0.0.1", nil, false), ("127.0.0.2", nil, false), ("::1", nil, false), ("localhost", nil, false),
            (nil, nil, false),
        ] as [(String?, String?, Bool)])
    func exposed(host: String?, proxy: String?, isWarned: Bool) throws {
        var environment = try Self.good()
        environment["SIWA_HOST"] = host
        environment["SIWA_TRUSTED_PROXY"] = proxy
        let result = try Transcript.run(["serve", "--check"], environment: environment)
        #expect(result.status == 0)
        #expect(result.complaints.contains("warning: host: other machines reach") == isWarned)
    }

    @Test("prefers a flag to the environment, and the environment to the file")
    func order() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "siwa-settings-\(UUID().uuidString).json")
        try Data(#"{"port": 1, "button-style": "pink", "bundle-id": ["com.example.juice"]}"#.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var environment = try Self.good()
        environment["SIWA_BUNDLE_ID"] = nil
        let arguments = ["serve", "--check", "--config", file.path]
        #expect(try Transcript.run(arguments, environment: environment).complaints.contains("button-style"))
        environment["SIWA_BUTTON_STYLE"] = "white"
        #expect(try Transcript.run(arguments, environment: environment).status == 0)
        #expect(
            try Transcript.run(arguments + ["--button-style", "pink"], environment: environment).complaints
                .contains("button-style"))
    }

    @Test("never shows a secret")
    func secrecy() throws {
        var environment = try Self.good()
        environment["SIWA_PUBLIC_URL"] = nil
        environment["SIWA_KEY_RING"] = "k1:c2VjcmV0,k2:c2VjcmV0"
        environment["SIWA_DATABASE"] = "mysql://siwa:hunter2@localhost/siwa"
        let result = try Transcript.run(["serve", "--check"], environment: environment)
        #expect(!result.complaints.contains("c2VjcmV0"))
        #expect(result.complaints.contains("error: database: `mysql://`"))
        #expect(!result.complaints.contains("hunter2"))
    }

    @Test("doesn't open the database: serve refuses one of another Apple server or key ring, with a hint")
    func database() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-serve-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var environment = try Self.good()
        environment["SIWA_PUBLIC_URL"] = "http://localhost:4000"
        environment["SIWA_DATABASE"] = folder.appending(path: "siwa.sqlite").path
        // A port that nobody may take: the database has been opened by then.
        environment["SIWA_HOST"] = "203.0.113.1"
        #expect(try Transcript.run(["serve"], environment: environment).status == 1)

        let other = try Transcript.run(["serve", "--emulator", "http://127.0.0.1:4010"], environment: environment)
        #expect(other.status == 1)
        #expect(other.complaints.contains("error: this database belongs to apple"))
        #expect(other.complaints.contains("hint: "))

        environment["SIWA_KEY_RING"] = "k2:" + Data(repeating: 2, count: 32).base64EncodedString()
        let ring = try Transcript.run(["serve"], environment: environment)
        #expect(ring.status == 1)
        #expect(ring.complaints.contains("error: the key ring lacks key `k1`"))

        environment["SIWA_DATABASE"] = "/dev/null/siwa.sqlite"
        let nowhere = try Transcript.run(["serve"], environment: environment)
        #expect(nowhere.status == 1)
        #expect(nowhere.complaints.contains("error: "))
    }
}
