import AccountService
import Testing

@Suite("A person's name")
struct PersonNameTests {
    @Test(
        "is absent if no text is left after cleaning",
        arguments: [nil, "", "   ", "\u{0}\u{7}", "\u{202E}\n", "\u{200D}\u{200C}"])
    func empty(part: String?) {
        #expect(PersonName(givenName: part, familyName: part) == nil)
    }

    @Test(
        "is cleaned of control characters and direction marks",
        arguments: [
            ("  Johnny ", "Johnny"), ("Jo\u{0}hn\u{1B}ny", "Johnny"), ("\u{202E}Johnny\u{202C}", "Johnny"),
            ("Anne\n Marie", "Anne Marie"), ("Jo\u{2028}hnny", "Johnny"), ("\u{FEFF}Johnny", "Johnny"),
        ])
    func cleaned(part: String, expected: String) {
        #expect(PersonName(givenName: part)?.givenName == expected)
    }

    @Test(
        "keeps every script, with the joiners some need", arguments: ["Zoë", "李小龍", "محمد", "नरेन्द्र", "کامبیز\u{200C}ها"])
    func scripts(part: String) {
        #expect(PersonName(givenName: part)?.givenName == part)
    }

    @Test("is cut at a hundred characters a part")
    func limit() {
        let name = PersonName(givenName: String(repeating: "é", count: 1_000))
        #expect(name?.givenName?.count == 100)
    }

    @Test("is cut at four hundred Unicode scalars a part, because one character may have any number of accents")
    func accents() {
        let name = PersonName(givenName: "a" + String(repeating: "\u{301}", count: 10_000) + "b")
        #expect(name?.givenName?.unicodeScalars.count == 400 && name?.givenName?.count == 1)
    }

    @Test("is formatted on one line")
    func formatted() {
        let full = PersonName(
            givenName: "Johnny", familyName: "Appleseed", middleName: "B.", namePrefix: "Dr.", nameSuffix: "Jr.",
            nickname: "J")
        #expect(full?.formatted == "Dr. Johnny B. Appleseed Jr.")
        #expect(PersonName(nickname: "J")?.formatted == "J")
    }
}
