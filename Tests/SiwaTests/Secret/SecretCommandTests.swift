import Crypto
import Foundation
import Testing

@testable import siwa

@Suite("siwa secret")
struct SecretCommandTests {
    /// Runs with a key file in a folder of its own.
    private func withKey(_ body: (_ settings: [String], _ folder: URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-secret-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "AuthKey_FGHIJ67890.p8").path
        try P256.Signing.PrivateKey().pemRepresentation.write(toFile: file, atomically: true, encoding: .utf8)
        try body(["--team-id", "ABCDE12345", "--key-id", "FGHIJ67890", "--private-key-file", file], folder)
    }

    @Test(
        "inspect accepts the secrets that mint makes, signature included",
        arguments: ["1h", "600", "15777000s", "182d"])
    func roundTrip(lifetime: String) throws {
        try withKey { settings, _ in
            let minted = try Transcript.run(
                ["secret", "mint", "--client-id", "com.example.juice", "--lifetime", lifetime, "--print"] + settings)
            #expect(minted.status == 0, "\(minted.complaints)")
            let result = try Transcript.run(
                ["secret", "inspect", "--client-id", "com.example.juice"] + settings, input: minted.output)
            #expect(result.status == 0, "\(result.output)")
            #expect(result.output.contains("made by the configured key"))
            #expect(!result.output.contains(minted.output.trimmingCharacters(in: .newlines)))
        }
    }

    @Test("mint writes a secret to a file that only its owner can read, and nowhere else")
    func file() throws {
        try withKey { settings, folder in
            let file = folder.appending(path: "secret.jwt").path
            let result = try Transcript.run(
                ["secret", "mint", "--client-id", "com.example.juice", "--output", file] + settings)
            #expect(result.status == 0)
            #expect(result.output.isEmpty)
            let secret = try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: .newlines)
            #expect(!result.complaints.contains(secret))
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            #expect(try Transcript.run(["secret", "inspect", "--file", file]).status == 0)
            let json = try Transcript.run(
                ["secret", "mint", "--client-id", "com.example.juice", "--output", file, "--json"] + settings)
            #expect(json.status == 0 && json.output.contains(#""secret" : null"#) && json.complaints.isEmpty)
            let printed = try Transcript.run(
                ["secret", "mint", "--client-id", "com.example.juice", "--print", "--json"] + settings)
            #expect(printed.output.contains(#""secret" : "ey"#) && printed.output.contains(#""output" : null"#))
        }
    }

    @Test(
        "mint requires one destination, and a lifetime that Apple accepts",
        arguments: [
            [], ["--print", "--output", "x"], ["--print", "--lifetime", "183d"], ["--print", "--lifetime", "15777001"],
            ["--print", "--lifetime", "0s"], ["--print", "--lifetime", "-1h"], ["--print", "--lifetime", "soon"],
            ["--print", "--lifetime", "9223372036854775807d"], ["--print", "--lifetime", ""],
        ])
    func usage(arguments: [String]) throws {
        try withKey { settings, _ in
            let result = try Transcript.run(["secret", "mint", "--client-id", "a.b"] + settings + arguments)
            #expect(result.status == 2)
            #expect(result.output.isEmpty)
        }
    }

    @Test("mint names the settings that are missing")
    func settings() throws {
        let result = try Transcript.run(["secret", "mint", "--client-id", "a.b", "--print"])
        #expect(result.status == 2)
        #expect(result.complaints.contains("error: team-id: ") && result.complaints.contains("error: key-id: "))
    }

    @Test("inspect reports faults as JSON")
    func json() throws {
        let result = try Transcript.run(["secret", "inspect", "--json"], input: "abc")
        #expect(result.status == 1)
        let whole = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(whole["good"] as? Bool == false)
        let checks = try #require(whole["checks"] as? [[String: Any]])
        #expect(checks.map { $0["code"] as? String } == ["secret_malformed"])
    }
}
