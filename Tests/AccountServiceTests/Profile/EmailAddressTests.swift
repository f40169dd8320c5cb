import Testing

@testable import AccountService

@Suite("Typed addresses and phone numbers")
struct EmailAddressTests {
    @Test(
        "An e-mail address is kept unchanged",
        arguments: [
            "zoe@example.org", "Zoe.Appleseed+tag@Mail.Example.org", "zoë@exämple.org", "用户@例子.广告", "a@b",
            "o'brien_{x}@example.co.uk", "उपयोगकर्ता@उदाहरण.कॉम",
            "a\u{200D}b@x\u{200C}y.org",
            String(repeating: "a", count: 64) + "@example.org",
        ])
    func addresses(text: String) throws {
        #expect(try EmailAddress(text).rawValue == text)
    }

    @Test(
        "A text that is no e-mail address is refused, with the name of its field",
        arguments: [
            "", "zoe", "@example.org", "zoe@", "zoe@@example.org", "a@b@example.org", "zoe @example.org",
            "zoe@exam ple.org", "zoe@example..org", ".zoe@example.org", "zoe.@example.org", "z..e@example.org",
            "zoe@-example.org", "zoe@example-.org", "zoe@[192.0.2.1]", "\"zoe\"@example.org", "zoe<x@example.org",
            "zoe@example.org\r\nBcc: all@example.org", "zoe\u{0}@example.org", "zoe@exam\u{202E}ple.org",
            "zoe@example.org ", "zoe@exam\u{2028}ple.org", "zoe,x@example.org", "zoe@example_.org", "zoe@.org",
            String(repeating: "a", count: 65) + "@example.org",
            "zoe@" + String(repeating: "a", count: 64) + ".org",
            "zoe@" + String(repeating: "abcdefgh.", count: 28) + "org",
        ])
    func noAddresses(text: String) async {
        #expect(await expectError(.requestInvalid) { _ = try EmailAddress(text) }?.field == "contactEmail")
    }

    @Test("Two addresses with different bytes differ")
    func bytes() throws {
        #expect(try EmailAddress("zo\u{EB}@example.org") != EmailAddress("zoe\u{308}@example.org"))
        #expect(try EmailAddress("zoe@example.org") == EmailAddress("zoe@example.org"))
        #expect(!"\(try EmailAddress("zoe@example.org"))".contains("zoe"))
    }

    @Test(
        "A phone number is a plus sign and 8 to 15 digits", arguments: ["+49151123", "+12345678", "+123456789012345"])
    func numbers(text: String) throws {
        #expect(try PhoneNumber(text).rawValue == text)
    }

    @Test(
        "Another text is no phone number",
        arguments: [
            "", "+", "015112345678", "+1234567", "+1234567890123456", "+0151123456", "+49 151 12345678",
            "+49-15112345", "+４９１５１１２３４５", "+4915112345x", "++4915112345",
        ])
    func noNumbers(text: String) async {
        #expect(await expectError(.requestInvalid) { _ = try PhoneNumber(text) }?.field == "phone")
    }
}
