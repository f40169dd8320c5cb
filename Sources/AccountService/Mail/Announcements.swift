import AccountDatabase
import AppleIDTypes

/// A word of the service's team to its people.
package struct Announcement: Sendable, Redacted {
    /// The operator's name for it, such as `2027-terms`. An account gets an announcement of one name once.
    package struct Name: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        /// Takes 1 to 40 lowercase letters, digits and `-`; nil for another text.
        package init?(rawValue: String) {
            let isName = rawValue.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
            guard (1...40).contains(rawValue.utf8.count), isName else { return nil }
            self.rawValue = rawValue
        }
    }

    package var name: Name
    package var subject: String
    package var text: String
    /// The language of the text (BCP 47), for the words around it; nil takes the default.
    package var language: String?

    package init(name: Name, subject: String, text: String, language: String? = nil) {
        self.name = name
        self.subject = subject
        self.text = text
        self.language = language
    }
}

/// What became of an announcement, in accounts.
package struct AnnouncementOutcome: Hashable, Sendable {
    /// The accounts whose mail was put into the queue, or would be.
    package var queued = 0
    /// The accounts to which an announcement of this name has gone before.
    package var toldBefore = 0
    /// The accounts without an address that mail can go to.
    package var withoutAddress = 0
    /// The accounts that are disabled, which get none unless they are named.
    package var disabled = 0
}

extension MailQueue {
    /// Accounts that are told in one transaction, so that no sign-in waits long behind it.
    private static let batchSize = 200

    /// Puts an announcement for every account into the queue, or for one.
    ///
    /// An interrupted run can be repeated: an account that has the announcement in its queue, or had it sent, gets no
    /// second one.
    /// - Parameters:
    ///   - account: nil for every account that is not disabled.
    ///   - isDryRun: whether accounts are counted only.
    ///   - progress: told how many accounts were looked at, of about how many.
    /// - Throws: ``AccountError/Code/requestInvalid`` when there is no such account.
    package func announce(
        _ announcement: Announcement, to account: AccountID? = nil, isDryRun: Bool = false,
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> AnnouncementOutcome {
        var outcome = AnnouncementOutcome()
        let moment = now
        if let account {
            guard let record = try await store.account(account) else {
                throw AccountError(.requestInvalid, "there is no such account", field: nil)
            }
            try await announce(announcement, to: [record], at: moment, isDryRun, &outcome)
        } else {
            let total = try await store.accountCount()
            var (done, last) = (0, AccountID?.none)
            while true {
                let page = try await store.accounts(after: last, limit: Self.batchSize)
                guard let end = page.last else { break }
                outcome.disabled += page.count { $0.disabledAt != nil }
                try await announce(
                    announcement, to: page.filter { $0.disabledAt == nil }, at: moment, isDryRun, &outcome)
                (done, last) = (done + page.count, end.id)
                progress(min(done, total), total)
                try Task.checkCancellation()
            }
        }
        if !isDryRun {
            try await store.append(
                AuditEntry(
                    .announced, at: moment, by: .operator, account: account, subject: announcement.name.rawValue))
        }
        return outcome
    }

    private func announce(
        _ announcement: Announcement, to accounts: [AccountRecord], at moment: Timestamp, _ isDryRun: Bool,
        _ outcome: inout AnnouncementOutcome
    ) async throws {
        let values = ["subject": announcement.subject, "text": announcement.text]
        guard let writer else { throw AccountError(.configuration, "an announcement needs the keys of the server") }
        var mails: [(account: AccountID, mail: QueuedMail)] = []
        for account in accounts {
            guard var recipient = MailRecipient(of: account) else {
                outcome.withoutAddress += 1
                continue
            }
            recipient.language = announcement.language
            let mail = try writer.mail(
                .announcement, id: writer.newID(at: moment), to: recipient, of: account.id, values: values, at: moment)
            if let mail { mails.append((account.id, mail)) }
        }
        let queued = try await store.announce(announcement.name, mails, at: moment, isDryRun: isDryRun)
        outcome.queued += queued
        outcome.toldBefore += mails.count - queued
    }
}

extension AccountTransactions {
    /// - Returns: how many mails were put into the queue, or would be.
    fileprivate func announce(
        _ name: Announcement.Name, _ mails: [(account: AccountID, mail: QueuedMail)], at moment: Timestamp,
        isDryRun: Bool
    ) async throws -> Int {
        guard !isDryRun else {
            return try await read { connection in
                try mails.count { try !connection.returnsRow(.findAnnounced, [.text(name), .id($0.account)]) }
            }
        }
        return try await write { connection in
            let end = moment + MailRules.announcementMemory
            // An account that has gone since gets none.
            let notes = try mails.map { try SQLStep(.noteAnnounced, [.text(name), .id($0.account), .time(end)]) }
            let fresh = try connection.run(notes)
            for (index, entry) in mails.enumerated() where fresh[index] > 0 { try connection.enqueue(entry.mail) }
            return fresh.count { $0 > 0 }
        }
    }
}

extension SQLConnection {
    /// The names of the announcements that an account was sent.
    func announcements(to account: AccountID) throws -> [String] {
        try query(.announcementsTo, [.id(account)]) { try $0.text() }
    }
}

extension SQLStatement {
    fileprivate static let announcementsTo: Self = """
        SELECT announcement FROM announced WHERE account_id = ?1 ORDER BY announcement
        """
    fileprivate static let findAnnounced: Self = """
        SELECT account_id FROM announced WHERE announcement = ?1 AND account_id = ?2
        """
    fileprivate static let noteAnnounced: Self = """
        INSERT INTO announced (announcement, account_id, expires_at)
        SELECT ?1, id, ?3 FROM accounts WHERE id = ?2
        ON CONFLICT (announcement, account_id) DO NOTHING
        """
}
