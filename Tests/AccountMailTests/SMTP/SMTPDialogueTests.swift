import AccountService
import Testing

@testable import AccountMail

/// A dialogue with what it has said so far.
struct TestDialogue {
    var dialogue: SMTPDialogue
    /// The lines that the dialogue sent, without their endings.
    private(set) var said: [String] = []
    private(set) var outcomes: [SMTPOutcome] = []
    private(set) var isClosed = false
    private(set) var hasBegunTLS = false

    init(
        _ mail: SMTPMail?, _ security: SMTPServer.Security = .plain, credentials: SMTPDialogue.Credentials? = nil
    ) {
        dialogue = SMTPDialogue(
            mail, localName: "juice.example.com", security: security, credentials: credentials)
    }

    /// Hears the server, and returns what the dialogue says to it.
    @discardableResult
    mutating func hear(_ lines: String...) -> [String] {
        take(dialogue.receive(Array(lines.map { $0 + "\r\n" }.joined().utf8)))
    }

    @discardableResult
    mutating func secure() -> [String] { take(dialogue.tlsBegan()) }

    mutating func lose() { take(dialogue.connectionEnded(.connectionLost)) }

    mutating func timeOut() { take(dialogue.timedOut()) }

    @discardableResult
    private mutating func take(_ actions: [SMTPDialogue.Action]) -> [String] {
        var new: [String] = []
        for action in actions {
            switch action {
            case .send(let bytes):
                new += String(decoding: bytes, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
                    .dropLast().map(String.init)
            case .startTLS: hasBegunTLS = true
            case .finish(let outcome): outcomes.append(outcome)
            case .close: isClosed = true
            }
        }
        said += new
        return new
    }
}

@Suite("The conversation with a mail server")
struct SMTPDialogueTests {
    private static let credentials = SMTPDialogue.Credentials(user: "me", password: "geheim")

    @Test("A mail is delivered, and the outcome is known before the reply to QUIT")
    func delivery() throws {
        var test = TestDialogue(try TestMail.mail())
        #expect(test.hear("220 mail.example.com") == ["EHLO juice.example.com"])
        #expect(test.hear("250 mail.example.com") == ["MAIL FROM:<accounts@juice.example.com>"])
        #expect(test.hear("250 OK") == ["RCPT TO:<johnny@example.com>"])
        #expect(test.hear("250 OK") == ["DATA"])
        let text = test.hear("354 go on")
        #expect(text.first == "Date: Wed, 25 Nov 2026 02:09:42 +0000")
        #expect(text.last == ".")
        #expect(text.dropLast().allSatisfy { $0 != "." })
        #expect(test.outcomes.isEmpty)
        #expect(test.hear("250 2.0.0 queued") == ["QUIT"])
        #expect(test.outcomes == [.delivered])
        #expect(!test.isClosed)
        test.hear("221 bye")
        #expect(test.isClosed)
        #expect(test.outcomes == [.delivered])
    }

    @Test("A line that begins with a dot gets another, and other lines don't change")
    func dots() {
        func stuffed(_ text: String) -> String {
            String(decoding: SMTPDialogue.stuffed(Array(text.utf8)), as: UTF8.self)
        }
        #expect(stuffed("a\r\n.\r\n..b\r\nc.d\r\n") == "a\r\n..\r\n...b\r\nc.d\r\n.\r\n")
        #expect(stuffed(".\r\n") == "..\r\n.\r\n")
        #expect(stuffed("") == ".\r\n")
    }

    @Test("Extensions are used if the server offers them, and not otherwise")
    func extensions() throws {
        let rendered = RenderedMail(language: "de", subject: "Grüße", text: "Grüße\n", html: "<p>Grüße</p>\n")
        var with = TestDialogue(try TestMail.mail(rendered))
        with.hear("220 hello")
        let command = with.hear("250-hello", "250-8bitmime", "250-SIZE 100000", "250 SMTPUTF8")
        let size = try TestMail.message(rendered).content(allowsEightBit: true).count
        #expect(command == ["MAIL FROM:<accounts@juice.example.com> BODY=8BITMIME SIZE=\(size)"])
        with.hear("250 OK")
        with.hear("250 OK")
        #expect(with.hear("354 go on").contains("Content-Transfer-Encoding: 8bit"))

        var without = TestDialogue(try TestMail.mail(rendered))
        without.hear("220 hello")
        #expect(without.hear("250 hello") == ["MAIL FROM:<accounts@juice.example.com>"])
        without.hear("250 OK")
        without.hear("250 OK")
        let text = without.hear("354 go on")
        #expect(text.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    }

    @Test("An address beyond ASCII needs SMTPUTF8 and 8BITMIME")
    func internationalAddress() throws {
        var with = TestDialogue(try TestMail.mail(to: "grüße@exämple.com"))
        with.hear("220 hello")
        #expect(with.hear("250-hello", "250-8BITMIME", "250 SMTPUTF8")[0].hasSuffix(" SMTPUTF8"))
        #expect(with.hear("250 OK") == ["RCPT TO:<grüße@exämple.com>"])
        for offer in ["8BITMIME", "SMTPUTF8", "SIZE"] {
            var without = TestDialogue(try TestMail.mail(to: "grüße@exämple.com"))
            without.hear("220 hello")
            #expect(without.hear("250-hello", "250 \(offer)") == ["QUIT"])
            #expect(without.outcomes == [.failed(.addressNeedsUTF8)])
        }
    }

    // MARK: TLS

    @Test("After STARTTLS the conversation begins anew, and earlier offers don't count")
    func startTLS() throws {
        var test = TestDialogue(try TestMail.mail(), .startTLS)
        test.hear("220 hello")
        #expect(test.hear("250-hello", "250-8BITMIME", "250-SIZE 1000", "250 STARTTLS") == ["STARTTLS"])
        #expect(!test.hasBegunTLS)
        #expect(test.hear("220 go on") == [])
        #expect(test.hasBegunTLS)
        #expect(test.secure() == ["EHLO juice.example.com"])
        #expect(test.hear("250 hello") == ["MAIL FROM:<accounts@juice.example.com>"])
    }

    @Test("With TLS from the first byte, the greeting comes after the handshake")
    func implicitTLS() throws {
        var test = TestDialogue(try TestMail.mail(), .tls)
        #expect(test.dialogue.step == .handshake)
        #expect(test.secure() == [])
        #expect(test.hear("220 hello") == ["EHLO juice.example.com"])
        #expect(test.hear("250-hello", "250 STARTTLS") == ["MAIL FROM:<accounts@juice.example.com>"])
    }

    @Test("Without STARTTLS no password and no mail are sent", arguments: [nil, Self.credentials])
    func stripped(credentials: SMTPDialogue.Credentials?) throws {
        var test = TestDialogue(try TestMail.mail(), .startTLS, credentials: credentials)
        test.hear("220 hello")
        #expect(test.hear("250-hello", "250-AUTH PLAIN LOGIN", "250 XXXXXXXX") == ["QUIT"])
        #expect(test.outcomes == [.failed(.tlsNotOffered)])
        test.hear("221 bye")
        #expect(test.said == ["EHLO juice.example.com", "QUIT"])
    }

    @Test("A refused STARTTLS ends the conversation", arguments: [454, 501])
    func refusedTLS(code: Int) throws {
        var test = TestDialogue(try TestMail.mail(), .startTLS, credentials: Self.credentials)
        test.hear("220 hello")
        test.hear("250-hello", "250 STARTTLS")
        #expect(test.hear("\(code) not now") == ["QUIT"])
        #expect(test.outcomes == [.refused(.startTLS, SMTPServerReply(code: code, lines: ["not now"]))])
    }

    @Test(
        "Plain text after the reply to STARTTLS ends the conversation",
        arguments: ["250-evil\r\n250 AUTH PLAIN\r\n", "2", "\r\n"])
    func injected(text: String) throws {
        var test = TestDialogue(try TestMail.mail(), .startTLS, credentials: Self.credentials)
        test.hear("220 hello")
        test.hear("250-hello", "250 STARTTLS")
        let actions = test.dialogue.receive(Array("220 go on\r\n\(text)".utf8))
        #expect(actions == [.finish(.failed(.plainTextBeforeTLS)), .close])
        #expect(test.secure() == [])
    }

    // MARK: Authentication

    private static func secured(_ offer: String, credentials: SMTPDialogue.Credentials = credentials) throws -> (
        TestDialogue, [String]
    ) {
        var test = TestDialogue(try TestMail.mail(), .tls, credentials: credentials)
        test.secure()
        test.hear("220 hello")
        let said = test.hear("250-hello", "250 \(offer)")
        return (test, said)
    }

    @Test("PLAIN is taken before LOGIN")
    func plain() throws {
        var (test, said) = try Self.secured("AUTH LOGIN plain CRAM-MD5")
        #expect(said == ["AUTH PLAIN AG1lAGdlaGVpbQ=="])
        #expect(test.hear("235 welcome") == ["MAIL FROM:<accounts@juice.example.com>"])
    }

    @Test("A long password goes in a line of its own")
    func longPassword() throws {
        let long = SMTPDialogue.Credentials(user: "me", password: String(repeating: "x", count: 500))
        var (test, said) = try Self.secured("AUTH PLAIN", credentials: long)
        #expect(said == ["AUTH PLAIN"])
        #expect(test.hear("334 ")[0].count > 600)
        #expect(test.hear("235 welcome") == ["MAIL FROM:<accounts@juice.example.com>"])
    }

    @Test("LOGIN asks for user and password")
    func login() throws {
        var (test, said) = try Self.secured("AUTH LOGIN")
        #expect(said == ["AUTH LOGIN"])
        #expect(test.hear("334 VXNlcm5hbWU6") == ["bWU="])
        #expect(test.hear("334 UGFzc3dvcmQ6") == ["Z2VoZWlt"])
        #expect(test.hear("235 welcome") == ["MAIL FROM:<accounts@juice.example.com>"])
    }

    @Test(
        "Without a supported mechanism no mail is sent", arguments: ["AUTH CRAM-MD5", "AUTH=PLAIN", "SIZE"])
    func noMechanism(offer: String) throws {
        let (test, said) = try Self.secured(offer)
        #expect(said == ["QUIT"])
        #expect(test.outcomes == [.failed(.authenticationNotOffered)])
    }

    @Test("A wrong password is distinguished from a busy server")
    func wrongPassword() throws {
        var (wrong, _) = try Self.secured("AUTH PLAIN")
        #expect(wrong.hear("535 5.7.8 wrong") == ["QUIT"])
        #expect(wrong.outcomes == [.failed(.authenticationFailed)])
        var (busy, _) = try Self.secured("AUTH PLAIN")
        busy.hear("454 4.7.0 later")
        #expect(
            busy.outcomes == [
                .refused(.authentication(.result), SMTPServerReply(code: 454, lines: ["4.7.0 later"]))
            ])
    }

    @Test("A server that asks for the password twice gets it once")
    func askedAgain() throws {
        var (test, _) = try Self.secured("AUTH PLAIN")
        #expect(test.hear("334 once more") == [])
        #expect(test.outcomes == [.failed(.protocolError)])
        #expect(test.isClosed)
    }

    @Test("A server can be examined without a mail")
    func examination() {
        var test = TestDialogue(nil, .tls, credentials: Self.credentials)
        test.secure()
        test.hear("220 hello")
        test.hear("250-hello", "250 AUTH PLAIN")
        #expect(test.hear("235 welcome") == ["QUIT"])
        #expect(test.outcomes == [.delivered])
    }
}
