import Foundation
import Testing

@testable import siwa

@Suite("siwa emulate")
struct EmulateSettingsTests {
    @Test(
        "names the setting that is wrong, wherever it comes from",
        arguments: [
            ("SIWA_EMULATE_PORT", "70000", "port"), ("SIWA_EMULATE_PORT", "many", "port"),
            ("SIWA_EMULATE_MAIL_PORT", "-1", "mail-port"), ("SIWA_EMULATE_STRICT", "perhaps", "strict"),
        ])
    func wrong(variable: String, value: String, setting: String) throws {
        let result = try Transcript.run(["emulate"], environment: [variable: value])
        #expect(result.status == 2)
        #expect(result.complaints.hasPrefix("error: \(setting): "))
        #expect(result.complaints.contains(variable))
    }

    @Test(
        "writes an IPv6 address in brackets into its URL",
        arguments: [("::1", "[::1]"), ("127.0.0.1", "127.0.0.1")])
    func host(_ host: String, _ written: String) {
        #expect(EmulateSettings.urlHost(host) == written)
    }

    @Test("reads its file, and a flag takes precedence")
    func file() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "siwa-emulate-\(UUID().uuidString).json")
        try Data(#"{"port": 70000, "base-url": "ftp://example.com"}"#.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let arguments = ["emulate", "--config", file.path]
        #expect(try Transcript.run(arguments).complaints.hasPrefix("error: port: "))
        // With a good port it is the base URL that keeps it from starting.
        let result = try Transcript.run(arguments + ["--port", "0"])
        #expect(result.status == 2)
        #expect(!result.complaints.contains("port:"))
    }

    @Test(
        "names unknown quirks, settings that exclude each other, and an invalid portal",
        arguments: [
            (["--quirk", "mood"], "error: quirk: `mood` is no quirk; siwa emulate --help lists them"),
            (["--quirk", "claim-as-text"], "error: quirk: `claim-as-text` is no quirk; did you mean `claims-"),
            (["--base-url", "ftp://example.com"], "ftp://example.com"),
            (["--root-file", "/nowhere/root.pem"], "error: root-file: is of no use without tls"),
            (["--issuer", "x"], "error: invalid_configuration: "),
            (["--portal", "x", "--return-url", "https://a.example/"], "error: return-url: belongs into the portal's"),
            (["--portal", "x", "--notification-url", "https://a.example/"], "error: notification-url: belongs into"),
            (["--portal", "/nowhere/p.json"], "error: invalid_portal: no such file: /nowhere/p.json"),
            (["--tls", "--root-file", "/nowhere/root.pem"], "error: the file /nowhere/root.pem cannot be written"),
            (["--ready-file", "/dev/null/ready"], "error: the file /dev/null/ready cannot be written"),
        ])
    func refused(_ arguments: [String], _ complaint: String) throws {
        let result = try Transcript.run(["emulate", "--port", "0"] + arguments)
        // A file that is missing or can't be written isn't a mistake in the command.
        let isAboutFile = complaint.contains("no such file") || complaint.contains("cannot be written")
        #expect(result.status == (isAboutFile ? 1 : 2))
        #expect(result.complaints.contains(complaint), "\(result.complaints)")
    }

    @Test("help names every quirk, and says that this is not Apple")
    func help() throws {
        let help = try Transcript.run(["emulate", "--help"])
        #expect(help.status == 0)
        #expect(help.output.contains("It is not Apple"))
        // Each on a line of its own.
        let lines = Set(help.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
        #expect(lines.isSuperset(of: ["refresh-once-a-day", "one-key", "claims-as-text", "account-deleted"]))
    }
}
