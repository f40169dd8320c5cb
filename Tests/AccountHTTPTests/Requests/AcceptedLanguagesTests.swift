import HTTPTypes
import Hummingbird
import Testing

@testable import AccountHTTP

@Suite("The languages that a request accepts")
struct AcceptedLanguagesTests {
    @Test(
        "come in the order of their quality, and of the header where that is equal",
        arguments: [
            ("de", ["de"]), ("de-AT, de;q=0.9, en;q=0.8", ["de-AT", "de", "en"]),
            ("en;q=0.3,fr , de;q=0.7", ["fr", "de", "en"]), ("en, fr", ["en", "fr"]),
            ("zh-Hant-TW;q=1.0", ["zh-Hant-TW"]),
        ] as [(String, [String])])
    func order(header: String, languages: [String]) {
        #expect(AcceptedLanguages.read(header.split(separator: ",")) == languages)
    }

    @Test(
        "leave out unwanted languages, and texts that aren't languages",
        arguments: [
            "", "*", "en;q=0", "en;q=2", "en;q=x", "en;q=-1", "toolongforatag", "en--us", "-", "../etc", "<b>",
            "ä",
        ])
    func nothing(header: String) {
        #expect(AcceptedLanguages.read(header.split(separator: ",")).isEmpty)
    }

    @Test("are at most 32, however long the header is")
    func bounded() {
        let header = (0..<100).map { "a\($0)" }.joined(separator: ",")
        #expect(AcceptedLanguages.read(header.split(separator: ",")).count == 32)
    }
}
