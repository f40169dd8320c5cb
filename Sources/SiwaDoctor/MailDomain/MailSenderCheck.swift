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

/// Checks the service's mail server, and reports what to register with Apple.
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
            // A reply to user and password, or another word of the server's.
            let known = Self.explanations[code] ?? (code.hasPrefix("smtp_53") ? Self.refusedUser : nil)
            return .failed(
                Self.server, known == nil ? "mail_server_refused" : "mail_server_\(known?.code ?? code)",
                "\(mail.server): \(known?.text ?? "it refuses") (\(TextForPeople.quoted(code, limit: 80)))",
                hint: known?.hint ?? "siwa mail test ADDRESS tries with a mail; the server's own log says more")
        }
    }

    private struct Explanation {
        /// The finding's code; nil for the failure's own word.
        var code: String?
        let text, hint: String
    }

    private static let refusedUser = Explanation(
        code: "authentication_failed", text: "the server refuses user or password",
        hint: "the user is the part of --mail-url before @; many servers want a password made for programs")

    private static let reachability =
        "are host and port right, and may this machine connect to them? Many networks close port 25; 465 and 587 are open"
    private static let certificate =
        "openssl s_client -connect HOST:PORT shows the certificate, for smtp:// with -starttls smtp"

    private static let explanations: [String: Explanation] = [
        "connection_failed": Explanation(text: "nobody answers", hint: reachability),
        "connection_lost": Explanation(text: "the connection was cut", hint: reachability),
        "timed_out": Explanation(text: "there was no answer in time", hint: reachability),
        "protocol_error": Explanation(
            text: "what answers is no mail server",
            hint: "smtps:// is for ports with TLS from the first byte, such as 465, and smtp:// for the others"),
        "tls_not_offered": Explanation(
            text: "the server offers no STARTTLS, so the mail would cross the network in the clear",
            hint: "use smtps:// with port 465, or another server"),
        "plain_text_before_tls": Explanation(
            text: "something came in the clear behind the reply to STARTTLS", hint: "use smtps:// with port 465"),
        "tls_failed": Explanation(text: "TLS cannot be begun", hint: certificate),
        "certificate_not_trusted": Explanation(
            text: "this machine does not trust the server's certificate", hint: certificate),
        "certificate_wrong_host": Explanation(
            text: "the server's certificate is for another host", hint: "name the host as the certificate does"),
        "authentication_not_offered": Explanation(
            text: "the server takes no password by PLAIN or LOGIN", hint: "does another port of it, such as 465 or 587?"
        ),
        "authentication_failed": refusedUser,
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
