import AccountMail
import AccountService
import Foundation
import TaskSignals

/// The settings of mail: the server that takes it, and what mail says of its sender.
struct MailServerSettings: Sendable {
    let server: SMTPServer
    /// The address that mail comes from.
    let from: String
    let sender: SMTPSender

    /// The server, for people.
    var address: String { "\(server.host):\(server.port)" }

    /// Reads ``Setting/mailURL`` and the settings that go with it; nil without a URL, and after a problem, which is
    /// reported.
    /// - Parameter serviceName: What people know the service by: the sender's name, if no setting has another.
    static func read(_ reader: inout SettingsReader, serviceName: String) -> Self? {
        let before = reader.problems.count
        let password = reader.secret(.mailPassword, lines: .one)
        let from = reader.text(.mailFrom)
        let fromName = reader.text(.mailFromName)
        let folder = reader.text(.mailTemplates)
        guard let url = reader.text(.mailURL) else {
            if [password?.text, from, fromName, folder].contains(where: { $0 != nil }), !reader.isRefused(.mailURL) {
                reader.report(.mailURL, "is missing: the mail server, since there are other settings of mail")
            }
            return nil
        }
        if from == nil, !reader.isRefused(.mailFrom) {
            reader.report(.mailFrom, "is missing: the address that mail comes from, such as accounts@example.com")
        }
        let server = value(&reader, .mailURL) { () throws(AccountMailError) in try SMTPServer(url) }
        let templates = value(&reader, .mailTemplates) { () throws(AccountMailError) in
            try MailTemplates(folder: folder.map { URL(filePath: $0) })
        }
        guard reader.problems.count == before, let server, let templates, let from else { return nil }
        do {
            return Self(
                server: server, from: from,
                sender: try SMTPSender(
                    server: server, password: password?.text, from: from, fromName: fromName ?? serviceName,
                    templates: templates))
        } catch let error as AccountMailError where error.code == .invalidSender {
            reader.report(.mailFrom, error.reason)
        } catch let error as AccountMailError where error.code == .passwordMismatch {
            reader.report(password == nil ? .mailPasswordFile : .mailURL, error.reason)
        } catch {
            reader.report(.mailURL, "mail cannot be sent: \(error)")
        }
        return nil
    }

    private static func value<Value>(
        _ reader: inout SettingsReader, _ setting: Setting, _ make: () throws(AccountMailError) -> Value
    ) -> Value? {
        do {
            return try make()
        } catch {
            reader.report(setting, error.reason)
            return nil
        }
    }
}

/// The sender of a running server, which takes over new settings between two mails.
final class ReplaceableMailSender: MailSender {
    private let sender: Lock<SMTPSender>

    init(_ sender: SMTPSender) {
        self.sender = Lock(sender)
    }

    func send(_ mail: Mail) async -> MailAnswer { await sender.withLock { $0 }.send(mail) }

    /// Takes over a sender, for mails that are begun from now on.
    func replace(with sender: SMTPSender) { self.sender.withLock { $0 = sender } }
}
