/// A reason for which a mail wasn't delivered, or not yet. The raw values are for logs, tables and operators, and stay.
///
/// A mail server's refusal has a word of its own, made of its reply: `smtp_550_5.1.1`. An embedding program's
/// ``MailSender`` may have further words.
package enum MailFailure: String, CaseIterable, Error {
    // MARK: The service

    /// The attempt took too long, or the mail server did.
    case timedOut = "timed_out"
    /// The server stopped during the attempt.
    case interrupted
    /// No key of the ring opens the mail. An operator can mend that.
    case configuration
    /// The sender's own text is no fixed word.
    case other

    // MARK: The way to the mail server

    case connectionFailed = "connection_failed"
    /// The connection ended before the server had replied.
    case connectionLost = "connection_lost"
    /// The calling task was cancelled.
    case cancelled
    /// The server doesn't speak SMTP, or sent something without being asked.
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

    // MARK: The mail

    /// The recipient's address isn't ASCII, and the server doesn't offer SMTPUTF8.
    case addressNeedsUTF8 = "address_needs_smtputf8"
    /// The recipient's address isn't one that may stand in a command.
    case addressInvalid = "address_invalid"
    /// There is no template for the mail, or nothing came out of it.
    case templateFailed = "template_failed"
}

/// A reason for which Apple's relay took no mail. The raw values are for logs, tables and operators, and stay.
package enum RelayFailure: String, CaseIterable, Sendable {
    /// The sender isn't registered with Apple, or neither SPF nor DKIM passed.
    case unauthorizedSender = "relay_unauthorized_sender"
    /// The person stopped the forwarding, or nobody has the address.
    case forwardingOff = "relay_forwarding_off"
    /// The address has had its mails of the day.
    case dailyLimit = "relay_daily_limit"
    /// A wrong registration, or bad days at Apple: neither is the address's fault.
    case transformationError = "relay_transformation_error"
}
