import AccountService

/// Decides from the end of an attempt whether the mail is tried again.
extension MailAnswer {
    /// - Parameter isRelayAddress: whether Apple's relay has the last word about the recipient.
    init(of outcome: SMTPOutcome, isRelayAddress: Bool) {
        switch outcome {
        case .delivered: self = .delivered
        // Nothing was wrong with the mail; but for this one, the operator or the server has to change.
        case .failed(.addressNeedsUTF8): self = .refused(failure: SMTPFailure.addressNeedsUTF8.rawValue)
        case .failed(let failure): self = .postponed(failure: failure.rawValue)
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
        if text.contains("unauthorized sender") { return .refused(failure: "relay_unauthorized_sender") }
        // Nobody has the address, or its person stopped the forwarding: Apple's words are the same.
        if text.contains("bad mailbox name") || reply.code == 550 && status == "2.1" {
            return .held(failure: "relay_forwarding_off")
        }
        // A wrong registration, or bad days at Apple: neither is the address's fault.
        if text.contains("transformation error") { return .postponed(failure: "relay_transformation_error") }
        if [450, 452, 552].contains(reply.code), status == "2.1" || status == "2.2" || text.contains("limit") {
            return .held(failure: "relay_daily_limit")
        }
        return nil
    }
}

extension SMTPDialogue.Step {
    /// Whether a refusal at this step is about the mail, rather than about the connection.
    fileprivate var concernsMail: Bool {
        switch self {
        case .sender, .recipient, .data, .text: true
        case .handshake, .greeting, .hello, .startTLS, .authentication, .farewell, .ended: false
        }
    }
}
