import Foundation
import Testing

@testable import siwa

@Suite("Secrets on the command line")
struct ExposedSecretTests {
    private static let ring = "k1:" + Data(repeating: 2, count: 32).base64EncodedString()
    private static let webhook = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    /// A command line with one secret, what a warning calls the secret, and the option that takes it from a file.
    private static let places: [(arguments: [String], name: String, file: String)] =
        [
            (["serve", "--check", "--key-ring", ring], "--key-ring", "--key-ring-file"),
            (
                ["serve", "--check", "--webhook-url", "https://a.example/", "--webhook-secret", webhook],
                "--webhook-secret", "--webhook-secret-file"
            ),
            (
                [
                    "serve", "--check", "--mail-url", "smtps://a@a.example", "--mail-from", "a@a.example",
                    "--mail-password", "hunter2",
                ], "--mail-password", "--mail-password-file"
            ),
            (["token", "decode", "hunter2"], "the token", "--file"),
            (["token", "verify", "--keys", "/nowhere/keys", "hunter2"], "the token", "--file"),
            (["secret", "inspect", "hunter2"], "the token", "--file"),
            (["token", "verify", "--file", "/nowhere/token", "--code", "hunter2"], "--code", "--code-file"),
            (
                ["token", "verify", "--file", "/nowhere/token", "--access-token", "hunter2"], "--access-token",
                "--access-token-file"
            ),
            (["keys", "apple", "--keys", "/nowhere/keys", "--token", "hunter2"], "--token", "--token-file"),
        ] + placesOnPostgreSQL + importsOnPostgreSQL

    #if PostgreSQL
        private static let placesOnPostgreSQL: [(arguments: [String], name: String, file: String)] = [
            "postgres://siwa:hunter2@127.0.0.1:1/siwa", "postgresql://siwa@127.0.0.1:1/siwa?password=hunter2",
        ].flatMap { address in
            [
                ["serve", "--check"], ["doctor"], ["accounts", "list"], ["accounts", "show", "a"], ["outbox", "list"],
                ["notifications"], ["daily-check", "list"], ["keys", "rotate"], ["keys", "reseal"],
            ].map { ($0 + ["--database", address], "the password in --database", "--database-password-file") }
        }
        private static let importsOnPostgreSQL: [(arguments: [String], name: String, file: String)] = [
            (
                ["import", "--from", "supabase", "postgres://siwa:hunter2@127.0.0.1:1/siwa", "--dry-run"],
                "the password in FILE", "passfile=PATH in the address"
            )
        ]
    #else
        private static let importsOnPostgreSQL: [(arguments: [String], name: String, file: String)] = []
        private static let placesOnPostgreSQL: [(arguments: [String], name: String, file: String)] = []
    #endif

    private static let words = "is on the command line"

    @Test("cause one warning each, with the option that takes a file", arguments: places.indices)
    func warned(_ index: Int) throws {
        let place = Self.places[index]
        var environment = try ServeSettingsTests.good()
        if place.arguments.contains("--key-ring") { environment["SIWA_KEY_RING"] = nil }
        // An address where nobody listens: no command asks Apple.
        environment["SIWA_EMULATOR"] = "http://127.0.0.1:1"
        let result = try Transcript.run(place.arguments, environment: environment)
        let warning =
            "warning: \(place.name) is on the command line, where other users of this machine can read it; "
            + "\(place.file) takes it from a file\n"
        #expect(result.complaints.contains(warning), "\(result.complaints)")
        #expect(result.complaints.split(separator: Self.words).count == 2, "\(result.complaints)")
        #expect(!result.complaints.contains("hunter2"))
        #expect(!result.complaints.contains(Self.ring) && !result.complaints.contains(Self.webhook))
    }

    @Test("cover all secret settings that have an option")
    func everySecret() throws {
        let help = try Transcript.run(["serve", "--help"]).output.split(whereSeparator: \.isWhitespace)
        let options = Setting.ofService.filter { $0.isSecret && help.contains("--\($0.name)") }.map(\.name)
        // Beside these `siwa emulate` has one, without an option.
        #expect(Set(options) == ["key-ring", "webhook-secret", "mail-password", "database"])
    }

    @Test("cause a warning even if other settings are missing")
    func problems() throws {
        let result = try Transcript.run(["serve", "--check", "--key-ring", Self.ring])
        #expect(result.status == 2)
        #expect(result.complaints.hasPrefix("warning: --key-ring \(Self.words)"))
    }

    @Test("cause no warning if they come from the environment or a file")
    func elsewhere() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let (ring, settings) = (folder.appending(path: "ring").path, folder.appending(path: "settings.json").path)
        try Data(Self.ring.utf8).write(to: URL(filePath: ring))
        try Data(#"{"webhook-url": "https://a.example/", "webhook-secret": "\#(Self.webhook)"}"#.utf8).write(
            to: URL(filePath: settings))
        let environment = try ServeSettingsTests.good()
        var withoutRing = environment
        withoutRing["SIWA_KEY_RING"] = nil
        for (arguments, environment) in [
            (["serve", "--check"], environment), (["serve", "--check", "--key-ring-file", ring], withoutRing),
            (["serve", "--check", "--config", settings], environment),
            (["serve", "--check", "--database", "siwa.sqlite"], environment),
        ] {
            let result = try Transcript.run(arguments, environment: environment)
            #expect(result.status == 0, "\(result.complaints)")
            #expect(!result.complaints.contains(Self.words))
        }
        let piped = try Transcript.run(["token", "decode"], input: "hunter2")
        #expect(!piped.complaints.contains(Self.words))
    }

    #if PostgreSQL
        @Test("cause no warning if an address has no password")
        func address() throws {
            var environment = try ServeSettingsTests.good()
            for address in ["postgres://siwa@127.0.0.1:1/siwa", "postgres:///siwa"] {
                let result = try Transcript.run(["serve", "--check", "--database", address], environment: environment)
                #expect(result.status == 0 && !result.complaints.contains(Self.words))
            }
            environment["SIWA_DATABASE"] = "postgres://siwa:hunter2@127.0.0.1:1/siwa"
            let result = try Transcript.run(["serve", "--check"], environment: environment)
            #expect(result.status == 0 && !result.complaints.contains(Self.words))
        }
    #endif
}
