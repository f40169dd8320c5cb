import AppleIDEmulator
import Configuration
import Foundation
import Testing

@testable import siwa

@Suite("Secrets in files")
struct FileSecretTests {
    private static let ring = "k1:" + Data(repeating: 1, count: 32).base64EncodedString()

    /// Runs with a file of this content in a folder of its own.
    private func with(_ content: Data, _ work: (_ path: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let file = folder.appending(path: "secret")
        try content.write(to: file)
        try work(file.path)
    }

    @Test("every setting that holds a secret has a setting for its file")
    func everySecret() {
        for program in [Setting.Program.serve, .emulate] {
            let secrets = program.settings.filter(\.isSecret)
            #expect(!secrets.isEmpty)
            for secret in secrets {
                #expect(program.settings.contains(secret.secretFile), "\(secret.name)")
            }
        }
    }

    private struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                let name: String
            }
            struct Completion: Decodable {
                struct Files: Decodable {}
                let file: Files?
            }
            let names: [Name]?
            let completionKind: Completion?
        }
        let commandName: String
        let arguments: [Argument]?
        let subcommands: [Command]?

        var all: [Command] { [self] + (subcommands ?? []).flatMap(\.all) }
    }

    private struct DumpedHelp: Decodable {
        let command: Command
    }

    @Test("every option that takes a file has the files of the machine as its completions")
    func completions() throws {
        let dump = try Transcript.run(["--experimental-dump-help"])
        let help = try JSONDecoder().decode(DumpedHelp.self, from: Data(dump.output.utf8))
        let options = help.command.all.flatMap { $0.arguments ?? [] }.filter { argument in
            argument.names?.contains { $0.name == "file" || $0.name.hasSuffix("-file") } ?? false
        }
        #expect(options.count > 20)
        for option in options { #expect(option.completionKind?.file != nil, "\(option.names?.first?.name ?? "")") }
    }

    /// A command line up to the path, the setting that an error names, and whether the file has one line.
    private static let places: [(arguments: [String], setting: String, isOneLine: Bool)] =
        [
            (["serve", "--check", "--key-ring-file"], "key-ring-file", false),
            (
                ["serve", "--check", "--webhook-url", "https://a.example/", "--webhook-secret-file"],
                "webhook-secret-file", false
            ),
            (["serve", "--check", "--private-key-file"], "private-key-file", false),
            (["secret", "mint", "--client-id", "a", "--print", "--private-key-file"], "private-key-file", false),
            (["keys", "rotate", "--key-ring-file"], "key-ring-file", false),
            (["keys", "reseal", "--key-ring-file"], "key-ring-file", false),
            (["accounts", "export", "a", "--key-ring-file"], "key-ring-file", false),
            (["emulate", "--port", "0", "--control-token-file"], "control-token-file", true),
            (["doctor", "--client-secret-file"], "client-secret-file", true),
            (["keys", "apple", "--token-file"], "token-file", true),
            (["token", "verify", "eyJ", "--code-file"], "code-file", true),
            (["token", "verify", "eyJ", "--access-token-file"], "access-token-file", true),
            (["token", "decode", "--file"], "file", false),
            (["secret", "inspect", "--file"], "file", false),
        ] + Self.placesOnPostgreSQL

    #if PostgreSQL
        private static let placesOnPostgreSQL: [(arguments: [String], setting: String, isOneLine: Bool)] =
            ["serve --check", "accounts list", "keys rotate", "outbox list", "notifications", "daily-check list"].map {
                let words = $0.split(separator: " ").map(String.init)
                return (
                    words + ["--database", "postgres://siwa@127.0.0.1:1/siwa", "--database-password-file"],
                    "database-password-file", true
                )
            }
    #else
        private static let placesOnPostgreSQL: [(arguments: [String], setting: String, isOneLine: Bool)] = []
    #endif

    private func run(_ arguments: [String], _ path: String) throws -> Transcript.Result {
        var environment = try ServeSettingsTests.good()
        if arguments.contains("--key-ring-file") { environment["SIWA_KEY_RING"] = nil }
        if arguments.contains("--private-key-file") { environment["SIWA_PRIVATE_KEY"] = nil }
        return try Transcript.run(arguments + [path], environment: environment)
    }

    /// Looks for the line that names setting and file.
    private func expect(
        _ result: Transcript.Result, _ setting: String, _ path: String, _ words: String, _ arguments: [String],
        location: SourceLocation = #_sourceLocation
    ) {
        #expect(result.status != 0, sourceLocation: location)
        #expect(
            result.complaints.contains("error: \(setting): the file \(path) \(words)"),
            "\(arguments): \(result.complaints)", sourceLocation: location)
        #expect(!(result.output + result.complaints).contains("hunter2"), sourceLocation: location)
    }

    @Test("a file that cannot be read is named with its setting and the system's reason", arguments: places.indices)
    func unreadable(_ index: Int) throws {
        let place = Self.places[index]
        expect(
            try run(place.arguments, "/nowhere/secret"), place.setting, "/nowhere/secret",
            "cannot be read: No such file or directory", place.arguments)
        expect(try run(place.arguments, "/tmp"), place.setting, "/tmp", "cannot be read", place.arguments)
    }

    @Test(
        "a file without a secret in it is named with its setting, and its content never shown",
        arguments: places.indices)
    func unusable(_ index: Int) throws {
        let place = Self.places[index]
        var contents: [(Data, String)] = [
            (Data(), "is empty"), (Data("\n".utf8), "is empty"), (Data(" \r\n".utf8), "is empty"),
            (Data("hunter2\u{0}".utf8), "is not a text in UTF-8"), (Data([0xFF, 0xFE]), "is not a text in UTF-8"),
            (Data(repeating: UInt8(ascii: "a"), count: 1 << 21), "is larger than 1 MiB"),
        ]
        if place.isOneLine { contents.append((Data("hunter2\nhunter2\n".utf8), "holds more than one line")) }
        for (content, words) in contents {
            try with(content) { path in
                expect(try run(place.arguments, path), place.setting, path, words, place.arguments)
            }
        }
    }

    @Test(
        "one newline at the end is not part of a secret, and everything else is",
        arguments: [
            ("hunter2", "hunter2"), ("hunter2\n", "hunter2"), ("hunter2\r\n", "hunter2"), (" hunter2 \n", " hunter2 "),
        ])
    func newline(content: String, secret: String) throws {
        try with(Data(content.utf8)) { path in
            let line = try FileSecret.text(path, lines: .one)
            let lines = try FileSecret.text(path, lines: .several)
            #expect(line == secret && lines == secret)
        }
        try with(Data("a\nb\n\n".utf8)) { path in
            let lines = try FileSecret.text(path, lines: .several)
            #expect(lines == "a\nb\n")
        }
    }

    @Test("the emulator's control token is in the environment or in a file, not in both")
    func controlToken() throws {
        func read(_ environment: [String: String]) throws -> String? {
            let provider = EnvironmentVariablesProvider(environmentVariables: environment)
            return try EmulateSettings.read(from: .init(provider: provider.prefixKeys(with: "siwa.emulate"))).get()
                .emulator.controlToken
        }
        try with(Data("a-token-of-some-length\n".utf8)) { path in
            #expect(try read(["SIWA_EMULATE_CONTROL_TOKEN_FILE": path]) == "a-token-of-some-length")
            #expect(try read(["SIWA_EMULATE_CONTROL_TOKEN": "another-token-of-some-length"]) != nil)
            let both = try Transcript.run(
                ["emulate", "--control-token-file", path],
                environment: ["SIWA_EMULATE_CONTROL_TOKEN": "another-token-of-some-length"])
            #expect(both.status == 2)
            #expect(both.complaints.hasPrefix("error: control-token-file: is there beside control-token; only one can"))
        }
        #expect(try read([:]) == nil)
    }

    @Test("a code and an access token come from files as they do from options, not from both")
    func token() throws {
        try with(Data("hunter2\n".utf8)) { path in
            for name in ["code", "access-token"] {
                let both = try Transcript.run([
                    "token", "verify", "eyJ", "--\(name)", "hunter2", "--\(name)-file", path,
                ])
                #expect(both.status == 2 && both.complaints.contains("Give --\(name) or --\(name)-file, not both."))
                let notification = try Transcript.run(
                    ["token", "verify", "eyJ", "--notification", "--\(name)-file", path])
                #expect(notification.status == 2 && notification.complaints.contains("nothing to compare with"))
            }
        }
    }

    @Test("a SQLite database takes no password from a file")
    func sqlite() throws {
        try with(Data("hunter2\n".utf8)) { path in
            var environment = try ServeSettingsTests.good()
            environment["SIWA_DATABASE_PASSWORD_FILE"] = path
            let result = try Transcript.run(["serve", "--check"], environment: environment)
            #expect(result.status == 2)
            #expect(
                result.complaints.hasPrefix("error: database-password-file: is for PostgreSQL; a SQLite file has no"))
            #expect(!result.complaints.contains("hunter2"))
        }
    }

    #if PostgreSQL
        @Test(
            "a password in the address and one in a file exclude each other",
            arguments: [
                "postgres://siwa:hunter2@127.0.0.1:1/siwa", "postgres://siwa@127.0.0.1:1/siwa?password=hunter2",
            ])
        func twoPasswords(address: String) throws {
            try with(Data("hunter2\n".utf8)) { path in
                var environment = try ServeSettingsTests.good()
                environment["SIWA_DATABASE"] = address
                environment["SIWA_DATABASE_PASSWORD_FILE"] = path
                for arguments in [["serve", "--check"], ["accounts", "list"], ["keys", "rotate"]] {
                    let result = try Transcript.run(arguments, environment: environment)
                    #expect(result.status == 2)
                    #expect(
                        result.complaints.hasPrefix(
                            "error: database-password-file: is there beside a password in database; only one can be"))
                    #expect(!result.complaints.contains("hunter2"))
                }
            }
        }

        @Test("flag, environment and settings file name the password's file alike")
        func password() throws {
            try with(Data("hunter2\n".utf8)) { path in
                let settings = path + ".json"
                try Data(#"{"database-password-file": "\#(path)"}"#.utf8).write(to: URL(filePath: settings))
                var environment = try ServeSettingsTests.good()
                environment["SIWA_DATABASE"] = "postgres://siwa@127.0.0.1:1/siwa"
                for (arguments, more) in [
                    (["--database-password-file", path], [:]), (["--config", settings], [:]),
                    ([], ["SIWA_DATABASE_PASSWORD_FILE": path]),
                ] {
                    let result = try Transcript.run(
                        ["serve", "--check"] + arguments, environment: environment.merging(more) { $1 })
                    #expect(result.status == 0, "\(result.complaints)")
                    #expect(!(result.output + result.complaints).contains("hunter2"))
                }
            }
        }
    #endif
}
