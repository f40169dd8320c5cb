import AccountService
import Foundation
import NIOCore
import NIOSSL

@testable import AccountMail

/// Makes senders and mails for the tests.
enum TestSMTPSender {
    /// The program's own templates, which all tests share: reading them takes longer than most tests.
    static let templates: Result<MailTemplates, any Error> = Result { try MailTemplates() }

    static func sender(
        _ url: String, password: String? = nil, fromName: String = "Juice",
        tls: TLSConfiguration = .makeClientConfiguration(),
        limits: SMTPLimits = SMTPLimits()
    ) throws -> SMTPSender {
        try SMTPSender(
            server: SMTPServer(url), password: password, from: TestMail.sender, fromName: fromName,
            templates: templates.get(), tls: tls, limits: limits,
            now: { Date(timeIntervalSince1970: 1_795_572_582) })
    }

    static func mail(
        _ kind: Mail.Kind = .test, to recipient: String = TestMail.recipient, isRelayAddress: Bool = false,
        languages: [String] = [], id: String = "mail_01", values: [String: String] = [:]
    ) -> Mail {
        Mail(
            id: MailID(rawValue: id), kind: kind, recipient: recipient, isRelayAddress: isRelayAddress,
            languages: languages,
            values: ["serviceName": "Juice", "serviceURL": "https://accounts.example.com"]
                .merging(values) { _, given in given },
            createdAt: Timestamp(microseconds: 0))
    }
}
