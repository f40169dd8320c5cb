import Testing

@testable import juice

struct PrintableTextTests {
    @Test(
        "Characters that could control a terminal, or disguise a text, are replaced",
        arguments: [
            "\u{1B}[2J", "\u{1B}]0;owned\u{7}", "\u{9B}31m", "\u{90}q\u{9C}", "a\rb", "a\nb", "a\u{8}b", "a\u{7F}",
            "\u{0}",
            "\u{2028}", "\u{2029}", "\u{202E}moc.elppa", "\u{2066}x\u{2069}", "\u{200F}", "\u{FEFF}", "\u{E0041}",
        ])
    func commands(text: String) {
        let printed = PrintableText(text).text
        #expect(printed.contains("\u{FFFD}"))
        #expect(!printed.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
        #expect(!printed.unicodeScalars.contains { $0.properties.generalCategory == .format })
    }

    @Test(
        "Names aren't changed",
        arguments: [
            "Johnny", "José", "Jose\u{301}", "Zoë O’Neill", "李小龍", "محمد", "علی‌رضا", "Владимир", "Nguyễn", "क्षितिज", "한글",
            "👩🏽‍🚀", "ไทย",
        ])
    func names(text: String) {
        #expect(PrintableText(text).text == text)
    }

    @Test("Long texts, and heaps of marks on one letter, are cut")
    func limits() {
        #expect(PrintableText(String(repeating: "a", count: 100_000)).text.unicodeScalars.count <= 512)
        let heap = "e" + String(repeating: "\u{301}", count: 300) + "x"
        #expect(PrintableText(heap).text == "e\u{301}\u{301}\u{301}\u{301}x")
    }

    @Test("In ASCII every other character becomes a question mark")
    func ascii() {
        #expect(PrintableText("José 李 \u{1B}[0m").ascii == "Jos? ? ?[0m")
    }
}
