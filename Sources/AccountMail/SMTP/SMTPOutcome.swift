import AccountService

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
    case failed(MailFailure)
}

extension MailFailure {
    /// Whether another attempt would end in the same way.
    var isFinal: Bool {
        switch self {
        case .addressNeedsUTF8, .addressInvalid, .templateFailed: true
        default: false
        }
    }
}
