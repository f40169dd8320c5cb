import Testing

@testable import AccountMail

@Suite("Replies of a mail server")
struct SMTPReplyTests {
    private static func replies(_ text: String, by size: Int = .max) throws -> [SMTPServerReply] {
        var reader = SMTPReplyReader()
        var replies: [SMTPServerReply] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            reader.append(rest.prefix(size))
            rest = rest.dropFirst(size)
            while let reply = try reader.next() { replies.append(reply) }
        }
        #expect(reader.isEmpty)
        return replies
    }

    @Test("A reply has one line or more, whatever chunks it arrives in", arguments: [1, 2, 7, 1_000])
    func lines(size: Int) throws {
        let text = "220 hello\r\n250-mail.example.com\r\n250-SIZE 10\r\n250 AUTH PLAIN\r\n354\r\n250 \r\n"
        #expect(
            try Self.replies(text, by: size) == [
                SMTPServerReply(code: 220, lines: ["hello"]),
                SMTPServerReply(code: 250, lines: ["mail.example.com", "SIZE 10", "AUTH PLAIN"]),
                SMTPServerReply(code: 354, lines: [""]), SMTPServerReply(code: 250, lines: [""]),
            ])
    }

    @Test(
        "A line that isn't an SMTP reply is refused",
        arguments: [
            "hello\r\n", "220 hello\n", "\r\n", "22\r\n", "2200 hello\r\n", "220_hello\r\n", "250-one\r\n251 two\r\n",
            "199 no\r\n", "600 no\r\n", "220 a\rb\r\n", "220 a\0b\r\n", "\n", "HTTP/1.1 400 Bad Request\r\n",
        ])
    func malformed(text: String) {
        #expect(throws: SMTPReplyReader.NotSMTP.self) { try Self.replies(text) }
    }

    @Test("A line without end, and a reply without end, are refused before they fill the memory")
    func bounds() throws {
        #expect(throws: SMTPReplyReader.NotSMTP.self) {
            try Self.replies("220 " + String(repeating: "x", count: 3_000), by: 100)
        }
        #expect(throws: SMTPReplyReader.NotSMTP.self) {
            try Self.replies(String(repeating: "220-\(String(repeating: "x", count: 1_000))\r\n", count: 100), by: 500)
        }
    }

    @Test("The failure has the code and the enhanced status, and no other text")
    func failure() {
        func failure(_ code: Int, _ line: String) -> String { SMTPServerReply(code: code, lines: [line]).failure }
        #expect(failure(550, "5.1.1 no such user me@example.com") == "smtp_550_5.1.1")
        #expect(failure(451, "try again, me@example.com") == "smtp_451")
        #expect(failure(451, "") == "smtp_451")
        #expect(failure(550, "4.1.1 classes differ") == "smtp_550")
        #expect(failure(550, "5.1.1111 x") == "smtp_550")
        #expect(failure(550, "5.1 x") == "smtp_550")
        #expect(failure(550, "5.1.x y") == "smtp_550")
    }
}
