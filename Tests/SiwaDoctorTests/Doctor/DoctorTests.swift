import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Crypto
import Foundation
import Testing

@testable import SiwaDoctor

@Suite("siwa doctor")
struct DoctorTests {
    @Test("tells a missing capability from a wrong client")
    func capability() async throws {
        var examined = try Examined()
        examined.behaviour.clientsLackCapability = true
        #expect(try await examined.findings().codes == ["unauthorized_client", "unauthorized_client"])
    }

    @Test("says that Apple can't be reached, and blames no setting")
    func unreachable() async throws {
        #expect(try await Examined().findings(with: .unreachable).codes == ["unreachable"])
        #expect(try await Examined().findings(with: .status(403)).codes == ["unreachable"])
        #expect(try await Examined().findings(with: .status(200)).codes == ["no_key_set"])
        #expect(try await Examined().findings(with: .status(429)).codes == ["throttled"])
    }

    struct Key: CustomTestStringConvertible, Sendable {
        let code: String
        let pem: String
        var testDescription: String { code }
    }

    @Test(
        "says what a key file contains if it isn't Apple's",
        arguments: [
            Key(code: "key_file_empty", pem: " \n"),
            Key(code: "key_not_pem", pem: "MIGTAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBHkwdwIBAQQg"),
            Key(code: "key_is_public", pem: P256.Signing.PrivateKey().publicKey.pemRepresentation),
            Key(code: "key_is_rsa", pem: "-----BEGIN RSA PRIVATE KEY-----\nAA==\n-----END RSA PRIVATE KEY-----"),
            Key(
                code: "key_is_encrypted",
                pem: "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA==\n-----END ENCRYPTED PRIVATE KEY-----"),
            Key(code: "key_is_certificate", pem: "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----"),
            Key(code: "key_not_p256", pem: P384.Signing.PrivateKey().pemRepresentation),
            Key(code: "key_not_p256", pem: "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----"),
        ])
    func keys(_ key: Key) async throws {
        var examined = try Examined()
        examined.settings.pem = key.pem
        let findings = try await examined.findings()
        #expect(findings.codes == [key.code])
        #expect(findings.contains { $0.name == "clients" && $0.outcome == .skipped })
    }

    @Test("reports a key file that is missing, or that others may read")
    func keyFile() async throws {
        var examined = try Examined()
        let pem = try #require(examined.settings.pem)
        examined.settings.pem = nil
        examined.settings.keyFile = "/nowhere/AuthKey.p8"
        #expect(try await examined.findings().codes == ["key_file_missing"])
        examined.settings.keyFile = FileManager.default.temporaryDirectory.path
        #expect(try await examined.findings().codes == ["key_file_unreadable"], "a folder is no file")
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).p8")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(pem.utf8).write(to: file)
        examined.settings.keyFile = file.path
        for (mode, isWarned) in [(0o644, true), (0o600, false)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
            let findings = try await examined.findings()
            #expect(findings.areGood)
            #expect(findings.contains { $0.code == "key_file_open" } == isWarned)
        }
    }

    @Test(
        "recognizes identifiers that have the wrong form",
        arguments: [
            ("JUICETEAM1.com.example.juice", "client_has_team"), ("com.example.*", "client_form"),
            ("juice", "client_form"), ("com.example juice", "client_form"), ("com.example.juice.web", "client_twice"),
        ])
    func identifiers(client: String, code: String) throws {
        var settings = try Examined().settings
        settings.bundleIDs = [.init(client)]
        #expect(IdentifierChecks(settings: settings).findings().codes == [code])
    }

    @Test("checks the form of Team ID and Key ID, if the server is Apple")
    func portalIDs() throws {
        var settings = try Examined().settings
        settings.server = .apple
        settings.team = "juiceteam1"
        settings.keyID = "KEY"
        #expect(IdentifierChecks(settings: settings).findings().codes == ["team_id_form", "key_id_form"])
        settings.team = "ABCDE12345"
        settings.keyID = "ABCDE12345"
        #expect(IdentifierChecks(settings: settings).findings().codes == ["team_id_is_key_id"])
    }

    @Test(
        "checks the return URL against Apple's rules, but not for an emulator",
        arguments: ["http://localhost:4000", "https://localhost", "https://192.0.2.1", "https://intranet"])
    func returnURL(url: String) throws {
        var settings = try Examined().settings
        settings.returnURL = url + "/sign-in/apple/callback"
        #expect(ReturnURLCheck(settings: settings).findings().areGood)
        settings.server = .apple
        #expect(ReturnURLCheck(settings: settings).findings().codes == ["return_url_form"])
    }

    @Test(
        "reads the time of an answer",
        arguments: [
            ("Thu, 01 Jan 2026 00:00:00 GMT", nil, true), ("Thu, 01 Jan 2026 00:00:30 GMT", "clock_drifts", true),
            ("Thu, 01 Jan 2026 00:01:01 GMT", "clock_wrong", false),
            ("Wed, 31 Dec 2025 22:00:00 GMT", "clock_wrong", false),
            ("yesterday", nil, nil), (nil, nil, nil),
        ] as [(String?, String?, Bool?)])
    func clock(header: String?, code: String?, isRight: Bool?) {
        let result = ClockCheck.examine(header, now: TestClock().now)
        #expect(result.finding.code == code)
        #expect(result.isRight == isRight)
    }

    @Test("never shows a key or a secret")
    func secrecy() async throws {
        var examined = try Examined()
        let pem = try #require(examined.settings.pem)
        examined.settings.clientSecret = "aaaa.SECRETSECRET.cccc"
        examined.settings.team = "OTHERTEAM1"
        let text = try await examined.findings(bare: false).json()
        #expect(!text.contains("SECRETSECRET"))
        #expect(pem.split(separator: "\n").dropFirst().dropLast().allSatisfy { !text.contains($0) })
    }
}
