import Foundation
import Testing

@Suite("siwa serve --check of webhooks and what apps may present")
struct WebhookSettingsTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private func check(_ more: [String: String]) throws -> Transcript.Result {
        let environment = try ServeSettingsTests.good().merging(more) { $1 }
        return try Transcript.run(["serve", "--check"], environment: environment)
    }

    @Test("takes a URL with a secret, several, or a file of them")
    func good() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "siwa-webhook-\(UUID().uuidString)")
        try Data("\(Self.secret)\n\(Self.secret)\n".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for secret in [
            ["SIWA_WEBHOOK_SECRET": Self.secret], ["SIWA_WEBHOOK_SECRET": "\(Self.secret),\(Self.secret)"],
            ["SIWA_WEBHOOK_SECRET_FILE": file.path],
        ] {
            let result = try check(secret.merging(["SIWA_WEBHOOK_URL": "https://backend.example.com/hooks"]) { $1 })
            #expect(result.status == 0 && !result.complaints.contains("error"))
        }
    }

    @Test(
        "refuses any other URL",
        arguments: ["http://backend.example.com/hooks", "backend.example.com", "https://me:secret@example.com/"])
    func url(_ url: String) throws {
        let result = try check(["SIWA_WEBHOOK_URL": url, "SIWA_WEBHOOK_SECRET": Self.secret])
        #expect(result.status == 2 && result.complaints.hasPrefix("error: webhook-url: "))
        #expect(!result.complaints.contains(Self.secret))
    }

    @Test("refuses a secret beside a file of them, and never shows one")
    func secrets() throws {
        let both = try check([
            "SIWA_WEBHOOK_URL": "https://backend.example.com/hooks", "SIWA_WEBHOOK_SECRET": Self.secret,
            "SIWA_WEBHOOK_SECRET_FILE": "/nowhere/secret",
        ])
        #expect(both.status == 2 && both.complaints.contains("error: webhook-secret-file: "))
        let bad = try check([
            "SIWA_WEBHOOK_URL": "https://backend.example.com/hooks", "SIWA_WEBHOOK_SECRET": Self.secret + "hunter2",
        ])
        #expect(bad.status == 2 && bad.complaints.hasPrefix("error: webhook-secret: "))
        #expect(!(bad.complaints + both.complaints).contains("MfKQ"))
    }

    @Test(
        "takes Services IDs of its own for apps, with an https return URL or none",
        arguments: [
            ("com.example.juice.web", true), ("com.example.juice.web=https://juice.example.com/callback", true),
            ("com.example.juice.web=http://juice.example.com/callback", false), ("com.example.other", false),
        ])
    func services(_ text: String, isGood: Bool) throws {
        let result = try check(["SIWA_SERVICES_ID": "com.example.juice.web", "SIWA_NATIVE_SERVICES_ID": text])
        #expect((result.status == 0) == isGood)
        #expect(result.complaints.hasPrefix("error: native-services-id: ") != isGood)
    }

    @Test("takes a word for the deletion on an end of consent, and a flag", arguments: ["true", "false"])
    func deletion(_ word: String) throws {
        #expect(try check(["SIWA_DELETE_ON_CONSENT_REVOKED": word]).status == 0)
        let flag = try Transcript.run(
            ["serve", "--check", "--delete-on-consent-revoked"], environment: ServeSettingsTests.good())
        #expect(flag.status == 0)
    }
}
