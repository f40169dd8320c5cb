import AccountService

/// The conversation with a mail server about one mail. No network and no clock: what needs those is an action.
///
/// Commands are not pipelined. So nothing may follow a reply before the next command, and a server that sends more is
/// refused. In particular nothing that came in plain text counts after STARTTLS (RFC 3207 §6).
struct SMTPDialogue: Sendable {
    /// The event that the conversation waits for. Each step has a time limit.
    enum Step: Hashable, Sendable {
        /// The end of the TLS handshake.
        case handshake
        case greeting
        case hello
        case startTLS
        case authentication(Authentication)
        case sender
        case recipient
        /// The reply to DATA.
        case data
        /// The reply to the mail.
        case text
        /// The reply to QUIT. The outcome is known.
        case quit
        case ended
    }

    /// The reply of the server that the authentication waits for.
    enum Authentication: Hashable, Sendable {
        case plainResponse, loginUser, loginPassword, result
    }

    enum Action: Hashable, Sendable {
        case send([UInt8])
        /// Begin TLS now. Go on with ``tlsBegan()``.
        case startTLS
        /// The outcome; it comes once. The conversation may go on with QUIT.
        case finish(SMTPOutcome)
        case close
    }

    /// The user and the password for the server.
    struct Credentials: Hashable, Sendable {
        let user: String
        let password: String
    }

    private let mail: SMTPMail?
    private let localName: String
    private let security: SMTPServer.Security
    private let credentials: Credentials?

    private(set) var step: Step
    private var isSecured = false
    private var reader = SMTPReplyReader()
    private var extensions = SMTPExtensions()
    private var content: [UInt8] = []

    /// - Parameters:
    ///   - mail: nil to only examine the server: the conversation then ends after the authentication.
    ///   - localName: The domain of this end, for EHLO.
    init(
        _ mail: SMTPMail?, localName: String, security: SMTPServer.Security, credentials: Credentials?
    ) {
        self.mail = mail
        self.localName = localName
        self.security = security
        self.credentials = credentials
        step = security == .tls ? .handshake : .greeting
    }

    // MARK: Events

    /// Takes note that the TLS handshake is over.
    mutating func tlsBegan() -> [Action] {
        guard step == .handshake, !isSecured else { return [] }
        isSecured = true
        extensions = SMTPExtensions()
        if security == .tls {
            step = .greeting
            return []
        }
        return sendHello()
    }

    /// Takes bytes of the server.
    mutating func receive(_ bytes: some Collection<UInt8>) -> [Action] {
        guard step != .ended else { return [] }
        reader.append(bytes)
        let reply: SMTPServerReply?
        do throws(SMTPReplyReader.NotSMTP) { reply = try reader.next() } catch { return abort(.protocolError) }
        guard let reply else { return [] }
        // The server has the mail, whatever else it says.
        if step == .text, reply.isPositive { return quit(.delivered) }
        if step == .quit {
            step = .ended
            return [.close]
        }
        guard reader.isEmpty else { return abort(step == .startTLS ? .plainTextBeforeTLS : .protocolError) }
        return receive(reply)
    }

    /// Takes note that the connection ended or failed.
    mutating func connectionEnded(_ failure: MailFailure) -> [Action] { abort(failure) }

    /// Takes note that the time limit of the step is over.
    mutating func timedOut() -> [Action] { abort(.timedOut) }

    // MARK: Replies

    private mutating func receive(_ reply: SMTPServerReply) -> [Action] {
        switch step {
        case .greeting: return reply.code == 220 ? sendHello() : refused(reply)
        case .hello:
            guard reply.code == 250 else { return refused(reply) }
            extensions = SMTPExtensions(reply)
            return startTLSOrAuthenticate()
        case .startTLS:
            guard reply.code == 220 else { return refused(reply) }
            step = .handshake
            return [.startTLS]
        case .authentication(let stage): return authenticate(stage, reply)
        case .sender:
            guard let mail, reply.code == 250 else { return refused(reply) }
            return send("RCPT TO:<\(mail.recipient)>", then: .recipient)
        case .recipient: return reply.code == 250 || reply.code == 251 ? send("DATA", then: .data) : refused(reply)
        case .data:
            guard reply.code == 354 else { return refused(reply) }
            step = .text
            return [.send(Self.stuffed(content))]
        // The good reply was read before.
        case .text: return refused(reply)
        case .handshake, .quit, .ended: return abort(.protocolError)
        }
    }

    private mutating func sendHello() -> [Action] { send("EHLO \(localName)", then: .hello) }

    private mutating func startTLSOrAuthenticate() -> [Action] {
        if !isSecured, security != .plain {
            return extensions.startTLS ? send("STARTTLS", then: .startTLS) : quit(.failed(.tlsNotOffered))
        }
        guard let credentials else { return beginMail() }
        // A password goes over TLS alone; a server with a user is never `plain`.
        guard isSecured else { return quit(.failed(.tlsNotOffered)) }
        if extensions.authentication.contains("PLAIN") {
            let response = Self.plainResponse(credentials)
            // RFC 4954 §4: a response that would make the command longer than 512 bytes goes in a line of its own.
            return response.utf8.count <= 480
                ? send("AUTH PLAIN \(response)", then: .authentication(.result))
                : send("AUTH PLAIN", then: .authentication(.plainResponse))
        }
        if extensions.authentication.contains("LOGIN") { return send("AUTH LOGIN", then: .authentication(.loginUser)) }
        return quit(.failed(.authenticationNotOffered))
    }

    private mutating func authenticate(_ stage: Authentication, _ reply: SMTPServerReply) -> [Action] {
        if stage == .result, reply.code == 235 { return beginMail() }
        guard let credentials, stage != .result, reply.code == 334 else {
            if (500..<600).contains(reply.code) { return quit(.failed(.authenticationFailed)) }
            return refused(reply)
        }
        switch stage {
        case .plainResponse: return send(Self.plainResponse(credentials), then: .authentication(.result))
        case .loginUser: return send(Base64Lines.text(credentials.user.utf8), then: .authentication(.loginPassword))
        case .loginPassword: return send(Base64Lines.text(credentials.password.utf8), then: .authentication(.result))
        case .result: return abort(.protocolError)
        }
    }

    private static func plainResponse(_ credentials: Credentials) -> String {
        Base64Lines.text([0] + Array(credentials.user.utf8) + [0] + Array(credentials.password.utf8))
    }

    private mutating func beginMail() -> [Action] {
        guard let mail else { return quit(.delivered) }
        guard mail.recipient.isASCII || extensions.utf8 && extensions.eightBit else {
            return quit(.failed(.addressNeedsUTF8))
        }
        content = mail.message.content(allowsEightBit: extensions.eightBit)
        var command = "MAIL FROM:<\(mail.sender)>"
        if extensions.eightBit, content.contains(where: { $0 > 0x7F }) { command += " BODY=8BITMIME" }
        if extensions.size { command += " SIZE=\(content.count)" }
        if !mail.recipient.isASCII { command += " SMTPUTF8" }
        return send(command, then: .sender)
    }

    // MARK: Endings

    private mutating func refused(_ reply: SMTPServerReply) -> [Action] {
        guard reply.code >= 400 else { return abort(.protocolError) }
        // After 421 the server closes.
        if reply.code == 421 { return end(.refused(step, reply)) }
        return quit(.refused(step, reply))
    }

    private mutating func quit(_ outcome: SMTPOutcome) -> [Action] {
        step = .quit
        content = []
        return [.finish(outcome), .send(Array("QUIT\r\n".utf8))]
    }

    private mutating func abort(_ failure: MailFailure) -> [Action] { end(.failed(failure)) }

    private mutating func end(_ outcome: SMTPOutcome) -> [Action] {
        defer { step = .ended }
        switch step {
        case .ended: return []
        case .quit: return [.close]
        default: return [.finish(outcome), .close]
        }
    }

    private mutating func send(_ line: String, then next: Step) -> [Action] {
        step = next
        return [.send(Array((line + "\r\n").utf8))]
    }

    /// The content with a second dot before each line that begins with one, and the end (RFC 5321 §4.5.2).
    /// - Parameter content: lines that each end with CR LF.
    static func stuffed(_ content: [UInt8]) -> [UInt8] {
        let (dot, lf) = (UInt8(ascii: "."), UInt8(ascii: "\n"))
        var sent: [UInt8] = []
        sent.reserveCapacity(content.count + 64)
        var isAtStart = true
        for byte in content {
            if isAtStart, byte == dot { sent.append(dot) }
            sent.append(byte)
            isAtStart = byte == lf
        }
        return sent + ".\r\n".utf8
    }
}

/// The extensions that a server offers in its reply to EHLO, as far as they are used here.
struct SMTPExtensions: Hashable, Sendable {
    private(set) var startTLS = false
    private(set) var eightBit = false
    private(set) var utf8 = false
    private(set) var size = false
    /// The mechanisms of AUTH, in capitals.
    private(set) var authentication: Set<String> = []

    init() {}

    init(_ reply: SMTPServerReply) {
        for line in reply.lines.dropFirst() {
            let words = line.split(separator: " ").map { $0.uppercased() }
            switch words.first {
            case "STARTTLS": startTLS = true
            case "8BITMIME": eightBit = true
            case "SMTPUTF8": utf8 = true
            case "SIZE": size = true
            case "AUTH": authentication.formUnion(words.dropFirst())
            default: break
            }
        }
    }
}
