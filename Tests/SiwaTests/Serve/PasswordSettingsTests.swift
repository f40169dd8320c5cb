import Testing

@Suite("siwa serve --check of passwords")
struct PasswordSettingsTests {
    private static let mail = [
        "SIWA_MAIL_URL": "smtp://127.0.0.1:2525", "SIWA_MAIL_FROM": "accounts@example.com",
    ]

    private func check(_ more: [String: String?]) throws -> Transcript.Result {
        let settings = try ServeSettingsTests.good().merging(more.compactMapValues(\.self)) { $1 }
        return try Transcript.run(["serve", "--check"], environment: settings)
    }

    @Test(
        "takes passwords beside mail, with a minimum length and a number of hashers",
        arguments: [
            [:], ["SIWA_PASSWORD_MINIMUM_LENGTH": "15"], ["SIWA_PASSWORD_MINIMUM_LENGTH": "64"],
            ["SIWA_PASSWORD_HASHERS": "1"], ["SIWA_PASSWORD_HASHERS": "64"],
        ] as [[String: String]])
    func good(_ changes: [String: String]) throws {
        let result = try check(Self.mail.merging(changes) { $1 }.merging(["SIWA_PASSWORDS": "true"]) { $1 })
        #expect(result.status == 0, "\(result.complaints)")
        #expect(!result.complaints.contains("password"))
    }

    @Test("refuses passwords without mail, because nobody could prove an address")
    func withoutMail() throws {
        let result = try check(["SIWA_PASSWORDS": "true"])
        #expect(result.status == 2)
        #expect(result.complaints.hasPrefix("error: mail-url: is missing: with passwords,"), "\(result.complaints)")
        // A mail server with a mistake is told of once.
        let wrong = try check(["SIWA_PASSWORDS": "true", "SIWA_MAIL_URL": "https://mail.example.com"])
        #expect(wrong.status == 2 && wrong.complaints.ranges(of: "error: mail-url").count == 1)
    }

    @Test(
        "names the setting that is wrong",
        arguments: [
            (["SIWA_PASSWORD_MINIMUM_LENGTH": "7"], "password-minimum-length"),
            (["SIWA_PASSWORD_MINIMUM_LENGTH": "65"], "password-minimum-length"),
            (["SIWA_PASSWORD_HASHERS": "0"], "password-hashers"), (["SIWA_PASSWORDS": "maybe"], "passwords"),
            (["SIWA_PASSWORDS": nil, "SIWA_PASSWORD_HASHERS": "2"], "passwords"),
            (["SIWA_PASSWORDS": "false", "SIWA_PASSWORD_MINIMUM_LENGTH": "8"], "passwords"),
        ] as [([String: String?], String)])
    func problems(_ changes: [String: String?], setting: String) throws {
        let settings = Self.mail.merging(["SIWA_PASSWORDS": "true"]) { $1 }.mapValues { Optional($0) }
        let result = try check(settings.merging(changes) { $1 })
        #expect(result.status == 2)
        #expect(result.complaints.hasPrefix("error: \(setting): "), "\(result.complaints)")
    }

    @Test("warns of a minimum that is short for the only factor")
    func short() throws {
        let settings = Self.mail.merging(["SIWA_PASSWORDS": "true", "SIWA_PASSWORD_MINIMUM_LENGTH": "14"]) { $1 }
        let result = try check(settings)
        #expect(result.status == 0)
        #expect(result.complaints.contains("warning: password-minimum-length: 14 characters are few"))
    }

    @Test("says that people sign in on the web by password alone if there is no Services ID")
    func withoutServicesID() throws {
        let without = try check([:])
        #expect(without.output.contains("There is no sign-in on the web"))
        let settings = Self.mail.merging(["SIWA_PASSWORDS": "true"]) { $1 }
        #expect(try check(settings).output.contains("people sign in with a password alone"))
    }
}
