import AccountDatabase
import AppleIDTypes

/// A mail from the service's team to all accounts, or to one.
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
    /// Whether it is for those alone who sign in with an address and have no password, as after an import.
    package var isForMissingPasswords = false

    package init(name: Name, subject: String, text: String, language: String? = nil) {
        self.name = name
        self.subject = subject
        self.text = text
        self.language = language
    }
}

/// The outcome of an announcement, in numbers of accounts.
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

extension MailAdministration {
    /// Puts an announcement for every account into the queue, or for one.
    ///
    /// An interrupted run can be repeated: an account that has the announcement in its queue, or had it sent, gets no
    /// second one. A cancelled task ends between two transactions, each of which tells a few accounts.
    /// - Parameters:
    ///   - account: nil for every account that is not disabled.
    ///   - isDryRun: whether accounts are counted only.
    ///   - progress: told how many accounts were looked at, of about how many.
    /// - Throws: ``AccountError/Code/requestInvalid`` when there is no such account.
    package func announce(
        _ announcement: Announcement, to account: AccountID? = nil, isDryRun: Bool = false,
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> AnnouncementOutcome {
        guard let writer else { throw AccountError(.configuration, "an announcement needs the keys of the server") }
        var batch = AnnouncementBatch(announcement: announcement, moment: now, writer: writer, named: account)
        guard account == nil else {
            let told = try await store.announce(batch, isDryRun: isDryRun)
            guard !told.accounts.isEmpty else {
                throw AccountError(.requestInvalid, "there is no such account", field: nil)
            }
            return told.outcome
        }
        let total = try await store.accountCount()
        var (outcome, done) = (AnnouncementOutcome(), 0)
        while true {
            try Task.checkCancellation()
            let told = try await store.announce(batch, isDryRun: isDryRun)
            guard let last = told.accounts.last else { return outcome }
            outcome.add(told.outcome)
            (batch.last, done) = (last, done + told.accounts.count)
            progress(min(done, total), total)
        }
    }
}

extension ListedAccount {
    /// The address of a person who signs in with one and has no password.
    fileprivate var addressWithoutPassword: String? {
        identities.first { $0.provider == IdentityProvider.email.rawValue && $0.passwordSetAt == nil }?.email
    }
}

extension AnnouncementOutcome {
    fileprivate mutating func add(_ other: Self) {
        queued += other.queued
        toldBefore += other.toldBefore
        withoutAddress += other.withoutAddress
        disabled += other.disabled
    }
}

/// The accounts that one transaction tells.
private struct AnnouncementBatch: Sendable {
    /// Accounts that are told in one transaction. Their sign-ins, and on SQLite all sign-ins, wait until it is over.
    private static let size = 50

    let announcement: Announcement
    /// The beginning of the whole run.
    let moment: Timestamp
    let writer: MailWriter
    /// The only account that is told; nil for all, batch by batch.
    let named: AccountID?
    /// The last account of the batch before.
    var last: AccountID?

    /// The outcome of a batch.
    struct Told {
        var accounts: [AccountID]
        var outcome = AnnouncementOutcome()
    }

    private func page(on connection: any SQLConnection) throws -> [ListedAccount] {
        if let named { return try connection.account(named).map { [$0] } ?? [] }
        return try connection.accounts(after: last, limit: Self.size)
    }

    /// Tells the accounts, each at the address that it has in this transaction. The accounts are locked before they are
    /// read: otherwise the deletion of one, or a change of its address, could pass by the mail that is written here. The
    /// first batch appends the run to the audit, so that it shows even if the run is interrupted.
    func run(on connection: any SQLConnection, isDryRun: Bool) throws -> Told {
        var page = try page(on: connection)
        var told = Told(accounts: page.map(\.id))
        if !isDryRun {
            try connection.lock(accounts: told.accounts)
            let locked = Set(told.accounts)
            page = try self.page(on: connection).filter { locked.contains($0.id) }
        }
        var mails: [(account: AccountID, mail: QueuedMail)] = []
        for account in page where !announcement.isForMissingPasswords || account.addressWithoutPassword != nil {
            guard named != nil || account.disabledAt == nil else {
                told.outcome.disabled += 1
                continue
            }
            guard let recipient = recipient(of: account) else {
                told.outcome.withoutAddress += 1
                continue
            }
            if let mail = try mail(to: recipient, of: account.id) { mails.append((account.id, mail)) }
        }
        let queued = try isDryRun ? count(mails, on: connection) : enqueue(mails, on: connection)
        (told.outcome.queued, told.outcome.toldBefore) = (queued, mails.count - queued)
        let isFirst = last == nil && (named == nil || !page.isEmpty)
        if isFirst, !isDryRun {
            try connection.append(
                AuditEntry(.announced, at: moment, by: .operator, account: named, subject: announcement.name.rawValue))
        }
        return told
    }

    /// A person who must choose a new password may have an address that nobody has proven yet. The mail is for its owner.
    private func recipient(of account: ListedAccount) -> MailRecipient? {
        if let recipient = MailRecipient(of: account) { return recipient }
        guard announcement.isForMissingPasswords else { return nil }
        return account.addressWithoutPassword.map { MailRecipient(typed: $0) }
    }

    private func mail(to recipient: MailRecipient, of account: AccountID) throws -> QueuedMail? {
        var recipient = recipient
        recipient.languages = announcement.language.map { [$0] } ?? []
        return try writer.mail(
            .announcement, id: writer.newID(at: moment), to: recipient, of: account,
            values: ["subject": announcement.subject, "text": announcement.text], at: moment)
    }

    private func count(
        _ mails: [(account: AccountID, mail: QueuedMail)], on connection: any SQLConnection
    ) throws -> Int {
        try mails.count { try !connection.returnsRow(.findAnnounced, [.text(announcement.name), .id($0.account)]) }
    }

    private func enqueue(
        _ mails: [(account: AccountID, mail: QueuedMail)], on connection: any SQLConnection
    ) throws -> Int {
        let end = moment + MailRules.announcementRetention
        // An account that has gone since gets none.
        let notes = try mails.map {
            try SQLStep(.noteAnnounced, [.text(announcement.name), .id($0.account), .time(end)])
        }
        let fresh = try connection.run(notes)
        for (index, entry) in mails.enumerated() where fresh[index] > 0 { try connection.enqueue(entry.mail) }
        return fresh.count { $0 > 0 }
    }
}

extension AccountTransactions {
    fileprivate func announce(_ batch: AnnouncementBatch, isDryRun: Bool) async throws -> AnnouncementBatch.Told {
        guard isDryRun else { return try await write { try batch.run(on: $0, isDryRun: false) } }
        return try await read { try batch.run(on: $0, isDryRun: true) }
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
