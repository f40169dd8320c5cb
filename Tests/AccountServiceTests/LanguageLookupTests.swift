import Foundation
import Testing

@testable import AccountService

@Suite("The lookup of a language")
struct LanguageLookupTests {
    @Test(
        "tries each tag and its shortened forms before the next tag",
        arguments: [
            (["fr", "de"], "de"), (["de-AT", "en"], "de"), (["zh-Hant-TW", "en"], "zh-hant"), (["EN_us"], "en"),
            (["fr", "it"], nil), ([], nil), (["", "-", "e"], nil),
        ] as [([String], String?)])
    func lookup(languages: [String], expected: String?) {
        let known: Set = ["en", "de", "zh-hant"]
        #expect(LanguageLookup.first(of: languages) { known.contains($0) ? $0 : nil } == expected)
    }

    @Test("A caller keeps at most eight languages, and none that is too long")
    func bounded() {
        let long = String(repeating: "a", count: 36)
        let caller = Caller(languages: [long, "de"] + (0..<100).map { "a\($0)" })
        #expect(caller.languages == ["de"] + (0..<7).map { "a\($0)" })
    }

    @Test("A mail with one language is decoded, and a new mail also stores its first language alone")
    func content() throws {
        let former = Data(#"{"recipient":"a@example.com","language":"de","values":{}}"#.utf8)
        #expect(try JSONDecoder().decode(MailContent.self, from: former).languages == ["de"])
        let none = Data(#"{"recipient":"a@example.com","values":{}}"#.utf8)
        #expect(try JSONDecoder().decode(MailContent.self, from: none).languages.isEmpty)
        let content = MailContent(recipient: "a@example.com", languages: ["fr", "de"], values: [:])
        let written = try JSONEncoder().encode(content)
        #expect(try JSONDecoder().decode(MailContent.self, from: written) == content)
        #expect(String(decoding: written, as: UTF8.self).contains(#""language":"fr""#))
    }
}
