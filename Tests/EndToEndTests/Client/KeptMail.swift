import AccountService
import Foundation
import TaskSignals

/// A mail server that takes every mail, and keeps it for the test.
final class KeptMail: MailSender {
    private let taken = Lock<[Mail]>([])

    func send(_ mail: Mail) async -> MailAnswer {
        taken.withLock { $0.append(mail) }
        return .delivered
    }

    /// The paths of the links in the mails of a kind, oldest first.
    func links(of kind: Mail.Kind) -> [String] {
        taken.withLock { $0 }.filter { $0.kind == kind }
            .compactMap { $0.values["link"] }.compactMap { URL(string: $0)?.path() }
    }
}
