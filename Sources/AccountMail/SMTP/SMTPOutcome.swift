/// A mail for one recipient, with its envelope.
struct SMTPMail: Sendable {
    let sender: MailboxAddress
    let recipient: MailboxAddress
    let message: MailMessage
}

/// The end of an attempt to deliver a mail.
enum SMTPOutcome: Hashable, Sendable {
    /// The server has taken the mail; or, if it was only examined, it would take one.
    case delivered
    /// The server refused at this step with this reply.
    case refused(SMTPDialogue.Step, SMTPServerReply)
    case failed(SMTPFailure)
}

/// A reason for which a mail didn't reach a mail server. The raw values are for logs and tables, and stay.
enum SMTPFailure: String, CaseIterable, Error {
    case connectionFailed = "connection_failed"
    /// The connection ended before the server had replied.
    case connectionLost = "connection_lost"
    case timedOut = "timed_out"
    /// The calling task was cancelled.
    case cancelled
    /// The server doesn't speak SMTP, or said something that nobody had asked for.
    case protocolError = "protocol_error"
    /// The server doesn't offer STARTTLS, or somebody between took the offer away.
    case tlsNotOffered = "tls_not_offered"
    case tlsFailed = "tls_failed"
    case certificateNotTrusted = "certificate_not_trusted"
    case certificateWrongHost = "certificate_wrong_host"
    /// Plain text came after the reply to STARTTLS: somebody between may have put it there.
    case plainTextBeforeTLS = "plain_text_before_tls"
    /// The server offers neither PLAIN nor LOGIN.
    case authenticationNotOffered = "authentication_not_offered"
    case authenticationFailed = "authentication_failed"
    /// The recipient's address isn't ASCII, and the server doesn't offer SMTPUTF8.
    case addressNeedsUTF8 = "address_needs_smtputf8"
    /// The recipient's address isn't one that may stand in a command.
    case addressInvalid = "address_invalid"
    /// There is no template for the mail, or nothing came out of it.
    case templateFailed = "template_failed"

    /// Whether another attempt would end in the same way.
    var isFinal: Bool {
        switch self {
        case .addressNeedsUTF8, .addressInvalid, .templateFailed: true
        default: false
        }
    }
}

/// A reason for which Apple's relay took no mail. The raw values are for logs and tables, and stay.
enum RelayFailure: String, CaseIterable {
    /// The sender isn't registered with Apple, or neither SPF nor DKIM passed.
    case unauthorizedSender = "relay_unauthorized_sender"
    /// The person stopped the forwarding, or nobody has the address.
    case forwardingOff = "relay_forwarding_off"
    /// The address has had its mails of the day.
    case dailyLimit = "relay_daily_limit"
    /// A wrong registration, or bad days at Apple: neither is the address's fault.
    case transformationError = "relay_transformation_error"
}
