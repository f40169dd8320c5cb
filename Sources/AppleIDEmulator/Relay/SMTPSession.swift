/// A sender's conversation with the mail server. It has no network, no clock and no people. It returns an action for
/// whatever needs those, and takes the outcome by ``answer(_:)``.
struct SMTPSession: Sendable {
    enum Action: Hashable, Sendable {
        case reply(SMTPReply)
        /// May this recipient have a mail from this sender? Go on with ``answer(_:)``.
        case ask(MailAddress)
        /// A mail is complete. Go on with ``answer(_:)``.
        case deliver(IncomingMail)
        /// Say this, and hang up.
        case close(SMTPReply)
    }

    private struct Envelope {
        let sender: MailAddress?
        let takesUTF8: Bool
        var recipients: [MailAddress] = []
    }

    /// A mail on its way in.
    private struct Text {
        private(set) var content: [UInt8] = []
        /// The reply that refuses the mail once it has ended.
        private(set) var refusal: SMTPReply?

        /// A line without the dot that the transport adds.
        mutating func add(_ line: ArraySlice<UInt8>, _ limits: RelayLimits) {
            if line.count > limits.textLine { return refuse(.textLineTooLong) }
            if line.contains(0) { return refuse(.zeroByte) }
            if content.count + line.count + 2 > limits.mail { return refuse(.tooLarge) }
            guard refusal == nil else { return }
            content += line
            content += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        }

        /// The rest is read to its end, because the sender listens only then, and is not kept.
        mutating func refuse(_ reply: SMTPReply) {
            refusal = refusal ?? reply
            content = []
        }
    }

    static let greeting = SMTPReply(220, nil, "siwa-emulator ESMTP, for tests; this is not Apple")

    let limits: RelayLimits
    private var lines = SMTPLines()
    private var hasGreeted = false
    private var envelope: Envelope?
    private var text: Text?
    private var pending: MailAddress?
    private var mails = 0
    private var mistakes = 0

    init(limits: RelayLimits = RelayLimits()) {
        self.limits = limits
    }

    mutating func append(_ bytes: some Collection<UInt8>) { lines.append(bytes) }

    /// Nil when more bytes are needed.
    mutating func next() -> Action? {
        while true {
            guard let line = lines.next(limit: text == nil ? limits.commandLine : limits.textLine + 1) else {
                return nil
            }
            if case .bareLineBreak = line { return .close(.bareLineBreak) }
            if text != nil {
                if let action = readText(line) { return action }
            } else {
                return counted(readCommand(line))
            }
        }
    }

    /// Takes the outcome of the action before, and returns the next action.
    mutating func answer(_ reply: SMTPReply) -> Action {
        if let address = pending {
            pending = nil
            if reply.isPositive { envelope?.recipients.append(address) }
            return counted(.reply(reply))
        }
        envelope = nil
        return .reply(reply)
    }

    /// Closes the connection of a sender whose commands were refused too often.
    private mutating func counted(_ action: Action) -> Action {
        guard case .reply(let reply) = action, !reply.isPositive else { return action }
        mistakes += 1
        return mistakes > limits.mistakes ? .close(.tooManyMistakes) : action
    }

    // MARK: Commands

    private mutating func readCommand(_ line: SMTPLines.Line) -> Action {
        guard case .line(let bytes) = line else { return .reply(.lineTooLong) }
        switch SMTPCommand(bytes) {
        case .hello(let isExtended):
            hasGreeted = true
            envelope = nil
            return .reply(isExtended ? extensions : SMTPReply(250, nil, "siwa-emulator"))
        case .mail(let sender): return begin(sender)
        case .recipient(let recipient): return add(recipient)
        case .data:
            guard let envelope, !envelope.recipients.isEmpty else { return .reply(.wrongOrder) }
            text = Text()
            return .reply(.goOn)
        case .reset:
            envelope = nil
            return .reply(.ok)
        case .nothing: return .reply(.ok)
        case .quit: return .close(.goodbye)
        case .verify: return .reply(SMTPReply(252, "2.5.2", "send a mail and see"))
        case .help: return .reply(SMTPReply(214, "2.0.0", "RFC 5321"))
        case .notImplemented: return .reply(.notImplemented)
        case .unknown: return .reply(.unknownCommand)
        case .wrong: return .reply(SMTPReply(501, "5.5.4", "syntax error in arguments"))
        }
    }

    private var extensions: SMTPReply {
        SMTPReply(
            250, nil, "siwa-emulator", "PIPELINING", "SIZE \(limits.mail)", "8BITMIME", "ENHANCEDSTATUSCODES",
            "SMTPUTF8")
    }

    private mutating func begin(_ mail: SMTPCommand.Envelope) -> Action {
        guard hasGreeted, envelope == nil else { return .reply(.wrongOrder) }
        guard mails < limits.mails else { return .close(.tooManyMails) }
        var takesUTF8 = false
        for (name, value) in mail.parameters {
            switch (name, value?.uppercased()) {
            case ("SIZE", let size?):
                guard size.utf8.count <= 20, size.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                    return .reply(.unknownParameter)
                }
                // More digits than a number holds are too many bytes in any case.
                guard let size = Int(size), size <= limits.mail else { return .reply(.tooLarge) }
            case ("BODY", "7BIT"), ("BODY", "8BITMIME"): break
            case ("SMTPUTF8", nil): takesUTF8 = true
            default: return .reply(.unknownParameter)
            }
        }
        if mail.path.isEmpty {
            envelope = Envelope(sender: nil, takesUTF8: takesUTF8)
            return .reply(.senderIsGood)
        }
        guard let sender = MailAddress(mail.path) else { return .reply(.badSender) }
        guard takesUTF8 || sender.isASCII else { return .reply(.needsUTF8) }
        envelope = Envelope(sender: sender, takesUTF8: takesUTF8)
        return .reply(.senderIsGood)
    }

    private mutating func add(_ recipient: SMTPCommand.Envelope) -> Action {
        guard let envelope else { return .reply(.wrongOrder) }
        guard recipient.parameters.isEmpty else { return .reply(.unknownParameter) }
        guard let address = MailAddress(recipient.path) else { return .reply(.badRecipient) }
        guard envelope.takesUTF8 || address.isASCII else { return .reply(.needsUTF8) }
        guard envelope.recipients.count < limits.recipients else { return .reply(.tooManyRecipients) }
        pending = address
        return .ask(address)
    }

    // MARK: The mail itself

    private mutating func readText(_ line: SMTPLines.Line) -> Action? {
        guard case .line(let bytes) = line else {
            text?.refuse(.textLineTooLong)
            return nil
        }
        let dot = UInt8(ascii: ".")
        if bytes == [dot] { return finish() }
        let limits = limits
        text?.add(bytes.first == dot ? bytes.dropFirst() : bytes[...], limits)
        return nil
    }

    private mutating func finish() -> Action {
        guard let text, let envelope else { return .reply(.wrongOrder) }
        self.text = nil
        mails += 1
        if let refusal = text.refusal { return counted(answer(refusal)) }
        return .deliver(
            IncomingMail(sender: envelope.sender, recipients: envelope.recipients, content: text.content))
    }
}
