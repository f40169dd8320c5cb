import Foundation
import Testing

@Suite("siwa serve --check of mail and consent texts")
struct MailSettingsTests {
    private static let good = [
        "SIWA_MAIL_URL": "smtps://news@mail.example.com", "SIWA_MAIL_PASSWORD": "hunter2",
        "SIWA_MAIL_FROM": "accounts@example.com",
    ]

    private func check(_ more: [String: String?]) throws -> Transcript.Result {
        let environment = try ServeSettingsTests.good().merging(more.compactMapValues(\.self)) { $1 }
        return try Transcript.run(["serve", "--check"], environment: environment)
    }

    /// Runs with a folder that has these files.
    private func withFolder(_ files: [String: String], _ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-mail-\(UUID().uuidString)")
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in files {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try body(folder.path)
    }

    @Test(
        "takes a server with a user and a password, and one on this machine without",
        arguments: [
            [:], ["SIWA_MAIL_URL": "smtp://news@mail.example.com:2587"],
            ["SIWA_MAIL_URL": "smtp://127.0.0.1:2525", "SIWA_MAIL_PASSWORD": nil],
            ["SIWA_MAIL_FROM_NAME": "The Juicers"],
        ] as [[String: String?]])
    func servers(_ changes: [String: String?]) throws {
        let result = try check(Self.good.mapValues { $0 }.merging(changes) { $1 })
        #expect(result.status == 0, "\(result.complaints)")
    }

    @Test("takes the password from a file")
    func passwordFile() throws {
        try withFolder(["password": "hunter2\n"]) { folder in
            var settings: [String: String?] = Self.good
            settings["SIWA_MAIL_PASSWORD"] = .some(nil)
            settings["SIWA_MAIL_PASSWORD_FILE"] = "\(folder)/password"
            #expect(try check(settings).status == 0)
            settings["SIWA_MAIL_PASSWORD"] = "hunter2"
            let both = try check(settings)
            #expect(both.status == 2 && both.complaints.contains("error: mail-password-file: is there beside"))
        }
    }

    @Test(
        "names the setting that is wrong, and shows no password",
        arguments: [
            (["SIWA_MAIL_URL": "https://mail.example.com"], "mail-url"),
            (["SIWA_MAIL_URL": "smtps://news:hunter2@mail.example.com"], "mail-url"),
            (["SIWA_MAIL_URL": nil], "mail-url"),
            (["SIWA_MAIL_URL": "smtps://mail.example.com"], "mail-url"),
            (["SIWA_MAIL_PASSWORD": nil], "mail-password-file"),
            (["SIWA_MAIL_FROM": nil], "mail-from"), (["SIWA_MAIL_FROM": "accounts"], "mail-from"),
            (["SIWA_MAIL_TEMPLATES": "/nowhere/templates"], "mail-templates"),
            (["SIWA_CONSENT_TEXTS": "/nowhere/texts"], "consent-texts"),
        ] as [([String: String?], String)])
    func problems(_ changes: [String: String?], setting: String) throws {
        let result = try check(Self.good.mapValues { $0 }.merging(changes) { $1 })
        #expect(result.status == 2)
        #expect(result.complaints.hasPrefix("error: \(setting): "), "\(result.complaints)")
        #expect(!result.complaints.contains("hunter2"))
    }

    @Test(
        "accepts templates of known mails, and names an invalid file",
        arguments: [
            (["en/test.subject": "Hello from {{serviceName}}"], nil), (["en/hello.text": "x"], "en/hello.text"),
            (["en/test.html": "{{#open}}"], "en/test.html"),
        ] as [([String: String], String?)])
    func templates(_ files: [String: String], wrong: String?) throws {
        try withFolder(files) { folder in
            var settings = Self.good
            settings["SIWA_MAIL_TEMPLATES"] = folder
            let result = try check(settings)
            #expect(result.status == (wrong == nil ? 0 : 2), "\(result.complaints)")
            if let wrong {
                #expect(result.complaints.hasPrefix("error: mail-templates: ") && result.complaints.contains(wrong))
            }
        }
    }

    @Test(
        "accepts consent texts by version and language, and names an invalid file",
        arguments: [
            (["2.en.txt": "We ask.", "2.de.txt": "Wir fragen.", "2027.1.en.txt": "We ask more.", ".hidden": ""], nil),
            (["2.en.txt": "We ask.", "2.en.txt~": "old"], nil), (["2.txt": "x"], "`2.txt` is not named"),
            (["2.en.md": "x"], "`2.en.md` is not named"), (["2.en.txt": " \n"], "consent text 2 in en is empty"),
            (["current.en.txt": "x"], "the version of a consent text"), ([:], "there is no consent text"),
        ] as [([String: String], String?)])
    func consentTexts(_ files: [String: String], words: String?) throws {
        try withFolder(files) { folder in
            let result = try check(["SIWA_CONSENT_TEXTS": folder])
            #expect(result.status == (words == nil ? 0 : 2), "\(result.complaints)")
            if let words {
                #expect(result.complaints.hasPrefix("error: consent-texts: ") && result.complaints.contains(words))
            }
        }
    }
}
