import Foundation
import Testing

@testable import AccountService

@Suite("Passwords as people type them")
struct PasswordTests {
    @Test(
        "One password is the same however a keyboard writes it",
        arguments: [
            ("caf\u{E9}", "cafe\u{301}"), ("\u{1E69}", "s\u{307}\u{323}"), ("\u{AC00}", "\u{1100}\u{1161}"),
            ("two words", "two\u{A0}words"), ("two words", "two\u{3000}words"),
        ])
    func normalised(text: String, other: String) {
        #expect(Array(Password(text).text.utf8) == Array(Password(other).text.utf8))
    }

    @Test(
        "Passwords that differ otherwise stay different",
        arguments: [
            ("password", "Password"), ("two words", "two  words"), (" word", "word"), ("\u{FB01}", "fi"),
            ("word\t", "word "), ("e", "\u{E9}"),
        ])
    func different(text: String, other: String) {
        #expect(Array(Password(text).text.utf8) != Array(Password(other).text.utf8))
    }

    @Test("The length is the number of code points after the normalisation")
    func length() {
        #expect(Password("cafe\u{301}").length == 4)
        #expect(Password("👩‍🚀").length == 3)
        #expect(Password("").length == 0)
    }

    @Test("No description shows a password")
    func redacted() {
        let password = Password("correct horse")
        #expect(!"\(password) \(String(reflecting: password)) \([password])".contains("horse"))
        var dumped = ""
        dump(password, to: &dumped)
        #expect(!dumped.contains("horse"))
    }
}
