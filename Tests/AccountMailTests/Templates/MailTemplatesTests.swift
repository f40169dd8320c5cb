import Foundation
import Testing

@testable import AccountMail

@Suite("Templates of mails")
struct MailTemplatesTests {
    /// The values that the service gives to the templates of each kind.
    static let values: [String: [String: String]] = [
        "verify_address": [
            "address": "johnny@example.com",
            "link": "https://accounts.example.com/contact/0123456789abcdef0123456789abcdef",
        ],
        "address_changed": [
            "address": "new@example.com", "happenedAt": "2026-11-25T02:09:42Z",
            "link": "https://accounts.example.com/contact/take-back/0123456789abcdef0123456789abcdef",
        ],
        "new_device": [
            "device": "Juice on Linux", "network": "203.0.113.7", "happenedAt": "2026-11-25T02:09:42.123Z",
            "link": "https://accounts.example.com/sessions/not-me/0123456789abcdef0123456789abcdef", "leftOut": "17",
        ],
        "deletion_begun": ["happenedAt": "2026-11-25T02:09:42Z"],
        "deletion_done": ["happenedAt": "2026-11-25T02:09:42Z"],
        "announcement": [
            "subject": "New flavours",
            "text": "We have three new flavours.\nCome and try them.\n\nSee you soon,\nthe team of Juice",
        ],
        "test": [:],
        "sign_up": ["link": emailLink],
        "sign_in_link": ["link": emailLink],
        "password_reset": ["link": emailLink],
        "account_exists": ["way": "password", "link": "https://accounts.example.com/sign-in"],
        "no_account": ["link": "https://accounts.example.com/sign-up"],
        "password_changed": ["happenedAt": "2026-11-25T02:09:42Z"],
        "password_off": [
            "happenedAt": "2026-11-25T02:09:42Z", "link": "https://accounts.example.com/forgotten",
        ],
        "upgraded": ["address": "johnny@example.com", "happenedAt": "2026-11-25T02:09:42Z"],
        "link_address": ["link": emailLink],
        "linked": [
            "way": "apple", "address": "johnny@example.com", "happenedAt": "2026-11-25T02:09:42Z",
            "link": "https://accounts.example.com/account/links",
        ],
        "two_accounts": ["address": "johnny@example.com", "link": "https://accounts.example.com/account/links"],
        "merged": [
            "address": "johnny@example.com", "happenedAt": "2026-11-25T02:09:42Z",
            "link": "https://accounts.example.com/account/links",
        ],
        "unlinked": [
            "way": "email", "address": "johnny@example.com", "happenedAt": "2026-11-25T02:09:42Z",
            "link": "https://accounts.example.com/account/links",
        ],
    ]
    private static let emailLink = "https://accounts.example.com/email-links/0123456789abcdef0123456789abcdef"
    static let kinds = values.keys.sorted()
    static let languages = ["en", "de"]

    static func rendered(
        _ kind: String, _ language: String?, _ changes: [String: String] = [:], templates: MailTemplates? = nil
    ) throws -> RenderedMail {
        let values = (values[kind] ?? [:])
            .merging(["serviceName": "Juice", "serviceURL": "https://accounts.example.com"]) { given, _ in given }
            .merging(changes) { _, change in change }
        let given = try templates ?? TestSMTPSender.templates.get()
        return try #require(given.render(kind, languages: language.map { [$0] } ?? [], values: values))
    }

    @Test(
        "Every kind has a mail in each language, with all its facts, and nothing is left of the template",
        arguments: kinds, languages)
    func complete(kind: String, language: String) throws {
        let mail = try Self.rendered(kind, language)
        #expect(mail.language == language)
        #expect(!mail.subject.isEmpty)
        for text in [mail.subject, mail.text, mail.html] {
            #expect(!text.contains("{{"))
            #expect(!text.contains("}}"))
        }
        for text in [mail.text, mail.html] {
            #expect(text.contains("Juice"))
            #expect(text.contains("https://accounts.example.com"))
            for (name, value) in Self.values[kind] ?? [:]
            where !["happenedAt", "text", "subject", "way"].contains(name) {
                #expect(text.contains(value), "\(name)")
            }
        }
        #expect(mail.html.hasPrefix("<!DOCTYPE html>\n<html lang=\"\(language)\">"))
        #expect(mail.html.contains("<title>\(mail.subject)</title>"))
        let sender = language == "de" ? "Gesendet von Juice" : "Sent by Juice"
        #expect(
            mail.html.contains("<p style=\"margin:10px 0 0;\">\(sender) · <a")
                && mail.text.contains("\n\(sender), https:"))
        #expect(mail.text.hasSuffix("\n"))
    }

    @Test("Links in HTML are links, and nothing is loaded from anywhere", arguments: kinds, languages)
    func links(kind: String, language: String) throws {
        let html = try Self.rendered(kind, language).html
        if let link = Self.values[kind]?["link"] { #expect(html.contains("href=\"\(link)\"")) }
        for word in ["<script", "<img", "<link", "src=", "url(", "@import", "<form", "<table"] {
            #expect(!html.contains(word), "\(word)")
        }
    }

    @Test("Every mail says why it came, and what to do if it wasn't you", arguments: kinds)
    func reasons(kind: String) throws {
        let (english, german) = (try Self.rendered(kind, "en"), try Self.rendered(kind, "de"))
        for text in [english.text, english.html] {
            #expect(text.contains("You get this mail because"))
            #expect(
                text.contains(#/[Ii]f (it wasn’t you|that wasn’t you|you didn’t|the account isn’t yours)/#)
                    || kind == "test")
        }
        for text in [german.text, german.html] { #expect(text.contains("Sie erhalten diese E-Mail, weil")) }
    }

    @Test("A time is written as the language does, in UTC")
    func time() throws {
        #expect(try Self.rendered("new_device", "en").text.contains("November 25, 2026 at 2:09 AM UTC"))
        #expect(try Self.rendered("new_device", "de").text.contains("25. November 2026"))
        let odd = try Self.rendered("new_device", "en", ["happenedAt": "yesterday\nevening"])
        #expect(odd.text.contains("Time: yesterday evening\n"))
    }

    @Test("A fact that isn't known has no line", arguments: languages)
    func unknown(language: String) throws {
        let mail = try Self.rendered("new_device", language, ["device": "", "network": ""])
        for text in [mail.text, mail.html] { #expect(!text.contains(#/Device|Gerät:|Netzwerk|Network/#)) }
        #expect(!mail.text.contains("\n\n\n"))
    }

    @Test(
        "A mail about a removed address says that it was removed",
        arguments: [("en", "was removed"), ("de", "entfernt")])
    func removed(language: String, words: String) throws {
        let changed = try Self.rendered("address_changed", language)
        let removed = try Self.rendered("address_changed", language, ["address": ""])
        #expect(!changed.text.contains(words) && !changed.html.contains(words))
        #expect(removed.text.contains(words) && removed.html.contains(words))
    }

    @Test(
        "A mail whose link proves an address says how long the link is good, and that it is for nobody else",
        arguments: ["sign_up", "sign_in_link", "password_reset"], languages)
    func emailLinks(kind: String, language: String) throws {
        let mail = try Self.rendered(kind, language)
        let (minutes, once, secret) =
            language == "de"
            ? ("15 Minuten", "Der Link gilt einmal.", "Geben Sie den Link nicht weiter.")
            : ("15 minutes", "The link works once.", "Don’t give the link to anybody.")
        for text in [mail.text.replacing("\n", with: " "), mail.html] {
            #expect(text.contains(minutes) && text.contains(once) && text.contains(secret))
        }
        #expect(!mail.subject.contains("15"))
    }

    @Test(
        "A mail to somebody who has an account names their way to sign in, and no other",
        arguments: [
            (
                "en",
                [
                    "apple": "Sign in with Apple", "password": "your password", "link": "a link sent to this address",
                    "other": "the other address", "provider": "choose Sign in with Google",
                ]
            ),
            (
                "de",
                [
                    "apple": "„Mit Apple anmelden“", "password": "Ihr Passwort", "link": "einen Link an diese Adresse",
                    "other": "die andere Adresse", "provider": "„Sign in with Google“",
                ]
            ),
        ])
    func ways(language: String, named: [String: String]) throws {
        for way in named.keys {
            let mail = try Self.rendered("account_exists", language, ["way": way, "provider": "Google"])
            for text in [mail.text.replacing("\n", with: " "), mail.html] {
                #expect(named.filter { text.contains($0.value) }.map(\.key) == [way])
            }
        }
    }

    @Test("A mail about a way in names its provider, and only an address is called an address", arguments: languages)
    func wayIn(language: String) throws {
        for kind in ["linked", "unlinked"] {
            for (way, provider) in [("apple", nil), ("email", nil), ("google", "Google")] as [(String, String?)] {
                var changes = ["way": way]
                changes["provider"] = provider
                let mail = try Self.rendered(kind, language, changes)
                for text in [mail.text, mail.html] {
                    #expect(text.contains(language == "en" ? "Email address" : "E-Mail-Adresse") == (way == "email"))
                    #expect(text.contains("Google") == (way == "google"))
                    #expect(text.contains("Apple") == (way == "apple"))
                }
            }
        }
    }

    @Test(
        "A mail to the owner of an address that was to be added to another account says how to join the two",
        arguments: languages)
    func addsToAccount(language: String) throws {
        let words =
            language == "de" ? ("kein neues angelegt", "nicht hinzugefügt") : ("no new one was made", "not added")
        let join = language == "de" ? "löschen Sie das Konto" : "delete that account"
        let signUp = try Self.rendered("account_exists", language)
        let link = try Self.rendered("account_exists", language, ["addsToAccount": "true"])
        for (signUp, link) in [(signUp.text, link.text), (signUp.html, link.html)] {
            let (signUp, link) = (signUp.replacing("\n", with: " "), link.replacing("\n", with: " "))
            #expect(signUp.contains(words.0) && !signUp.contains(words.1) && !signUp.contains(join))
            #expect(!link.contains(words.0) && link.contains(words.1) && link.contains(join))
        }
    }

    @Test(
        "Without a page for the ways in, the mails lead to the app",
        arguments: ["linked", "unlinked", "two_accounts"], languages)
    func withoutPage(kind: String, language: String) throws {
        let (page, app) = language == "de" ? ("folgende Seite", "die App") : ("the page below", "the app")
        let with = try Self.rendered(kind, language)
        let without = try Self.rendered(kind, language, ["link": ""])
        for text in [with.text, with.html] { #expect(text.contains(page) && !text.contains(app)) }
        for text in [without.text, without.html] {
            #expect(!text.contains(page) && text.contains(app) && !text.contains("/account/links"))
            #expect(!text.contains("class=\"button\""))
        }
    }

    @Test(
        "A mail about a password that was changed or turned off shows no password and asks for none",
        arguments: languages)
    func passwords(language: String) throws {
        for kind in ["password_changed", "password_off"] {
            let mail = try Self.rendered(kind, language)
            #expect(!mail.html.contains("<input") && !mail.text.contains("password:"))
            #expect(mail.html.contains(language == "de" ? "neues Passwort" : "a new password"))
        }
    }

    @Test("An announcement has its paragraphs")
    func paragraphs() throws {
        let mail = try Self.rendered("announcement", "en")
        #expect(mail.subject == "New flavours")
        #expect(
            mail.text.hasPrefix("We have three new flavours.\nCome and try them.\n\nSee you soon,\nthe team of Juice\n")
        )
        #expect(mail.html.contains(">We have three new flavours.\nCome and try them.</p>"))
        #expect(mail.html.contains(">See you soon,\nthe team of Juice</p>"))
    }

    @Test("Values are text in HTML, and never tags", arguments: kinds, languages)
    func escaped(kind: String, language: String) throws {
        let evil = "<b>\"'&\"\u{301}"
        let names = Set((Self.values[kind] ?? [:]).keys).union(["serviceName", "serviceURL"])
        let mail = try Self.rendered(kind, language, Dictionary(uniqueKeysWithValues: names.map { ($0, evil) }))
        #expect(!mail.html.contains("<b>"))
        #expect(!mail.html.contains("\"'&"))
        #expect(mail.html.contains("&lt;b&gt;&quot;&#39;&amp;&quot"))
        #expect(mail.text.contains("<b>\"'&"))
    }

    @Test("A subject has no line break, and a fact has none either")
    func oneLine() throws {
        let mail = try Self.rendered(
            "announcement", "en",
            ["subject": "a\r\nBcc: b@example.com\u{0}\u{2028}c\u{202E}d", "serviceName": "x\r\n\r\ny"])
        #expect(mail.subject == "a Bcc: b@example.com cd")
        #expect(mail.text.contains("Sent by x y,"))
        #expect(
            try Self.rendered("announcement", "en", ["subject": String(repeating: "x", count: 500)]).subject.count
                == 200)
    }

    @Test(
        "The language is the one that was told, without its region, or the default",
        arguments: [
            ("de", "de"), ("de-AT", "de"), ("DE_ch", "de"), ("de-Latn-AT", "de"), ("en-GB", "en"), ("fr", "en"),
            (nil, "en"), ("", "en"),
            ("-", "en"), ("dee", "en"),
        ])
    func language(asked: String?, expected: String) throws {
        #expect(try Self.rendered("test", asked).language == expected)
    }

    @Test(
        "The first of a person's languages that has templates counts, and then the default",
        arguments: [
            (["fr", "de"], "de"), (["fr-CA", "it", "de-AT", "en"], "de"), (["en", "de"], "en"), (["fr", "it"], "en"),
            ([], "en"),
        ])
    func best(asked: [String], expected: String) throws {
        let mail = try #require(try MailTemplates().render("test", languages: asked, values: ["serviceName": "Juice"]))
        #expect(mail.language == expected)
    }

    @Test("The default language can be changed")
    func defaultLanguage() throws {
        let templates = try MailTemplates(defaultLanguage: "de")
        #expect(try Self.rendered("test", "fr", templates: templates).language == "de")
        #expect(try Self.rendered("test", "en", templates: templates).language == "en")
        #expect(throws: AccountMailError(.invalidTemplate, "")) { try MailTemplates(defaultLanguage: "fr") }
    }

    @Test("A kind without templates, and a mail without subject or text, aren't rendered")
    func none() throws {
        let templates = try MailTemplates()
        #expect(templates.render("birthday", languages: ["en"], values: [:]) == nil)
        #expect(templates.render("announcement", languages: ["en"], values: ["text": "x"]) == nil)
    }

    @Test("The program contains every template file unchanged")
    func carried() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/CMailTemplates/Templates").standardizedFileURL
        var files: [String: String] = [:]
        for language in Self.languages {
            for form in ["text", "html"] {
                files["\(language)/layout.\(form)"] = try String(
                    contentsOf: folder.appending(path: "layout.\(form)"), encoding: .utf8)
            }
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: language).path) {
                files["\(language)/\(name)"] = try String(
                    contentsOf: folder.appending(path: "\(language)/\(name)"), encoding: .utf8)
            }
        }
        #expect(files.count == 2 * (3 * Self.kinds.count + 4))
        #expect(MailTemplateFiles().texts == files)
        #expect(Set(Self.kinds) == MailTemplates.kinds)
    }
}
