import Foundation

@testable import AccountMail

/// Mails for the tests.
enum TestMail {
    static let sender = "accounts@juice.example.com"
    static let recipient = "johnny@example.com"

    static let rendered = RenderedMail(
        language: "en", subject: "Hello", text: "Hello\n.\n..two\n", html: "<p>Hello</p>\n")

    static func message(
        to recipient: String = recipient, _ rendered: RenderedMail = rendered, fromName: String = "Juice"
    ) throws -> MailMessage {
        MailMessage(
            id: "mail_01", date: Date(timeIntervalSince1970: 1_795_572_582), from: try address(sender),
            fromName: fromName, recipient: try address(recipient), rendered: rendered)
    }

    static func mail(to recipient: String = recipient, _ rendered: RenderedMail = rendered) throws -> SMTPMail {
        SMTPMail(
            sender: try address(sender), recipient: try address(recipient),
            message: try message(to: recipient, rendered))
    }

    static func address(_ text: String) throws -> MailboxAddress {
        guard let address = MailboxAddress(text) else { throw NoAddress(text: text) }
        return address
    }

    struct NoAddress: Error {
        let text: String
    }
}
