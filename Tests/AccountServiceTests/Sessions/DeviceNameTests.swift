import AccountService
import Testing

@Suite("A device's name")
struct DeviceNameTests {
    @Test(
        "is a text cleaned, shortened and put on one line",
        arguments: [
            ("Zoë's iPad", "Zoë's iPad"), ("  two\t\n words ", "two words"), ("a\u{0}b\u{7}c", "abc"),
            ("\u{202E}dooG", "dooG"), ("👨‍👩‍👧 phone", "👨‍👩‍👧 phone"),
            (String(repeating: "x", count: 70), String(repeating: "x", count: 64)),
            (String(repeating: "y", count: 63) + " zz", String(repeating: "y", count: 63)),
            ("a" + String(repeating: "\u{301}", count: 500), nil),
            ("", nil), (" \u{200B}\u{2028} ", nil), (" \u{200D} ", nil),
        ] as [(String, String?)])
    func cleaning(text: String, name: String?) {
        #expect(DeviceName(cleaning: text)?.rawValue == name)
    }
}
