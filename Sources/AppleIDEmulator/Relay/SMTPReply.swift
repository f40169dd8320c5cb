/// One answer of the mail server: a code, the enhanced status of RFC 3463 where there is one, and text.
struct SMTPReply: Hashable, Sendable {
    let code: Int
    let status: String?
    let lines: [String]

    init(_ code: Int, _ status: String? = nil, _ lines: String...) {
        self.code = code
        self.status = status
        self.lines = lines
    }

    var isPositive: Bool { code < 400 }

    /// The reply as a sender's log shows it.
    var description: String { lines.map { line($0, isLast: true) }.joined(separator: " ") }

    /// The reply as it goes over the wire.
    var text: String {
        lines.enumerated().map { line($1, isLast: $0 == lines.count - 1) + "\r\n" }.joined()
    }

    private func line(_ text: String, isLast: Bool) -> String {
        "\(code)\(isLast ? " " : "-")\(status.map { $0 + " " } ?? "")\(text)"
    }

    // MARK: Replies that Apple's relay is seen to send

    static let unauthorizedSender = Self(550, "5.1.1", "unauthorized sender")
    static let badMailboxName = Self(550, "5.1.1", "bad mailbox name")
    static let transformationError = Self(550, "5.7.1", "transformation error")

    // MARK: Replies of other servers

    /// Apple says how many mails it takes, and not what it answers to one more.
    static let tooManyToday = Self(450, "4.2.1", "this address has had its 100 mails of the day")
    static let mailboxFull = Self(552, "5.2.2", "this address has had its 100 mails of the day")
    static let mailboxDisabled = Self(550, "5.2.1", "mailbox disabled, not accepting messages")
    static let notOurs = Self(550, "5.7.1", "relaying denied: nobody here has this address")
    static let ok = Self(250, "2.0.0", "OK")
    static let senderIsGood = Self(250, "2.1.0", "OK")
    static let recipientIsGood = Self(250, "2.1.5", "OK")
    static let goOn = Self(354, nil, "end with a dot on a line of its own")
    static let goodbye = Self(221, "2.0.0", "goodbye")
    static let wrongOrder = Self(503, "5.5.1", "bad sequence of commands")
    static let unknownCommand = Self(500, "5.5.1", "command not recognized")
    static let notImplemented = Self(502, "5.5.1", "command not implemented")
    static let lineTooLong = Self(500, "5.5.2", "line too long")
    static let unknownParameter = Self(555, "5.5.4", "parameter not recognized")
    static let badSender = Self(501, "5.1.7", "bad sender address syntax")
    static let badRecipient = Self(501, "5.1.3", "bad recipient address syntax")
    static let needsUTF8 = Self(553, "5.6.7", "an address that is not ASCII needs SMTPUTF8")
    static let tooManyRecipients = Self(452, "4.5.3", "too many recipients")
    static let tooLarge = Self(552, "5.3.4", "message too large")
    static let textLineTooLong = Self(554, "5.6.0", "a line of the message has more than 998 bytes")
    static let zeroByte = Self(554, "5.6.0", "the message holds a byte of value 0")
    static let noAuthor = Self(554, "5.6.0", "the message needs one From with one address")
    static let bareLineBreak = Self(521, "5.5.2", "lines end with CR LF, both together")
    static let tooManyMistakes = Self(421, "4.7.0", "too many errors")
    static let tooManyMails = Self(421, "4.7.0", "too many messages on one connection")
    static let tooManyConnections = Self(421, "4.7.0", "too many connections")
    static let tooSlow = Self(421, "4.4.2", "timeout")
}
