import AccountService
import NIOCore
import NIOSSL
import TaskSignals
import Testing
import X509

@testable import AccountMail

/// Against a server on a real socket that does what its script says.
@Suite("Delivering mail by SMTP", .timeLimit(.minutes(2)))
struct SMTPSenderTests {
    private typealias Step = ScriptedServer.Step

    private static let delivery: [Step] = [
        .say("220 hello\r\n"), .hear("EHLO"), .say("250-hello\r\n250 8BITMIME\r\n"), .hear("MAIL"), .say("250 OK\r\n"),
        .hear("RCPT"), .say("250 OK\r\n"), .hear("DATA"), .say("354 go on\r\n"), .hear("."), .say("250 queued\r\n"),
        .hear("QUIT"), .say("221 bye\r\n"), .close,
    ]

    /// Sends a mail in plain text to a server with this script.
    private static func answer(
        _ script: [Step], _ mail: Mail = TestSMTPSender.mail(), limits: SMTPLimits = SMTPLimits()
    ) async throws -> (MailAnswer, heard: [String]) {
        try await ScriptedServer.run(script) { port in
            try await TestSMTPSender.sender("smtp://127.0.0.1:\(port)", limits: limits).send(mail)
        }
    }

    @Test("A mail is delivered with its envelope, its fields and its text")
    func delivered() async throws {
        let (answer, heard) = try await Self.answer(Self.delivery)
        #expect(answer == .delivered)
        #expect(
            heard.prefix(4) == [
                "EHLO juice.example.com", "MAIL FROM:<accounts@juice.example.com> BODY=8BITMIME",
                "RCPT TO:<johnny@example.com>", "DATA",
            ])
        #expect(heard.contains("Message-ID: <mail_01@juice.example.com>"))
        #expect(heard.contains("From: \"Juice\" <accounts@juice.example.com>"))
        #expect(heard.contains("Subject: Test mail from Juice"))
        #expect(heard.contains("This mail shows that Juice can send mail. You don’t need to do"))
    }

    @Test("A mail to a domain beyond ASCII goes to its name in ASCII, which servers without SMTPUTF8 take")
    func internationalDomain() async throws {
        let (answer, heard) = try await Self.answer(Self.delivery, TestSMTPSender.mail(to: "zoe@exämple.com"))
        #expect(answer == .delivered)
        #expect(heard.contains("RCPT TO:<zoe@xn--exmple-cua.com>"))
        #expect(heard.contains("To: zoe@xn--exmple-cua.com"))
    }

    @Test("The answer doesn't wait for the server's reply to QUIT")
    func quit() async throws {
        var limits = SMTPLimits()
        limits.quit = .hours(1)
        let script = Self.delivery.dropLast(3)
        #expect(try await Self.answer(Array(script), limits: limits).0 == .delivered)
        #expect(try await Self.answer(script + [.close], limits: limits).0 == .delivered)
    }

    @Test("A mail to an invalid address, or without a template, is refused before the server is asked")
    func refusedHere() async throws {
        let sender = try TestSMTPSender.sender("smtp://127.0.0.1:1")
        let injected = TestSMTPSender.mail(to: "a@example.com>\r\nRCPT TO:<b@example.com")
        #expect(await sender.send(injected) == .refused(failure: "address_invalid"))
        let unknown = TestSMTPSender.mail(Mail.Kind(rawValue: "birthday"))
        #expect(await sender.send(unknown) == .refused(failure: "template_failed"))
    }

    @Test("Characters of an identifier that could end a header field are replaced")
    func identifier() async throws {
        let (answer, heard) = try await Self.answer(
            Self.delivery, TestSMTPSender.mail(id: "x@y>\r\nBcc: <b@example.com>"))
        #expect(answer == .delivered)
        #expect(heard.contains("Message-ID: <x-y---Bcc---b-example-com-@juice.example.com>"))
        #expect(!heard.contains { $0.hasPrefix("Bcc") })
    }

    // MARK: Servers that fail

    @Test("A server that isn't there postpones the mail")
    func down() async throws {
        let (port, _) = try await ScriptedServer.run([]) { $0 }
        let sender = try TestSMTPSender.sender("smtp://127.0.0.1:\(port)")
        #expect(await sender.send(TestSMTPSender.mail()) == .postponed(failure: "connection_failed"))
        #expect(await sender.examine() == "connection_failed")
    }

    @Test("A name that doesn't resolve postpones the mail")
    func unknownName() async throws {
        let sender = try TestSMTPSender.sender("smtps://mail.invalid")
        #expect(await sender.send(TestSMTPSender.mail()) == .postponed(failure: "connection_failed"))
    }

    @Test("A server that stops talking, at any step, postpones the mail", arguments: [0, 2, 4, 6, 8, 10])
    func slow(step: Int) async throws {
        var limits = SMTPLimits()
        (limits.reply, limits.text) = (.milliseconds(60), .milliseconds(60))
        let (answer, _) = try await Self.answer(Array(Self.delivery.prefix(step)), limits: limits)
        #expect(answer == .postponed(failure: "timed_out"))
    }

    @Test("A server that never stops talking doesn't extend the time limit", arguments: ["2", "250-x\r\n", " "])
    func dripping(text: String) async throws {
        var limits = SMTPLimits()
        limits.reply = .milliseconds(60)
        let (answer, _) = try await Self.answer(
            [.say("220 hello\r\n"), .hear("EHLO"), .say(text == " " ? "250-" : ""), .drip(text)], limits: limits)
        #expect([.postponed(failure: "timed_out"), .postponed(failure: "protocol_error")].contains(answer))
    }

    @Test("A server that reads no mail doesn't hold the sender up")
    func noReading() async throws {
        var limits = SMTPLimits()
        limits.text = .milliseconds(100)
        let mail = TestSMTPSender.mail(
            .announcement, values: ["subject": "x", "text": String(repeating: "Long lines.\n", count: 30_000)])
        let (answer, heard) = try await Self.answer(
            Self.delivery.prefix(7) + [.hear("DATA"), .stopReading, .say("354 go on\r\n")], mail, limits: limits)
        #expect(answer == .postponed(failure: "timed_out"))
        #expect(!heard.contains("."))
    }

    @Test("A connection that is cut, at any step, postpones the mail", arguments: [0, 2, 4, 6, 8, 9, 10])
    func cut(step: Int) async throws {
        let (answer, _) = try await Self.answer(Self.delivery.prefix(step) + [.close])
        #expect(answer == .postponed(failure: "connection_lost"))
    }

    @Test("A mail that is cut within DATA is postponed")
    func cutWithinData() async throws {
        let (answer, _) = try await Self.answer(Self.delivery.prefix(9) + [.hear("Message-ID"), .close])
        #expect(answer == .postponed(failure: "connection_lost"))
    }

    @Test(
        "A refusal at a step that is about the mail is the mail's outcome",
        arguments: [(4, "MAIL"), (6, "RCPT"), (8, "DATA"), (10, ".")])
    func refused(step: Int, word: String) async throws {
        for (reply, answer) in [
            ("451 4.7.1 greylisted", MailAnswer.postponed(failure: "smtp_451_4.7.1")),
            ("452 full", .postponed(failure: "smtp_452")),
            ("421 closing", .postponed(failure: "smtp_421")),
            ("550 5.1.1 nobody <johnny@example.com>", .refused(failure: "smtp_550_5.1.1")),
            ("552 5.2.2 mailbox full", .refused(failure: "smtp_552_5.2.2")),
            ("554 no", .refused(failure: "smtp_554")),
        ] {
            let (found, _) = try await Self.answer(
                Self.delivery.prefix(step) + [.say(reply + "\r\n"), .hear("QUIT"), .close])
            #expect(found == answer, "\(word)")
        }
    }

    @Test("A refused connection postpones the mail", arguments: ["554 5.7.1 no", "421 busy"])
    func refusedConnection(reply: String) async throws {
        let failure = "smtp_" + (reply.hasPrefix("554") ? "554_5.7.1" : "421")
        #expect(try await Self.answer([.say(reply + "\r\n"), .close]).0 == .postponed(failure: failure))
        #expect(
            try await Self.answer([.say("220 hello\r\n"), .hear("EHLO"), .say(reply + "\r\n"), .close]).0
                == .postponed(failure: failure))
    }

    @Test(
        "A server that doesn't speak SMTP postpones the mail",
        arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-x\r\n"])
    func otherProtocol(text: String) async throws {
        #expect(try await Self.answer([.say(text)]).0 == .postponed(failure: "protocol_error"))
    }

    @Test("A sender whose task is cancelled ends at once")
    func cancelled() async throws {
        let connected = OneShot<Void>()
        _ = try await ScriptedServer.run([.say("220 hello\r\n"), .hear("EHLO")]) { port in
            let sender = try TestSMTPSender.sender("smtp://127.0.0.1:\(port)")
            let task = Task {
                connected.deliver()
                return await sender.send(TestSMTPSender.mail())
            }
            await connected.wait()
            task.cancel()
            #expect(await task.value == .postponed(failure: "cancelled"))
        }
    }

    // MARK: Settings

    @Test("A sender's address is checked, and so is that user and password come together")
    func settings() throws {
        let templates = try MailTemplates()
        for from in ["", "juice", "ä@example.com", "a@example.com\r\nBcc: b@example.com"] {
            #expect(throws: AccountMailError(.invalidSender, "")) {
                try SMTPSender(server: SMTPServer("smtp://localhost"), from: from, fromName: "x", templates: templates)
            }
        }
        for (url, password) in [("smtps://me@mail.example.com", nil), ("smtps://mail.example.com", "x")] {
            #expect(throws: AccountMailError(.passwordMismatch, "")) {
                try SMTPSender(
                    server: SMTPServer(url), password: password, from: TestMail.sender, fromName: "x",
                    templates: templates)
            }
        }
    }
}
