import AccountDatabase
package import AppleID
import AppleIDTypes
import Logging

/// Lists, retries and removes the mails that wait, and sends announcements, for an operator.
package struct MailAdministration: Sendable {
    /// Mails on a page of the list, at most.
    package static let pageLength = 100

    /// Parked mails that one transaction makes due.
    var retriesAtOnce = AccountTransactions.retriesAtOnce

    let store: AccountTransactions
    /// Nil without keys.
    let writer: MailWriter?
    /// Nil without keys.
    let content: MailSeal?
    let environment: AppleIDEnvironment

    init(
        store: AccountTransactions, writer: MailWriter, keyRing: KeyRingInUse, environment: AppleIDEnvironment
    ) {
        self.store = store
        self.writer = writer
        content = MailSeal(keyRing: keyRing)
        self.environment = environment
    }

    /// For a command that has the database and the keys, and no service.
    package init(
        store: AccountTransactions, keyRing: KeyRing, publicURL: PublicURL, environment: AppleIDEnvironment = .live
    ) {
        self.init(
            store: store, writer: MailWriter(publicURL: publicURL, keyRing: keyRing, environment: environment),
            keyRing: KeyRingInUse(keyRing), environment: environment)
    }

    /// For a command that has the database alone, without keys: lists, retries and removes mails, and opens no address.
    package init(store: AccountTransactions, environment: AppleIDEnvironment = .live) {
        self.store = store
        writer = nil
        content = nil
        self.environment = environment
    }

    /// For a command that lists mails with their addresses.
    package init(store: AccountTransactions, keyRing: KeyRing, environment: AppleIDEnvironment = .live) {
        self.store = store
        writer = nil
        content = MailSeal(keyRing: KeyRingInUse(keyRing))
        self.environment = environment
    }

    var now: Timestamp { Timestamp(environment.now()) }

    /// The mails in the queue, oldest first: at most ``pageLength`` after one.
    /// - Parameters:
    ///   - state: nil for all.
    ///   - after: the last mail of the page before; nil begins with the oldest.
    ///   - showsRecipients: whether each mail's address is opened. An address that does not open is nil, and so are all
    ///     without keys.
    package func list(
        _ state: ListedMail.State? = nil, after: MailID? = nil, showsRecipients: Bool = false
    ) async throws -> [ListedMail] {
        try await store.mails(state, after: after, limit: Self.pageLength).map { mail, sealed in
            guard showsRecipients else { return mail }
            var mail = mail
            // A key that the ring lacks must not hide the rest of the list.
            mail.recipient = try? content?.open(sealed, of: mail.id).recipient
            return mail
        }
    }

    /// Makes a parked mail due again, or all of them. The service tries it as long as a new mail, but no longer than the link in it
    /// is good. A mail to a relay address is held instead while Apple forwards nothing to its person.
    /// - Parameter id: nil for every parked mail.
    /// - Returns: how many there were.
    package func retry(_ id: MailID? = nil) async throws -> Int {
        let moment = now
        if let id { return try await store.retryMails(id, at: moment, by: .operator).count }
        // One transaction for a hundred thousand mails would hold up the sign-ins behind it.
        var (count, last) = (0, MailID?.none)
        while true {
            let retried = try await store.retryMails(after: last, limit: retriesAtOnce, at: moment, by: .operator)
            guard let end = retried.max(by: { $0.rawValue < $1.rawValue }) else { return count }
            (count, last) = (count + retried.count, end)
            try Task.checkCancellation()
        }
    }

    /// Removes a mail from the queue, whatever its state: it is not sent, unless it is being sent at this moment.
    /// - Returns: false when there is none.
    package func remove(_ id: MailID) async throws -> Bool {
        try await store.removeMail(id, at: now, by: .operator)
    }
}

/// A mail in the queue, as its operator sees it.
package struct ListedMail: Hashable, Sendable, Redacted {
    /// Where a mail in the queue stands.
    package enum State: String, Hashable, Sendable, CaseIterable {
        /// The mail is sent, or tried again, at its time.
        case waiting
        /// The mail waits for an event, which makes it due: Apple's relay takes mail again, or the end of a deletion.
        ///
        /// A mail for the relay is tried once a day, unless Apple has said that it forwards no mail. A mail about a
        /// deletion, which the column `deletion_hash` names, isn't tried before.
        case held
        /// The mail is not tried any more until an operator says so.
        case parked
    }

    package var id: MailID
    package var kind: Mail.Kind
    package var state: State
    /// Nil for a mail about a deletion.
    package var account: AccountID?
    package var isRelayAddress: Bool
    /// How often the mail was begun.
    package var attempts: Int64
    package var createdAt: Timestamp
    /// Nil for a parked mail, and for one that waits for the end of a deletion, or for Apple to forward mail again.
    package var nextAttemptAt: Timestamp?
    /// Why the last attempt failed, in one word.
    package var failure: String?
    /// When the mail is removed from the queue, whatever its state.
    package var expiresAt: Timestamp
    /// Nil unless it was asked for.
    package var recipient: String?
}

extension AccountTransactions {
    fileprivate func mails(
        _ state: ListedMail.State?, after: MailID?, limit: Int
    ) async throws -> [(ListedMail, sealed: [UInt8])] {
        try await read { connection in
            let page: [SQLValue] = try [.text(after?.rawValue ?? ""), .int64(Int64(max(0, limit)))]
            let statement: SQLStatement = state == nil ? .mailsInQueue : .mailsInState
            return try connection.query(statement, page + (state.map { try [.text($0)] } ?? [])) { columns in
                let record = try ListedMail(&columns)
                return try (record, sealed: columns.bytes())
            }
        }
    }

    /// Makes one parked mail due.
    fileprivate func retryMails(_ id: MailID, at: Timestamp, by actor: AuditActor) async throws -> [MailID] {
        try await write { try $0.retryMails(.retryMail, [.id(id)], at: at, by: actor) }
    }

    /// Makes parked mails due, in the order of their ids: at most `limit` after one.
    fileprivate func retryMails(
        after last: MailID?, limit: Int, at: Timestamp, by actor: AuditActor
    ) async throws -> [MailID] {
        // No id is empty, so all come after this one.
        let page: [SQLValue] = try [.text(last?.rawValue ?? ""), .int64(Int64(max(1, limit)))]
        return try await write { try $0.retryMails(.retryMails, page, at: at, by: actor) }
    }

    fileprivate func removeMail(_ id: MailID, at: Timestamp, by actor: AuditActor) async throws -> Bool {
        try await write { connection in
            guard try connection.execute(.removeFromQueue, [.id(id)]) > 0 else { return false }
            connection.eraseRemoved()
            try connection.append(AuditEntry(.mailRemoved, at: at, by: actor, account: nil, subject: id.rawValue))
            return true
        }
    }
}

extension SQLConnection {
    /// - Parameter more: The parameters of the statement from the seventh on.
    fileprivate func retryMails(
        _ statement: SQLStatement, _ more: [SQLValue], at: Timestamp, by actor: AuditActor
    ) throws -> [MailID] {
        let values: [SQLValue] = try [
            .time(at), .time(at - MailRules.day), .duration(MailRules.day), .time(MailRules.untilReleased),
            .text(RelayFailure.forwardingOff.rawValue), .time(at + MailRules.lifetime),
        ]
        let ids = try query(statement, values + more) { try $0.word(MailID.self) }
        for id in ids {
            try append(AuditEntry(.mailRetried, at: at, by: actor, account: nil, subject: id.rawValue))
        }
        return ids
    }

    /// The mails of an account that wait, newest first; one more than an export shows, if there are so many.
    func mails(of account: AccountID) throws -> [ListedMail] {
        try query(.mailsOfAccount, [.id(account), .int64(Int64(AccountExport.maximumListLength + 1))]) {
            try ListedMail(&$0)
        }
    }
}

extension ListedMail {
    fileprivate init(_ columns: inout SQLColumns) throws {
        let (id, kind, state) = try (columns.word(MailID.self), columns.word(Mail.Kind.self), columns.word(State.self))
        let account = try columns.optionalText().map(AccountID.init(rawValue:))
        let (isRelay, attempts, createdAt) = try (columns.flag(), columns.int64(), columns.time())
        let (next, failure) = try (columns.time(), columns.optionalText())
        let expiresAt = try columns.time()
        self.init(
            id: id, kind: kind, state: state, account: account, isRelayAddress: isRelay, attempts: attempts,
            createdAt: createdAt, nextAttemptAt: state == .parked || next == MailRules.untilReleased ? nil : next,
            failure: failure, expiresAt: expiresAt)
    }
}

extension SQLStatement {
    private static let mailRecord: Self = """
        id, kind, state, account_id, is_relay, attempts, created_at, next_attempt_at, failure, expires_at
        """
    fileprivate static let mailsInQueue: Self = """
        SELECT \(mailRecord), sealed FROM mails WHERE id > ?1 ORDER BY id LIMIT ?2
        """
    fileprivate static let mailsInState: Self = """
        SELECT \(mailRecord), sealed FROM mails WHERE id > ?1 AND state = ?3 ORDER BY id LIMIT ?2
        """
    fileprivate static let mailsOfAccount: Self = """
        SELECT \(mailRecord) FROM mails WHERE account_id = ?1 ORDER BY id DESC LIMIT ?2
        """
    private static let makeDue: Self = """
        UPDATE mails SET leased_until = 0, waiting_since = \(firstTimeInQueue(from: "?1", since: "?2", day: "?3")),
            state = CASE WHEN \(isForwardingOff) THEN 'held' ELSE 'waiting' END,
            failure = CASE WHEN \(isForwardingOff) THEN ?5 ELSE failure END,
            expires_at = CASE WHEN kind IN \(kindsWithLink) THEN expires_at ELSE ?6 END,
            next_attempt_at = CASE WHEN \(isForwardingOff) THEN ?4
                ELSE \(firstTimeInQueue(from: "?1", since: "?2", day: "?3")) END
        WHERE state = 'parked' AND expires_at > ?1
        """
    fileprivate static let retryMails: Self = """
        \(makeDue) AND id IN (
            SELECT p.id FROM mails p WHERE p.state = 'parked' AND p.expires_at > ?1 AND p.id > ?7
            ORDER BY p.id LIMIT ?8)
        RETURNING id
        """
    fileprivate static let retryMail: Self = "\(makeDue) AND id = ?7 RETURNING id"
    fileprivate static let removeFromQueue: Self = "DELETE FROM mails WHERE id = ?1"
}
