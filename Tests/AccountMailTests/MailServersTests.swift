import AccountService
import Foundation
import NIOSSL
import Testing

@testable import AccountMail

/// The mail servers that `Tests/with-mail-servers` runs.
struct MailServers: Decodable {
    struct Aiosmtpd: Decodable {
        let plain: Int
        let ascii: Int
        let startTLS: Int
        let tls: Int
    }

    struct Postfix: Decodable {
        let startTLS: Int
        let tls: Int
    }

    /// A mail as Python's `email` package reads it.
    struct Received: Decodable {
        let sender: String
        let recipients: [String]
        let options: [String]
        let isEncrypted: Bool
        let isAuthenticated: Bool?
        let defects: [String]
        let fields: [String: String]
        let fromName: String
        let fromAddress: String
        let text: String
        let html: String
        let encodings: [String]
        let maximumLineLength: Int
    }

    let aiosmtpd: Aiosmtpd
    let postfix: Postfix
    let certificate: String
    let inbox: String
    let user: String
    let password: String

    static func running() throws -> MailServers {
        let path = try #require(
            ProcessInfo.processInfo.environment["SIWA_MAIL_SERVERS"],
            "run the tests by Tests/with-mail-servers, as make unit does")
        return try JSONDecoder().decode(MailServers.self, from: Data(contentsOf: URL(filePath: path)))
    }

    func received(_ id: String) throws -> Received {
        try JSONDecoder().decode(
            Received.self,
            from: Data(contentsOf: URL(filePath: inbox).appending(path: "\(id)@juice.example.com.json")))
    }

    /// A sender that trusts the servers' certificate.
    func sender(_ url: String, password: String? = nil, fromName: String = "Juice") throws -> SMTPSender {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .file(certificate)
        return try TestSMTPSender.sender(url, password: password, fromName: fromName, tls: tls)
    }
}

@Suite("Delivering mail to other people's servers", .timeLimit(.minutes(2)))
struct MailServersTests {
    private let servers = Result { try MailServers.running() }

    /// The addresses of all servers but the one that takes ASCII alone, with their passwords.
    private func addresses() throws -> [(url: String, password: String?)] {
        let servers = try servers.get()
        return [
            ("smtp://127.0.0.1:\(servers.aiosmtpd.plain)", nil),
            ("smtp://\(servers.user)@localhost:\(servers.aiosmtpd.startTLS)", servers.password),
            ("smtps://\(servers.user)@127.0.0.1:\(servers.aiosmtpd.tls)", servers.password),
            ("smtp://127.0.0.1:\(servers.postfix.startTLS)", nil),
            ("smtps://localhost:\(servers.postfix.tls)", nil),
        ]
    }

    @Test(
        "Each kind of mail arrives in both languages, as it was written, and without a defect",
        arguments: MailTemplatesTests.kinds, MailTemplatesTests.languages)
    func kinds(kind: String, language: String) async throws {
        for (number, address) in try addresses().enumerated() {
            let id = "mail_\(kind)_\(language)_\(number)"
            let sender = try servers.get().sender(address.url, password: address.password)
            let mail = TestSMTPSender.mail(
                Mail.Kind(rawValue: kind), languages: [language], id: id, values: MailTemplatesTests.values[kind] ?? [:]
            )
            #expect(await sender.send(mail) == .delivered, "\(address.url)")
            let received = try servers.get().received(id)
            let rendered = try MailTemplatesTests.rendered(kind, language)
            #expect(received.defects == [])
            #expect(received.text == rendered.text)
            #expect(received.html == rendered.html)
            #expect(received.fields["subject"] == rendered.subject)
            #expect(received.fields["auto-submitted"] == "auto-generated")
            #expect(received.fields["message-id"] == "<\(id)@juice.example.com>")
            #expect(received.fields["to"] == TestMail.recipient)
            #expect(received.fromName == "Juice")
            #expect(received.fromAddress == TestMail.sender)
            #expect(received.sender == TestMail.sender)
            #expect(received.recipients == [TestMail.recipient])
            #expect(received.maximumLineLength <= 998)
            if address.password != nil { #expect(received.isAuthenticated == true && received.isEncrypted) }
        }
    }

    /// Lines with dots, spaces and other things that a mail server may take for its own.
    private static let hardText =
        ".\n..\n.two\n\n \n-- \nFrom here\n" + String(repeating: "ü", count: 1_200) + "\n"
        + String(repeating: "x", count: 2_000) + "\n=3D=\n.\nend"

    @Test("A text with dots, long lines and odd characters arrives as it was written")
    func hardText() async throws {
        for (number, address) in try addresses().enumerated() {
            let id = "mail_hard_\(number)"
            let sender = try servers.get().sender(
                address.url, password: address.password, fromName: "Säfte \"& mehr\", <a@b>; 你好")
            let mail = TestSMTPSender.mail(
                .announcement, id: id,
                values: ["subject": "Grüße, =?x?= 你好 " + String(repeating: "🍊", count: 60), "text": Self.hardText])
            #expect(await sender.send(mail) == .delivered, "\(address.url)")
            let received = try servers.get().received(id)
            #expect(received.defects == [])
            #expect(received.text.hasPrefix(Self.hardText + "\n"))
            #expect(received.fields["subject"] == "Grüße, =?x?= 你好 " + String(repeating: "🍊", count: 60))
            #expect(received.fromName == "Säfte \"& mehr\", <a@b>; 你好")
            #expect(received.maximumLineLength <= 998)
        }
    }

    @Test("Bytes beyond ASCII go as they are to servers that take them, and encoded to the others")
    func eightBit() async throws {
        let servers = try servers.get()
        let mail = { TestSMTPSender.mail(languages: ["de"], id: $0) }
        #expect(
            await (try servers.sender("smtp://127.0.0.1:\(servers.postfix.startTLS)")).send(mail("mail_8"))
                == .delivered)
        #expect(
            await (try servers.sender("smtp://127.0.0.1:\(servers.aiosmtpd.ascii)")).send(mail("mail_7")) == .delivered)
        let (with, without) = (try servers.received("mail_8"), try servers.received("mail_7"))
        #expect(with.encodings == ["8bit", "8bit"])
        #expect(with.options.contains("BODY=8BITMIME"))
        #expect(without.encodings == ["quoted-printable", "quoted-printable"])
        #expect(without.text == with.text)
        #expect(without.html == with.html)
    }

    @Test("An address beyond ASCII is taken by servers with SMTPUTF8, and by no other")
    func internationalAddress() async throws {
        let servers = try servers.get()
        for (number, port) in [servers.aiosmtpd.plain, servers.postfix.startTLS].enumerated() {
            let mail = TestSMTPSender.mail(to: "grüße@example.com", id: "mail_utf8_\(number)")
            #expect(await (try servers.sender("smtp://127.0.0.1:\(port)")).send(mail) == .delivered)
            let received = try servers.received("mail_utf8_\(number)")
            #expect(received.recipients == ["grüße@example.com"])
            #expect(received.fields["to"] == "grüße@example.com")
            #expect(received.options.contains("SMTPUTF8"))
        }
        let sender = try servers.sender("smtp://127.0.0.1:\(servers.aiosmtpd.ascii)")
        #expect(
            await sender.send(TestSMTPSender.mail(to: "grüße@example.com"))
                == .refused(failure: "address_needs_smtputf8"))
    }

    @Test("A refused recipient is postponed, or refused if the mailbox is full or doesn't exist")
    func refusals() async throws {
        for (number, address) in try addresses().enumerated() {
            let sender = try servers.get().sender(address.url, password: address.password)
            for (recipient, answer) in [
                ("later", MailAnswer.postponed(failure: "smtp_451_4.3.0")),
                ("full", .refused(failure: "smtp_552_5.2.2")),
                ("nobody", .refused(failure: "smtp_550_5.1.1")),
            ] {
                let mail = TestSMTPSender.mail(to: "\(recipient)@example.com", id: "mail_\(recipient)_\(number)")
                #expect(await sender.send(mail) == answer, "\(address.url)")
                #expect(throws: (any Error).self) { try servers.get().received("mail_\(recipient)_\(number)") }
            }
            #expect(await sender.send(TestSMTPSender.mail(id: "mail_after_\(number)")) == .delivered)
            #expect(await sender.examine() == nil)
        }
    }

    @Test("A wrong password, and a certificate that isn't trusted, deliver nothing")
    func untrusted() async throws {
        let servers = try servers.get()
        for url in [
            "smtp://\(servers.user)@localhost:\(servers.aiosmtpd.startTLS)",
            "smtps://\(servers.user)@localhost:\(servers.aiosmtpd.tls)",
        ] {
            let wrong = try servers.sender(url, password: "wrong")
            #expect(await wrong.send(TestSMTPSender.mail()) == .postponed(failure: "authentication_failed"))
            let distrustful = try TestSMTPSender.sender(url, password: servers.password)
            #expect(await distrustful.send(TestSMTPSender.mail()) == .postponed(failure: "certificate_not_trusted"))
            #expect(await distrustful.examine() == "certificate_not_trusted")
        }
        let postfix = try TestSMTPSender.sender("smtps://localhost:\(servers.postfix.tls)")
        #expect(await postfix.send(TestSMTPSender.mail()) == .postponed(failure: "certificate_not_trusted"))
    }
}
