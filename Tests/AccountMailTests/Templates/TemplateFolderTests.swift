import Foundation
import Testing

@testable import AccountMail

@Suite("An operator's folder of templates")
struct TemplateFolderTests {
    /// The templates with these files over those of the program.
    private func templates(_ files: [String: String], defaultLanguage: String = "en") throws -> MailTemplates {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-templates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (path, text) in files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return try MailTemplates(folder: folder, defaultLanguage: defaultLanguage)
    }

    @Test("A file replaces the program's, and the other templates stay")
    func override() throws {
        let templates = try templates([
            "en/test.subject": "{{serviceName}} greets\n", "en/.hidden": "x", "en/test.text~": "x",
        ])
        let (own, usual) = (
            try MailTemplatesTests.rendered("test", "en", templates: templates),
            try MailTemplatesTests.rendered("test", "en")
        )
        #expect(own.subject == "Juice greets")
        #expect(own.text == usual.text)
        #expect(own.html == usual.html.replacing(usual.subject, with: own.subject))
        #expect(
            try MailTemplatesTests.rendered("test", "de", templates: templates)
                == MailTemplatesTests.rendered("test", "de"))
    }

    @Test("A custom frame surrounds every mail")
    func frame() throws {
        let templates = try templates([
            "de/layout.html": "<html>{{$content}}{{/content}}<p>Ihr {{serviceName}}</p></html>"
        ])
        for kind in MailTemplatesTests.kinds {
            #expect(
                try MailTemplatesTests.rendered(kind, "de", templates: templates).html.hasSuffix(
                    "<p>Ihr Juice</p></html>\n"))
        }
    }

    @Test("A frame of one language changes no other, and a language without one has the English one")
    func frames() throws {
        let test = "{{<layout}}{{$content}}{{/content}}{{/layout}}"
        let templates = try templates([
            "en/layout.html": "<p>{{>sender}}</p>", "fr/test.subject": "Essai", "fr/test.text": "Bonjour",
            "fr/test.html": test, "it/sender.html": "Da {{serviceName}}", "it/test.subject": "Prova",
            "it/test.text": "Ciao", "it/test.html": test,
        ])
        let html = { language in try MailTemplatesTests.rendered("test", language, templates: templates).html }
        #expect(try html("en") == "<p>Sent by Juice</p>\n")
        #expect(try html("fr") == "<p>Sent by Juice</p>\n")
        #expect(try html("it") == "<p>Da Juice</p>\n")
        #expect(try html("de") == MailTemplatesTests.rendered("test", "de").html)
    }

    @Test("Another language has each kind with all three forms, in its own frame or the English one")
    func language() throws {
        let templates = try templates([
            "fr-CA/test.subject": "Essai", "fr-CA/test.text": "{{<layout}}{{$content}}Bonjour{{/content}}{{/layout}}",
            "fr-CA/test.html": "{{<layout}}{{$content}}<p>Bonjour</p>{{/content}}{{/layout}}",
            "fr-CA/new_device.subject": "x",
        ])
        let mail = try MailTemplatesTests.rendered("test", "fr-CA", templates: templates)
        #expect(mail.language == "fr-ca")
        #expect(mail.subject == "Essai")
        #expect(mail.text.hasPrefix("Bonjour\n"))
        #expect(mail.html.contains("<p>Bonjour</p>"))
        #expect(mail.html.contains("</html>") && mail.html.contains("<html lang=\"fr-ca\">"))
        #expect(try MailTemplatesTests.rendered("new_device", "fr-CA", templates: templates).language == "en")
    }

    @Test("Values are escaped in any template, also in one that asks for raw text")
    func raw() throws {
        let templates = try templates(["en/test.html": "<p>{{{serviceName}}}{{&serviceName}}</p>"])
        let mail = try MailTemplatesTests.rendered("test", "en", ["serviceName": "<b>"], templates: templates)
        #expect(mail.html == "<p>&lt;b&gt;&lt;b&gt;</p>\n")
    }

    @Test(
        "A file that no mail uses is an error, and so is one that isn't Mustache",
        arguments: [
            "en/tset.html", "en/test.htm", "en/test", "en/test.html.txt", "en/layout.subject", "english/test.html",
            "readme.txt", "e/test.html", "en-/test.html",
        ])
    func unused(path: String) throws {
        #expect(throws: AccountMailError(.invalidTemplate, "")) { try templates([path: "x"]) }
    }

    @Test("A template that isn't Mustache, or not UTF-8, is an error")
    func wrong() throws {
        #expect(throws: AccountMailError(.invalidTemplate, "")) { try templates(["en/test.html": "{{#open}}"]) }
    }

    @Test("A folder that isn't there is an error")
    func missing() {
        #expect(throws: AccountMailError(.invalidTemplate, "")) {
            try MailTemplates(folder: URL(filePath: "/nonexistent/templates"))
        }
    }
}
