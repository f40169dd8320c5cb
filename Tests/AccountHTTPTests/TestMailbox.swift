import AccountService
import Foundation
import TaskSignals
import Testing

/// A mail server that takes every mail, and keeps it for the test.
final class TestMailbox: MailSender {
    private let taken = Lock<[Mail]>([])

    func send(_ mail: Mail) async -> MailAnswer {
        taken.withLock { $0.append(mail) }
        return .delivered
    }

    var mails: [Mail] { taken.withLock { $0 } }
}

extension TestService {
    /// Sends what waits, and returns the mails of a kind, the oldest first.
    func mails(_ kind: Mail.Kind) async throws -> [Mail] {
        // A mail with a link is written after the answer to the request.
        await domain.finishing.idle()
        try await domain.mailDelivery.drain()
        return mailbox.mails.filter { $0.kind == kind }
    }

    /// The path of the link in the newest mail of a kind.
    func link(_ kind: Mail.Kind) async throws -> String {
        let link = try #require(try await mails(kind).last?.values["link"])
        try #require(link.hasPrefix(Self.publicURL + "/"))
        return String(link.dropFirst(Self.publicURL.count))
    }
}
