import AccountService
import NIOCore
import NIOSSL
import Testing
import X509

@testable import AccountMail

/// Tests of how the sender protects the password and the mail.
@Suite("Delivering mail over TLS", .timeLimit(.minutes(2)))
struct SMTPSenderTLSTests {
    private typealias Step = ScriptedServer.Step

    private static let rest: [Step] = [
        .hear("EHLO"), .say("250-hello\r\n250 AUTH PLAIN LOGIN\r\n"), .hear("AUTH"), .say("235 welcome\r\n"),
        .hear("MAIL"),
        .say("250 OK\r\n"), .hear("RCPT"), .say("250 OK\r\n"), .hear("DATA"), .say("354 go on\r\n"), .hear("."),
        .say("250 queued\r\n"),
    ]

    private static let beginning: [Step] = [
        .say("220 hello\r\n"), .hear("EHLO"), .say("250-hello\r\n250-AUTH PLAIN LOGIN\r\n250 STARTTLS\r\n"),
        .hear("STARTTLS"),
    ]

    private static func startTLS(_ certificate: TestCertificate) throws -> [Step] {
        beginning + [.say("220 go on\r\n"), .beginTLS(try certificate.server())] + rest
    }

    private static func answer(
        _ script: [Step], scheme: String = "smtp", host: String = "localhost", tls: NIOSSLContext? = nil,
        trusting certificate: TestCertificate, limits: SMTPLimits = SMTPLimits()
    ) async throws -> (MailAnswer, heard: [String]) {
        try await ScriptedServer.run(script, tls: tls) { port in
            try await TestSMTPSender.sender(
                "\(scheme)://me@\(host):\(port)", password: "geheim", tls: certificate.client, limits: limits
            ).send(TestSMTPSender.mail())
        }
    }

    /// Whether the server has heard neither a password nor a mail: without TLS it must not.
    private static func isInnocent(_ heard: [String]) -> Bool {
        !heard.contains { $0.hasPrefix("AUTH") || $0.hasPrefix("MAIL") || $0.contains("AG1lAGdlaGVpbQ==") }
    }

    @Test("After STARTTLS user and password are sent, and the mail follows", arguments: ["localhost", "127.0.0.1"])
    func startTLS(host: String) async throws {
        let certificate = try TestCertificate(for: TestCertificate.localhost)
        let (answer, heard) = try await Self.answer(
            try Self.startTLS(certificate), host: host, trusting: certificate)
        #expect(answer == .delivered)
        #expect(
            heard.prefix(4) == [
                "EHLO juice.example.com", "STARTTLS", "EHLO juice.example.com", "AUTH PLAIN AG1lAGdlaGVpbQ==",
            ])
    }

    @Test("A server with TLS from the first byte gets the mail")
    func implicit() async throws {
        let certificate = try TestCertificate(for: TestCertificate.localhost)
        let (answer, heard) = try await Self.answer(
            [.say("220 hello\r\n")] + Self.rest, scheme: "smtps", tls: try certificate.server(), trusting: certificate)
        #expect(answer == .delivered)
        #expect(heard.prefix(2) == ["EHLO juice.example.com", "AUTH PLAIN AG1lAGdlaGVpbQ=="])
    }

    @Test("A server that doesn't offer STARTTLS gets neither password nor mail", arguments: ["", "XXXXXXXX"])
    func stripped(offer: String) async throws {
        let certificate = try TestCertificate(for: TestCertificate.localhost)
        let (answer, heard) = try await Self.answer(
            [.say("220 hello\r\n"), .hear("EHLO"), .say("250-hello\r\n250-AUTH PLAIN LOGIN\r\n250 \(offer)\r\n")],
            trusting: certificate)
        #expect(answer == .postponed(failure: "tls_not_offered"))
        #expect(Self.isInnocent(heard))
    }

    @Test("A server that refuses STARTTLS gets neither password nor mail")
    func refused() async throws {
        let certificate = try TestCertificate(for: TestCertificate.localhost)
        let (answer, heard) = try await Self.answer(
            Self.beginning + [.say("454 4.7.0 TLS not available\r\n")], trusting: certificate)
        #expect(answer == .postponed(failure: "smtp_454_4.7.0"))
        #expect(Self.isInnocent(heard))
    }

    @Test("Replies that were sent before TLS end the connection", arguments: [true, false])
    func injected(isOneWrite: Bool) async throws {
        let certificate = try TestCertificate(for: TestCertificate.localhost)
        let injected = "250-evil\r\n250 AUTH PLAIN\r\n235 welcome\r\n"
        let steps: [Step] =
            isOneWrite ? [.say("220 go on\r\n" + injected)] : [.say("220 go on\r\n"), .say(injected)]
        let (answer, heard) = try await Self.answer(
            Self.beginning + steps + [.beginTLS(try certificate.server())] + Self.rest, trusting: certificate)
        let expected = isOneWrite ? ["plain_text_before_tls"] : ["plain_text_before_tls", "tls_failed"]
        #expect(expected.map { MailAnswer.postponed(failure: $0) }.contains(answer))
        #expect(Self.isInnocent(heard))
    }

    @Test("A server whose certificate isn't trusted gets neither password nor mail", arguments: [true, false])
    func untrusted(isImplicit: Bool) async throws {
        let certificate = try TestCertificate(for: TestCertificate.localhost)
        let other = try TestCertificate(for: TestCertificate.localhost)
        let (answer, heard) = try await Self.answer(
            isImplicit ? [.say("220 hello\r\n")] + Self.rest : try Self.startTLS(certificate),
            scheme: isImplicit ? "smtps" : "smtp", tls: isImplicit ? try certificate.server() : nil, trusting: other)
        #expect(answer == .postponed(failure: "certificate_not_trusted"))
        #expect(Self.isInnocent(heard))
    }

    @Test(
        "A server with a certificate for another name or address gets neither password nor mail",
        arguments: ["localhost", "127.0.0.1"], [true, false])
    func wrongHost(host: String, isImplicit: Bool) async throws {
        let certificate = try TestCertificate(for: [.dnsName("mail.example.com")])
        let (answer, heard) = try await Self.answer(
            isImplicit ? [.say("220 hello\r\n")] + Self.rest : try Self.startTLS(certificate),
            scheme: isImplicit ? "smtps" : "smtp", host: host, tls: isImplicit ? try certificate.server() : nil,
            trusting: certificate)
        #expect(answer == .postponed(failure: "certificate_wrong_host"))
        #expect(Self.isInnocent(heard))
    }

    @Test("A server that doesn't speak TLS, or stops in the handshake, postpones the mail")
    func noTLS() async throws {
        let certificate = try TestCertificate(for: TestCertificate.localhost)
        #expect(
            try await Self.answer([.say("220 hello\r\n")], scheme: "smtps", trusting: certificate).0
                == .postponed(failure: "tls_failed"))
        var limits = SMTPLimits()
        limits.handshake = .milliseconds(60)
        #expect(
            try await Self.answer([], scheme: "smtps", trusting: certificate, limits: limits).0
                == .postponed(failure: "timed_out"))
        #expect(
            try await Self.answer(
                Self.beginning + [.say("220 go on\r\n")], trusting: certificate, limits: limits
            ).0 == .postponed(failure: "timed_out"))
    }

    @Test("A connection that ends in the handshake postpones the mail")
    func cutHandshake() async throws {
        let certificate = try TestCertificate(for: TestCertificate.localhost)
        let (answer, _) = try await Self.answer(
            Self.beginning + [.say("220 go on\r\n"), .close], trusting: certificate)
        #expect([.postponed(failure: "connection_lost"), .postponed(failure: "tls_failed")].contains(answer))
    }

    @Test("A wrong password is reported, and the mail is tried again, because an operator may correct it")
    func wrongPassword() async throws {
        let certificate = try TestCertificate(for: TestCertificate.localhost)
        let script =
            try Self.startTLS(certificate).prefix(9) + [.say("535 5.7.8 no\r\n"), .hear("QUIT"), .close]
        #expect(
            try await Self.answer(Array(script), trusting: certificate).0
                == .postponed(failure: "authentication_failed"))
    }

    @Test("TLS before 1.2 is refused")
    func oldTLS() async throws {
        let certificate = try TestCertificate(for: TestCertificate.localhost)
        let (answer, _) = try await Self.answer(
            [.say("220 hello\r\n")] + Self.rest, scheme: "smtps", tls: try certificate.server(maximum: .tlsv11),
            trusting: certificate)
        #expect(answer == .postponed(failure: "tls_failed"))
    }
}
