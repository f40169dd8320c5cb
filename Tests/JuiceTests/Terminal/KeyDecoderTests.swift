import Testing

@testable import JuiceScreens
@testable import juice

struct KeyDecoderTests {
    @Test(
        "Bytes are decoded as keys",
        arguments: [
            ("s", [Key.character("s")]), ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{3}", [.interrupt]),
            ("\u{1A}", [.suspend]), ("\u{7F}\u{8}", [.backspace, .backspace]), ("\u{15}", [.eraseLine]),
            ("\u{1B}[A", [.up]), ("\u{1B}[B", [.down]), ("\u{1B}[C", [.right]),
            ("\u{1B}[D", [.left]), ("\u{1B}[Z", [.backTab]), ("\u{1B}OA", [.up]), ("\u{1B}OB", [.down]),
            ("\u{1B}[1;5C", [.right]), ("é", [.character("é")]), ("果", [.character("果")]), ("🍏", [.character("🍏")]),
            ("\u{1B}[Bq", [.down, .character("q")]), ("so", [.character("s"), .character("o")]),
        ])
    func keys(text: String, keys: [Key]) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(text.utf8) == keys)
        #expect(!decoder.isAfterEscape)
    }

    @Test("It does not matter in what pieces bytes arrive")
    func pieces() {
        let bytes = Array("q\u{1B}[B\u{1B}[1;5C果\u{1B}OA\r".utf8)
        var whole = KeyDecoder()
        let expected = whole.decode(bytes)
        var decoder = KeyDecoder()
        #expect(bytes.flatMap { decoder.decode([$0]) } == expected)
    }

    @Test("Esc is a key if nothing follows it")
    func escape() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1B]) == [])
        #expect(decoder.isAfterEscape)
        #expect(decoder.endOfBytes() == [.escape])
        #expect(!decoder.isAfterEscape)
    }

    @Test("The end of a pause means nothing unless an Esc waits")
    func endOfBytes() {
        var decoder = KeyDecoder()
        #expect(decoder.endOfBytes() == [])
        #expect(decoder.decode("\u{1B}[".utf8) == [])
        #expect(decoder.endOfBytes() == [])
        #expect(decoder.decode("A".utf8) == [.up])
    }

    @Test(
        "Sequences for unknown keys are skipped as a whole",
        arguments: [
            "\u{1B}[15~", "\u{1B}[200~", "\u{1B}[<0;10;10M", "\u{1B}q", "\u{1B}[?1;2c", "\u{0}\u{1}\u{1F}",
        ])
    func foreign(text: String) {
        var decoder = KeyDecoder()
        let keys = decoder.decode(text.utf8)
        #expect(!keys.contains(.character("q")))
        #expect(!keys.contains(.escape))
        #expect(decoder.decode("s".utf8) == [.character("s")])
    }

    @Test("Ctrl-C is heard inside a sequence that was cut off", arguments: ["\u{1B}[", "\u{1B}[1;"])
    func interruptInside(text: String) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(text.utf8) == [])
        #expect(decoder.decode([0x03]) == [.interrupt])
    }

    @Test(
        "Bytes that aren't UTF-8 are skipped",
        arguments: [
            [0xFF, 0x73], [0xC3, 0x73], [0xE2, 0x82, 0x73], [0xED, 0xA0, 0x80, 0x73], [0x80, 0x73],
        ] as [[UInt8]])
    func brokenText(bytes: [UInt8]) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(bytes) == [.character("s")])
    }
}
