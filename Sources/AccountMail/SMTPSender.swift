public import AccountService
import Foundation
import NIOSSL

/// Delivers mail by SMTP: each mail over a connection of its own, in the service's name, as text and HTML.
public struct SMTPSender: MailSender {
    private let client: SMTPClient
    private let from: MailboxAddress
    private let fromName: String
    private let templates: MailTemplates
    private let now: @Sendable () -> Date

    /// Makes a sender. It connects to nothing yet.
    /// - Parameters:
    ///   - server: the mail server, and its user if it has one.
    ///   - password: of the server's user.
    ///   - from: the sender's address, in ASCII. Its domain stands in each `Message-ID` and in `EHLO`.
    ///   - fromName: the name beside the address, mostly the service's.
    ///   - templates: the texts.
    /// - Throws: `AccountMailError` when the address can't be a sender's, or when user and password don't come together.
    public init(
        server: SMTPServer, password: String? = nil, from: String, fromName: String, templates: MailTemplates
    ) throws {
        try self.init(
            server: server, password: password, from: from, fromName: fromName, templates: templates,
            tls: .makeClientConfiguration())
    }

    /// - Parameters:
    ///   - tls: whose certificates are trusted. Certificates and names are checked with any.
    ///   - now: the time for `Date`.
    init(
        server: SMTPServer, password: String?, from: String, fromName: String, templates: MailTemplates,
        tls: TLSConfiguration, limits: SMTPLimits = SMTPLimits(), now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        guard let address = MailboxAddress(from), address.isASCII else {
            throw AccountMailError(.invalidSender, "the sender of mails must be an address in ASCII")
        }
        guard (server.user == nil) == (password == nil) else {
            throw AccountMailError(
                .passwordMismatch,
                password == nil
                    ? "the mail server's URL names a user, and there is no password"
                    : "there is a password, and the mail server's URL names no user")
        }
        var tls = tls
        tls.minimumTLSVersion = .tlsv12
        tls.certificateVerification = .fullVerification
        let credentials = server.user.flatMap { user in
            password.map { SMTPDialogue.Credentials(user: user, password: $0) }
        }
        client = SMTPClient(
            server: server, credentials: credentials, localName: address.domain,
            tls: try NIOSSLContext(configuration: tls),
            limits: limits)
        self.from = address
        self.fromName = MailValues.oneLine(fromName)
        self.templates = templates
        self.now = now
    }

    /// Writes a mail, and tries once to hand it to the server.
    ///
    /// The failures of the answer are `smtp_` with the reply's code and enhanced status, such as `smtp_550_5.1.1`; the words
    /// of `MailFailure`, such as `tls_failed`; and those of `RelayFailure`, such as `relay_unauthorized_sender`.
    public func send(_ mail: Mail) async -> MailAnswer {
        guard let recipient = MailboxAddress(mail.recipient)?.withASCIIDomain else {
            return .refused(failure: MailFailure.addressInvalid.rawValue)
        }
        guard let rendered = templates.render(mail.kind.rawValue, languages: mail.languages, values: mail.values) else {
            return .refused(failure: MailFailure.templateFailed.rawValue)
        }
        let message = MailMessage(
            id: mail.id.rawValue, date: now(), from: from, fromName: fromName, recipient: recipient, rendered: rendered)
        let outcome = await client.deliver(SMTPMail(sender: from, recipient: recipient, message: message))
        return MailAnswer(of: outcome, isRelayAddress: mail.isRelayAddress)
    }

    /// Goes as far as a mail would, without one: connects, begins TLS and proves the user.
    /// - Returns: Nil when the server would take a mail, else the failure, in the words of ``send(_:)``.
    package func examine() async -> String? {
        switch MailAnswer(of: await client.deliver(nil), isRelayAddress: false) {
        case .delivered: nil
        case .postponed(let failure), .held(let failure), .refused(let failure): failure
        }
    }
}
