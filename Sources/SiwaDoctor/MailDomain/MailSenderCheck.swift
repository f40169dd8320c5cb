import CommandIO

/// The service's own mail, as `siwa serve` would send it.
package struct ExaminedMail: Sendable {
    /// The address that mail comes from.
    let from: String
    /// The mail server, for people: a host and a port.
    let server: String
    /// Connects to the server, begins TLS and signs in, without a mail.
    let ask: @Sendable () async -> MailServerAnswer

    package init(from: String, server: String, ask: @escaping @Sendable () async -> MailServerAnswer) {
        self.from = from
        self.server = server
        self.ask = ask
    }

    /// The part of the address behind the `@`.
    var domain: String { String(from.split(separator: "@").last ?? "").lowercased() }
}

/// The outcome of a conversation with a mail server that sends no mail.
package enum MailServerAnswer: Sendable, Hashable {
    /// The server would take a mail.
    /// - Parameters:
    ///   - isEncrypted: whether the connection has TLS.
    ///   - isSignedIn: whether the server has taken a user and a password.
    case ready(isEncrypted: Bool, isSignedIn: Bool)
    /// The conversation failed, with the word that a mail would have as its failure, such as `tls_failed`.
    case failed(String)
}

/// Looks at the mail server of the service, and says what to register with Apple.
struct MailSenderCheck {
    private static let server = "mail server"
    private static let source = "email source"

    let mail: ExaminedMail

    func findings() async -> [Finding] { [finding(for: await mail.ask()), registration] }

    private func finding(for answer: MailServerAnswer) -> Finding {
        switch answer {
        case .ready(let isEncrypted, let isSignedIn):
            let tls = isEncrypted ? "with TLS" : "without TLS, on this machine"
            let user = isSignedIn ? ", and takes user and password" : ""
            return .passed(Self.server, "\(mail.server) answers, \(tls)\(user)")
        case .failed(let code):
            return .failed(
                Self.server, "mail_server_\(code)",
                "\(mail.server): \(Self.explanations[code]?.text ?? TextForPeople.quoted(code, limit: 80))",
                hint: Self.explanations[code]?.hint ?? "siwa mail test ADDRESS tries with a mail")
        }
    }

    private static let explanations: [String: (text: String, hint: String)] = [
        "connection_failed": (
            "nobody answers, or the connection was cut",
            "are host and port right, and may this machine connect to them? Many networks close port 25; 465 and 587 are open"
        ),
        "timed_out": (
            "there was no answer in time", "a firewall that drops packets looks like this; try another port"
        ),
        "tls_failed": (
            "TLS cannot be begun, or the certificate isn't good for this host",
            "openssl s_client -connect HOST:PORT (with -starttls smtp for smtp://) shows the certificate"
        ),
        "starttls_missing": (
            "the server offers no STARTTLS, so the mail would cross the network in the clear",
            "use smtps:// with port 465, or another server"
        ),
        "authentication_failed": (
            "the server refuses user or password",
            "the user is the part of --mail-url before @; many servers want a password made for programs"
        ),
    ]

    /// Apple's portal shows it to people alone.
    private var registration: Finding {
        Finding(
            name: Self.source, outcome: .skipped, code: "email_source_not_checked",
            explanation: "Apple's relay takes mail from registered senders alone, and tells nobody which these are",
            hints: [
                Finding.Hint(
                    text: "register \(mail.domain), or \(mail.from) alone: developer portal, Services, "
                        + "Sign in with Apple for Email Communication")
            ])
    }
}
