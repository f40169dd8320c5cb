import Foundation
import Testing

@testable import AccountMail

@Suite("Header fields")
struct HeaderFieldTests {
    /// Reads a field back: unfolded, with its encoded words decoded (RFC 2047 §6.2).
    private static func decoded(_ field: String) throws -> String {
        let unfolded = field.replacing("\r\n ", with: " ").replacing("\r\n", with: "")
        var text = ""
        var wasEncoded = false
        for word in unfolded.split(separator: " ") {
            if word.hasPrefix("=?utf-8?B?"), word.hasSuffix("?=") {
                let data = try #require(Data(base64Encoded: String(word.dropFirst(10).dropLast(2))))
                // Each word has whole characters.
                text += (wasEncoded || text.isEmpty ? "" : " ") + (try #require(String(data: data, encoding: .utf8)))
                wasEncoded = true
            } else {
                text += (text.isEmpty ? "" : " ") + word
                wasEncoded = false
            }
        }
        return text
    }

    private static func isSound(_ field: String) -> Bool {
        let lines = field.split(separator: "\r\n", omittingEmptySubsequences: false).dropLast()
        return field.hasSuffix("\r\n")
            && field.utf8.allSatisfy { $0 == 0x0D || $0 == 0x0A || (0x20...0x7E).contains($0) }
            && lines.dropFirst().allSatisfy { $0.hasPrefix(" ") && $0.contains { $0 != " " } }
            && lines.allSatisfy { $0.utf8.count <= 78 }
    }

    @Test("Plain text stands as it is, and long text is folded at its spaces")
    func plain() {
        #expect(HeaderField.text("Subject", "Hello there") == "Subject: Hello there\r\n")
        let long = Array(repeating: "word", count: 40).joined(separator: " ")
        let field = HeaderField.text("Subject", long)
        #expect(Self.isSound(field))
        #expect(field.replacing("\r\n ", with: " ") == "Subject: \(long)\r\n")
    }

    @Test(
        "Any other text becomes encoded words, and comes back as it was",
        arguments: [
            "Grüße", "你好，世界", "=?utf-8?Q?no?=", "a\r\nBcc: b@example.com", "a\nb", "a\u{0}b",
            String(repeating: "ü", count: 300), String(repeating: "👩‍👩‍👧‍👦", count: 30), String(repeating: "x", count: 200),
            "e" + String(repeating: "\u{301}", count: 200),
        ])
    func encoded(text: String) throws {
        let field = HeaderField.text("Subject", text)
        #expect(Self.isSound(field))
        #expect(try Self.decoded(field) == "Subject: \(text)")
    }

    @Test("A display name is a quoted string, or encoded words")
    func names() throws {
        let address = try TestMail.address("accounts@juice.example.com")
        #expect(
            HeaderField.mailbox("From", displayName: "Juice", address)
                == "From: \"Juice\" <accounts@juice.example.com>\r\n")
        #expect(
            HeaderField.mailbox("From", displayName: "a \"b\" \\ <c@example.com>, d", address)
                == "From: \"a \\\"b\\\" \\\\ <c@example.com>, d\" <accounts@juice.example.com>\r\n")
        let field = HeaderField.mailbox("From", displayName: "Säfte\r\nBcc: b@example.com", address)
        #expect(Self.isSound(field))
        #expect(try Self.decoded(field) == "From: Säfte\r\nBcc: b@example.com <accounts@juice.example.com>")
    }
}
