/// A line from a sender, outside of a message (RFC 5321 §4.1).
@available(siwaServer 1.0, *)
enum SMTPCommand: Hashable, Sendable {
    case hello(isExtended: Bool)
    case mail(Envelope)
    case recipient(Envelope)
    case data
    case reset
    case nothing
    case quit
    case verify
    case help
    /// A command that exists, but that this server doesn't have.
    case notImplemented
    case unknown
    /// A command of this server, with arguments that it can't have.
    case wrong

    /// The argument after `FROM:` or `TO:`.
    struct Envelope: Hashable, Sendable {
        /// Between the angle brackets; may be empty.
        let path: String
        /// The parameters by name in capitals.
        let parameters: [String: String?]
    }

    init(_ line: [UInt8]) {
        guard let text = String(validating: line, as: UTF8.self) else {
            self = .unknown
            return
        }
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let argument = parts.count > 1 ? parts[1].trimmingSpaces : ""
        switch (parts[0].uppercased(), argument.isEmpty) {
        case ("HELO", false): self = .hello(isExtended: false)
        case ("EHLO", false): self = .hello(isExtended: true)
        case ("MAIL", false): self = Self.envelope(argument, "FROM:").map { .mail($0) } ?? .wrong
        case ("RCPT", false): self = Self.envelope(argument, "TO:").map { .recipient($0) } ?? .wrong
        case ("DATA", true): self = .data
        case ("RSET", true): self = .reset
        case ("NOOP", _): self = .nothing
        case ("QUIT", true): self = .quit
        case ("VRFY", false): self = .verify
        case ("HELP", _): self = .help
        case ("EXPN", _), ("TURN", _), ("STARTTLS", _), ("AUTH", _), ("BDAT", _), ("ETRN", _): self = .notImplemented
        case ("HELO", _), ("EHLO", _), ("MAIL", _), ("RCPT", _), ("DATA", _), ("RSET", _), ("QUIT", _), ("VRFY", _):
            self = .wrong
        default: self = .unknown
        }
    }

    private static func envelope(_ text: Substring, _ word: String) -> Envelope? {
        guard text.prefix(word.count).uppercased() == word else { return nil }
        // A space before the bracket is against the RFC, and common.
        let rest = text.dropFirst(word.count).trimmingSpaces
        guard rest.first == "<", let end = rest.firstIndex(of: ">") else { return nil }
        let tail = rest[rest.index(after: end)...]
        guard tail.isEmpty || tail.first == " " else { return nil }
        var parameters: [String: String?] = [:]
        for parameter in tail.split(separator: " ") {
            let parts = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value: String? = parts.count > 1 ? String(parts[1]) : nil
            guard parameters.updateValue(value, forKey: parts[0].uppercased()) == nil else { return nil }
        }
        return Envelope(path: String(rest[rest.index(after: rest.startIndex)..<end]), parameters: parameters)
    }
}
