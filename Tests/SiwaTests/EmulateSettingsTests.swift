import Foundation
import Testing

@Suite("siwa emulate")
struct EmulateSettingsTests {
    @Test(
        "names the setting that is wrong, wherever it comes from",
        arguments: [
            ("SIWA_EMULATE_PORT", "70000", "port"), ("SIWA_EMULATE_PORT", "many", "port"),
            ("SIWA_EMULATE_STRICT", "perhaps", "strict"),
        ])
    func wrong(variable: String, value: String, setting: String) throws {
        let result = try Transcript.run(["emulate"], environment: [variable: value])
        #expect(result.status == 1)
        #expect(result.complaints.hasPrefix("error: \(setting): "))
        #expect(result.complaints.contains(variable))
    }

    @Test("reads its file, and lets a flag go before it")
    func file() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "siwa-emulate-\(UUID().uuidString).json")
        try Data(#"{"port": 70000, "base-url": "ftp://example.com"}"#.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let arguments = ["emulate", "--config", file.path]
        #expect(try Transcript.run(arguments).complaints.hasPrefix("error: port: "))
        // With a good port it is the base URL that keeps it from starting.
        let result = try Transcript.run(arguments + ["--port", "0"])
        #expect(result.status == 1)
        #expect(!result.complaints.contains("port:"))
    }
}
