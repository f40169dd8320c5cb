import AccountService

/// Decides from the end of an attempt whether the mail is tried again.
extension MailAnswer {
    /// - Parameter isRelayAddress: whether Apple's relay has the last word about the recipient.
    init(of outcome: SMTPOutcome, isRelayAddress: Bool) {
        switch outcome {
        case .delivered: self = .delivered
        case .failed(let failure):
            self = failure.isFinal ? .refused(failure: failure.rawValue) : .postponed(failure: failure.rawValue)
        case .refused(let step, let reply):
            if isRelayAddress, step.concernsMail, let answer = Self.ofRelay(reply) {
                self = answer
            } else if step.concernsMail, !reply.isTransient {
                self = .refused(failure: reply.failure)
            } else {
                // A server that refuses the connection has not judged the mail.
                self = .postponed(failure: reply.failure)
            }
        }
    }

    /// The replies that Apple's relay is seen to send, and those that a full mailbox gets. Their words decide, because the
    /// codes are the same.
    private static func ofRelay(_ reply: SMTPServerReply) -> Self? {
        let text = reply.lines.joined(separator: " ").lowercased()
        let status = reply.enhancedStatus.map { $0.dropFirst(2) }
        if text.contains("unauthorized sender") { return .refused(failure: RelayFailure.unauthorizedSender.rawValue) }
        // Apple's words are the same for an address that nobody has.
        if text.contains("bad mailbox name") || reply.code == 550 && status == "2.1" {
            return .held(failure: RelayFailure.forwardingOff.rawValue)
        }
        if text.contains("transformation error") {
            return .postponed(failure: RelayFailure.transformationError.rawValue)
        }
        if [450, 452, 552].contains(reply.code), status == "2.1" || status == "2.2" || text.contains("limit") {
            return .held(failure: RelayFailure.dailyLimit.rawValue)
        }
        return nil
    }
}

extension SMTPDialogue.Step {
    /// Whether a refusal at this step is about the mail, rather than about the connection.
    fileprivate var concernsMail: Bool {
        switch self {
        case .sender, .recipient, .data, .text: true
        case .handshake, .greeting, .hello, .startTLS, .authentication, .quit, .ended: false
        }
    }
}
