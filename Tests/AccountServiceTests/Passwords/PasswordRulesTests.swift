import Testing

@testable import AccountService

@Suite("Rules for new passwords")
struct PasswordRulesTests {
    private let rules = PasswordRules(minimumLength: 15, serviceName: "Juice Bar", host: "juice.example.com")
    private let name = PersonName(givenName: "Zoë", familyName: "de la Cruz-Ortiz", nickname: "Z.")

    private func refusal(_ text: String, _ rules: PasswordRules? = nil) -> PasswordRules.Refusal? {
        do throws(AccountError) {
            try (rules ?? self.rules).check(Password(text), name: name, email: "zoe.ortiz77@mail.example.org")
            return nil
        } catch {
            #expect(error.code == .passwordRefused)
            #expect(text.isEmpty || !error.reason.contains(text))
            return error.refusal
        }
    }

    @Test(
        "A password has 15 to 128 characters, counted as code points after the normalisation",
        arguments: [
            ("", .tooShort), (String(repeating: "ab", count: 7), .tooShort), ("fourteen chars", .tooShort),
            ("fifteen letters", nil), ("cafe\u{301} au lait 1", .tooShort), ("cafe\u{301} au lait 12", nil),
            (String(repeating: "xyz ", count: 32), nil), (String(repeating: "xyz ", count: 32) + "x", .tooLong),
            (String(repeating: "🍏🍋", count: 64), nil), (String(repeating: "🍏🍋", count: 64) + "🍏", .tooLong),
        ] as [(String, PasswordRules.Refusal.Reason?)])
    func lengths(text: String, reason: PasswordRules.Refusal.Reason?) {
        #expect(refusal(text)?.reason == reason)
    }

    @Test(
        "A password may have any characters, in no particular mixture",
        arguments: [
            "only lower case words", "ONLY UPPER CASE WORDS", "583920175839201", "!!??!!??!!??!!??", "пароль из слогов",
            "これは長いパスワードです、本当に", "               ", "tab\tand\nline feed", "a\u{1F}b\u{7F}c and more letters",
        ])
    func anyCharacters(text: String) {
        #expect(refusal(text) == nil)
    }

    @Test(
        "A common password is refused in any case",
        arguments: ["thisisapassword", "ThisIsAPassword", "1QAZ2wsx3edc4rfv"])
    func common(text: String) {
        #expect(refusal(text)?.reason == .common)
    }

    @Test("A shorter minimum accepts shorter passwords, and refuses the common ones among them")
    func shorterMinimum() {
        let short = PasswordRules(minimumLength: 8, serviceName: nil, host: "juice.example.com")
        #expect(refusal("baseball", short) == PasswordRules.Refusal(.common, minimumLength: 8))
        #expect(refusal("bx7!kq2p", short) == nil)
        #expect(refusal("bx7!kq2", short) == PasswordRules.Refusal(.tooShort, minimumLength: 8))
        #expect(refusal("juicejuice", short)?.reason == .personal)
        #expect(refusal("bx7!kq2p")?.reason == .tooShort)
    }

    @Test(
        "A password of only personal or service words and digits is refused",
        arguments: [
            "zoe de la cruz ortiz", "ZoëDeLaCruz-Ortiz", "OrtizOrtizOrtiz", "1984 Zoe Ortiz 1984",
            "zoe.ortiz77@mail.example.org",
            "zoeortiz77 zoeortiz77", "z-z-z-z-z-z-z-z-z-z-z-z-z-z-z", "JUICE BAR juice bar", "juice.example.com",
            "JuiceExampleCom!", "mail example org 2026", "Ｚｏｅ Ortiz Juice Bar", "ortiz@juice.example.com",
        ])
    func personal(text: String) {
        #expect(refusal(text) == PasswordRules.Refusal(.personal, minimumLength: 15))
    }

    @Test(
        "One more word makes a password acceptable",
        arguments: [
            "zoe loves orange juice", "ortiz and friends 77", "juice.example.dog", "zoezoezoezoezoezo",
            "123456 834 120 9",
        ])
    func notPersonal(text: String) {
        #expect(refusal(text) == nil)
    }

    @Test("Without a name and an address, only the service's words count")
    func withoutPerson() throws {
        try rules.check(Password("zoe de la cruz ortiz"), name: nil, email: nil)
        #expect(throws: AccountError.self) { try rules.check(Password("juice juice juice"), name: nil, email: nil) }
    }

    @Test("The numbers of an IP address don't count as words")
    func numbers() throws {
        let rules = PasswordRules(minimumLength: 15, serviceName: "24", host: "127.0.0.1")
        try rules.check(Password("127 000 000 001 127"), name: nil, email: nil)
    }

    @Test("U+0000 is refused")
    func nul() async {
        await expectError(.invalidText) { try rules.check(Password("fifteen\0 letters"), name: nil, email: nil) }
    }
}
