import Foundation
import Testing

@testable import AppleIDEmulator

@Suite("The mail server's conversation")
struct SMTPSessionTests {
    private static let start = ["EHLO test", "MAIL FROM:<a@example.org>", "RCPT TO:<mono@example.com>", "DATA"]

    private func sender(_ limits: RelayLimits = RelayLimits()) async throws -> TestSender {
        TestSender(try await TestEmulator(), limits: limits)
    }

    private func source(_ sender: TestSender) async throws -> String {
        let id = try #require(try await sender.emulator.mails(of: "mono").first?["id"] as? String)
        return try await sender.emulator.get("/emulator/mail/\(id)/source").text
    }

    @Test("EHLO lists the server's extensions, and a mail is sent line by line")
    func mail() async throws {
        var sender = try await sender()
        #expect(
            sender.say("EHLO test") == [
                "250-siwa-emulator", "250-PIPELINING", "250-SIZE 1048576", "250-8BITMIME", "250-ENHANCEDSTATUSCODES",
                "250 SMTPUTF8",
            ])
        #expect(sender.say("MAIL FROM:<a@example.org> SIZE=100 BODY=8BITMIME") == ["250 2.1.0 OK"])
        #expect(sender.say("rcpt to: <mono@example.com>") == ["250 2.1.5 OK"])
        #expect(sender.say("DATA") == ["354 end with a dot on a line of its own"])
        #expect(sender.say("Subject: x", "", "..", "..two", "text", ".") == ["250 2.0.0 OK"])
        #expect(try await source(sender) == "Subject: x\r\n\r\n.\r\n.two\r\ntext\r\n")
        #expect(sender.say("QUIT") == ["221 2.0.0 goodbye"])
        #expect(sender.isClosed)
    }

    @Test("the answers are the same for commands sent all at once and byte by byte")
    func pipelining() async throws {
        let text = (Self.start + ["Subject: x", "", "text", ".", "NOOP", "MAIL FROM:<>", "RSET", "HELP", "QUIT"])
            .map { $0 + "\r\n" }.joined()
        var atOnce = try await sender()
        var slow = try await sender()
        let replies = atOnce.send(text)
        #expect(replies.count == 15)
        var slowReplies: [String] = []
        for byte in text.utf8 { slowReplies += slow.send([byte]) }
        #expect(slowReplies == replies)
        #expect(try await source(slow) == source(atOnce))
    }

    @Test(
        "a command at the wrong time, or in a wrong form, is refused",
        arguments: [
            (["MAIL FROM:<a@example.org>"], "503"), (["EHLO x", "RCPT TO:<mono@example.com>"], "503"),
            (["EHLO x", "DATA"], "503"), (["EHLO x", "MAIL FROM:<a@example.org>", "DATA"], "503"),
            (["EHLO x", "MAIL FROM:<a@example.org>", "MAIL FROM:<a@example.org>"], "503"),
            (["EHLO"], "501"), (["EHLO x", "MAIL TO:<a@example.org>"], "501"),
            (["EHLO x", "MAIL FROM:a@example.org"], "501"), (["EHLO x", "MAIL FROM:<a@example.org>SIZE=1"], "501"),
            (["EHLO x", "MAIL FROM:<a>"], "501"), (["EHLO x", "MAIL FROM:<@b:a@example.org>"], "501"),
            (["EHLO x", "MAIL FROM:<a@example.org> SIZE=1 SIZE=1"], "501"),
            (["EHLO x", "MAIL FROM:<a@example.org> SIZE=x"], "555"),
            (["EHLO x", "MAIL FROM:<a@example.org> FUTURE"], "555"),
            (["EHLO x", "MAIL FROM:<a@example.org> SIZE=1048577"], "552"),
            (["EHLO x", "MAIL FROM:<a@example.org> SIZE=99999999999999999999"], "552"),
            (["EHLO x", "MAIL FROM:<é@example.org>"], "553"),
            (["EHLO x", "MAIL FROM:<a@example.org>", "RCPT TO:<mono@example.com> NOTIFY=NEVER"], "555"),
            (["EHLO x", "MAIL FROM:<a@example.org>", "RCPT TO:<>"], "501"),
            (["DATA x"], "501"), (["STARTTLS"], "502"), (["AUTH PLAIN AAAA"], "502"), (["GET / HTTP/1.1"], "500"),
            ([String(repeating: "x", count: 2_049)], "500"),
        ])
    func refused(lines: [String], code: String) async throws {
        var sender = try await sender()
        var last: String?
        for line in lines { last = sender.say(line).last }
        #expect(last?.prefix(3) == code[...], "\(last ?? "")")
        #expect(sender.say("NOOP") == ["250 2.0.0 OK"])
    }

    @Test("an address beyond ASCII is accepted with SMTPUTF8")
    func utf8() async throws {
        var sender = try await sender()
        sender.say("EHLO x")
        #expect(sender.say("MAIL FROM:<δάφνη@παράδειγμα.example> SMTPUTF8") == ["250 2.1.0 OK"])
    }

    @Test(
        "a lone CR or LF ends the conversation, in a command or a mail, so no mail can be smuggled in after it",
        arguments: [
            "NOOP\n", "NO\rOP\r\n", "\n", "\r\r\n",
            start.joined(separator: "\r\n") + "\r\nx\n.\r\nMAIL FROM:<b@example.org>\r\n",
            start.joined(separator: "\r\n") + "\r\nx\r\n.\nMAIL FROM:<b@example.org>\r\n",
            start.joined(separator: "\r\n") + "\r\nx\r.\rMAIL FROM:<b@example.org>\r\n",
        ])
    func bareLineBreaks(text: String) async throws {
        var sender = try await sender()
        #expect(sender.send(text).last == "521 5.5.2 lines end with CR LF, both together")
        #expect(sender.isClosed)
        #expect(try await sender.emulator.mails(of: "mono").isEmpty)
    }

    @Test(
        "a mail that is too large, or has a long line or a zero byte, is read to its end and refused",
        arguments: [
            (String(repeating: "x\r\n", count: 40), "552"), (String(repeating: "x", count: 999), "554"),
            (String(repeating: "x", count: 5_000), "554"), ("a\u{0}b", "554"),
        ])
    func badMails(text: String, code: String) async throws {
        var limits = RelayLimits()
        limits.mail = code == "552" ? 100 : 10_000
        var sender = try await sender(limits)
        sender.say("EHLO x", "MAIL FROM:<a@example.org>", "RCPT TO:<mono@example.com>", "DATA")
        #expect(sender.send(text + "\r\n.\r\n").last?.prefix(3) == code[...])
        #expect(try await sender.emulator.mails(of: "mono").isEmpty)
        #expect(sender.mail(to: ["mono@example.com"], "Subject: x\r\n\r\nx") == "250 2.0.0 OK")
    }

    @Test("a line of 998 bytes is accepted, and so is one with a dot before it")
    func longestLine() async throws {
        var sender = try await sender()
        let line = "." + String(repeating: "x", count: 997)
        #expect(sender.mail(to: ["mono@example.com"], "\r\n." + line) == "250 2.0.0 OK")
        #expect(try await source(sender) == "\r\n" + line + "\r\n")
    }

    @Test("recipients, mails and mistakes of a connection are limited")
    func limits() async throws {
        var limits = RelayLimits()
        limits.recipients = 1
        limits.mails = 2
        limits.mistakes = 3
        var sender = try await sender(limits)
        sender.say("EHLO x", "MAIL FROM:<a@example.org>", "RCPT TO:<mono@example.com>")
        #expect(sender.say("RCPT TO:<johnny@example.com>") == ["452 4.5.3 too many recipients"])
        sender.say("RSET")
        for _ in 1...2 { #expect(sender.mail(to: ["mono@example.com"], "\r\nx") == "250 2.0.0 OK") }
        #expect(sender.say("MAIL FROM:<a@example.org>") == ["421 4.7.0 too many messages on one connection"])
        #expect(sender.isClosed)

        sender = try await self.sender(limits)
        #expect(sender.say("A", "B", "C").count == 3)
        #expect(sender.say("D") == ["421 4.7.0 too many errors"])
    }

    @Test("RSET and EHLO discard the mail that was begun")
    func reset() async throws {
        for command in ["RSET", "EHLO x", "HELO x"] {
            var sender = try await sender()
            sender.say("EHLO x", "MAIL FROM:<a@example.org>", "RCPT TO:<mono@example.com>", command)
            #expect(sender.say("DATA") == ["503 5.5.1 bad sequence of commands"])
        }
    }
}
