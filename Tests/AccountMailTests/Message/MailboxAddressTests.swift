import AccountService
import Testing

@testable import AccountMail

@Suite("Addresses in commands and header fields")
struct MailboxAddressTests {
    @Test(
        "An address is taken as it is",
        arguments: [
            "johnny@example.com", "first.last+tag@mail.example.com", "o'hara@example.com",
            "a!#$%&*/=?^_`{|}~-@example.com",
            "\"two words\"@example.com", "\"a@b\"@example.com", "\"a\\\"b\"@example.com", "grüße@exämple.com",
            "用户@例子.公司", "x@localhost", "0123456789@privaterelay.appleid.com",
        ])
    func good(text: String) {
        #expect(MailboxAddress(text)?.description == text)
    }

    @Test(
        "A text that isn't an address, or could end a command or a field, is refused",
        arguments: [
            "", "@", "johnny", "johnny@", "@example.com", "a b@example.com", "a@b@example.com", "<a@example.com>",
            "a>@example.com", "a@example.com>", "a@example.com> SIZE=1", "a\r\nRCPT TO:<b@example.com",
            "a\n@example.com",
            "a@example.com\r\nDATA", "a@example.com\r\nBcc: b@example.com", "a@exam\u{0}ple.com", "a,b@example.com",
            "a;b@example.com", "a(b)@example.com", ".a@example.com", "a.@example.com", "a..b@example.com",
            "\"a@example.com", "\"a\"b\"@example.com", "\"a\\\"@example.com", "\"a\r\nb\"@example.com", "a@[127.0.0.1]",
            "a@-example.com", "a@example..com", "a@.example.com", "a@example.com.", "a@exam_ple.com",
            "a\u{2028}b@example.com",
            "a\u{202E}b@example.com", "a\u{85}b@example.com", "a@exam\u{200B}ple.com", "a@exam\u{A0}ple.com",
            String(repeating: "a", count: 65) + "@example.com", "a@" + String(repeating: "a", count: 64) + ".com",
            "a@" + String(repeating: "a.", count: 130) + "com",
        ])
    func bad(text: String) {
        #expect(MailboxAddress(text) == nil)
    }

    @Test("Every contact address that a person may have can be written to")
    func contactAddresses() {
        // Most scripts, the joiners, the ends of the surrogates, and forms for compatibility.
        for value in Array(UInt32(0x20)...0x2FFF) + Array(0xD7A0...0xE0FF) + Array(0xFE00...0xFFFF) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for text in ["a\(scalar)b@example.org", "a@x\(scalar)y.org"] where (try? EmailAddress(text)) != nil {
                #expect(MailboxAddress(text)?.description == text, "U+\(String(value, radix: 16))")
            }
        }
        #expect(MailboxAddress("a\u{200D}b@example.org") != nil && MailboxAddress("a@x\u{200C}y.org") != nil)
    }

    @Test(
        "A domain beyond ASCII is written in ASCII, unless the local part is beyond ASCII, too",
        arguments: [
            ("zoe@exämple.com", "zoe@xn--exmple-cua.com"), ("zoe@例子.公司", "zoe@xn--fsqu00a.xn--55qx5d"),
            ("grüße@exämple.com", "grüße@exämple.com"), ("grüße@example.com", "grüße@example.com"),
            ("Zoe@Example.com", "Zoe@Example.com"), ("\"two words\"@exämple.com", "\"two words\"@xn--exmple-cua.com"),
        ])
    func asciiDomain(text: String, spelling: String) throws {
        #expect(try TestMail.address(text).withASCIIDomain.description == spelling)
    }

    @Test("An address beyond ASCII is recognized")
    func ascii() throws {
        #expect(try TestMail.address("a@example.com").isASCII)
        #expect(try !TestMail.address("ä@example.com").isASCII)
        #expect(try !TestMail.address("a@exämple.com").isASCII)
    }
}
