import Testing

@testable import AccountService

@Suite("The look-up form of an e-mail address")
struct EmailFormTests {
    @Test(
        "is the same for spellings of one address",
        arguments: [
            (["zoe@example.com", "Zoe@Example.COM", "ZOE@EXAMPLE.com"], "zoe@example.com"),
            (["zoë@example.com", "zoe\u{308}@example.com", "ZOË@example.com"], "zoë@example.com"),
            (["zoe@bücher.example", "zoe@BÜCHER.example", "zoe@xn--bcher-kva.example"], "zoe@xn--bcher-kva.example"),
            (["zoe+news@example.com"], "zoe+news@example.com"),
            (["Z.o-e_1@A-b.1Example", "z.o-e_1@a-b.1example"], "z.o-e_1@a-b.1example"),
            (["zoe@ab--cd.Example"], "zoe@ab--cd.example"),
        ] as [([String], String)])
    func same(spellings: [String], form: String) throws {
        for spelling in spellings {
            let made = try EmailForm(EmailAddress(spelling)).rawValue
            #expect(made.unicodeScalars.elementsEqual(form.unicodeScalars), "\(spelling)")
        }
    }

    @Test(
        "is refused if a letter of another script would become an ASCII letter",
        arguments: ["mi\u{212A}e@example.com", "m\u{130}ke@example.com"])
    func confusable(text: String) async throws {
        let address = try EmailAddress(text)
        let error = await expectError(.requestInvalid) { _ = try EmailForm(address) }
        #expect(error?.field == "email")
    }
}
