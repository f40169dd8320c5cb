import Testing

@testable import AccountService

@Suite("Consent texts")
struct ConsentTextsTests {
    private func text(_ version: String, _ language: String = "en", _ text: String = "Text.") -> ConsentTexts.Text {
        ConsentTexts.Text(version: version, language: language, text: text)
    }

    @Test("siwa's own version is 2, in English and German, with ways to sign in and what a withdrawal removes")
    func builtIn() throws {
        let texts = ConsentTexts.builtIn
        #expect(texts.current == "2")
        #expect(try texts.text("2").language == "en")
        #expect(try texts.text("current", languages: ["fr", "de-AT"]).language == "de")
        for language in ["en", "de"] {
            let text = try texts.text("current", languages: [language]).text
            #expect(text.split(separator: "\n\n").count == 6 && !text.contains("  "))
            let words = language == "en" ? "way to sign in" : "Weg zur Anmeldung"
            let paragraphs = text.split(separator: "\n\n")
            #expect(paragraphs[1].contains(words) && paragraphs[4].contains(words))
            #expect(paragraphs[5].contains(language == "en" ? "stays, too" : "bleibt auch"))
            // The person removes such a way in. Nothing removes it for them.
            let untrue = language == "en" ? "until you have another one" : "bis du einen anderen hast"
            let own = language == "en" ? "You can remove it yourself" : "Du kannst ihn selbst entfernen"
            #expect(!text.contains(untrue) && paragraphs[5].contains(own))
            // Two people may share an account.
            let other =
                language == "en" ? "who signs in to this account, too" : "wer sich auch bei diesem Konto anmeldet"
            #expect(paragraphs[2].contains(other))
        }
    }

    @Test("Version 1 can still be read as people agreed to it", arguments: [("en", 5), ("de", 5)])
    func first(language: String, paragraphs: Int) throws {
        let text = try ConsentTexts.builtIn.text("1", languages: [language])
        #expect(text.version == "1" && text.language == language)
        #expect(text.text.split(separator: "\n\n").count == paragraphs)
    }

    @Test(
        "The newest version is the current one, and numbers are compared as numbers",
        arguments: [
            (["1", "2"], "2"), (["9", "10"], "10"), (["1.9", "1.10"], "1.10"), (["2026-02", "2025-11"], "2026-02"),
            (["1", "1b", "1a"], "1b"), (["v2", "v10"], "v10"), (["1", "1.0"], "1.0"),
            (
                ["99999999999999999999999999999998", "99999999999999999999999999999999"],
                "99999999999999999999999999999999"
            ),
        ])
    func current(versions: [String], newest: String) throws {
        #expect(try ConsentTexts(versions.map { text($0) }).current == newest)
        #expect(try ConsentTexts(versions.reversed().map { text($0) }).current == newest)
    }

    @Test("A text is found in the first available language of the request, else in English, else in any")
    func languages() throws {
        let texts = try ConsentTexts([text("2", "de"), text("2", "en"), text("2", "pt-BR"), text("3", "fr")])
        #expect(try texts.text("2", languages: ["pt-BR", "de"]).language == "pt-BR")
        #expect(try texts.text("2", languages: ["pt", "DE-de"]).language == "de")
        #expect(try texts.text("2", languages: ["ja", "*"]).language == "en")
        #expect(try texts.text("current", languages: ["en"]).language == "fr")
    }

    @Test("siwa's own versions can still be read beside an operator's, and are no longer current")
    func beside() throws {
        let texts = try ConsentTexts([text("0.9")])
        #expect(texts.current == "0.9")
        for version in ["1", "2"] {
            #expect(try texts.text(version).text == ConsentTexts.builtIn.text(version).text)
            let own = try ConsentTexts([text(version, "fr", "Texte.")])
            #expect(own.current == version)
            #expect(try own.text(version, languages: ["en"]).text == "Texte.")
        }
    }

    @Test("An unknown version has no text")
    func unknown() async {
        await expectError(.consentTextUnknown) { _ = try ConsentTexts.builtIn.text("3") }
        await expectError(.consentTextUnknown) { _ = try ConsentTexts.builtIn.text("") }
    }

    @Test("Texts without a form are refused")
    func refused() async {
        let long = String(repeating: "a", count: ConsentTexts.maximumLength + 1)
        for texts in [
            [], [text("")], [text("current")], [text("a/b")], [text("ä")], [text(String(repeating: "1", count: 33))],
            [text("1", "")], [text("1", "e")], [text("1", "en_US")], [text("1", "en-")], [text("1", "en", " \n")],
            [text("1", "en", long)], [text("1", "en", "a\u{0}")], [text("1"), text("1", "EN")],
        ] {
            await expectError(.configuration) { _ = try ConsentTexts(texts) }
        }
    }
}
