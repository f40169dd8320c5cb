import AccountDatabase
import AppleID
import AppleIDTypes
import Foundation

/// An email identity, with its password if it has one.
struct EmailIdentity: Sendable, Redacted {
    struct Password: Sendable {
        /// The hash, sealed.
        var sealed: [UInt8]
        /// Rises with each new password, also after a removal.
        var version: Int64
        var isOff: Bool
        var setAt: Timestamp
    }

    var id: IdentityID
    var accountID: AccountID
    /// As the person typed it.
    var address: String?
    var password: Password?
}

/// A mail about a password, prepared before its transaction begins: only the transaction knows whether it is sent.
struct PasswordMail: Sendable {
    let kind: Mail.Kind
    let writer: MailWriter
    let id: MailID
    let at: Timestamp
    let languages: [String]

    init(_ kind: Mail.Kind, writer: MailWriter, at moment: Timestamp, languages: [String]) {
        self.kind = kind
        self.writer = writer
        id = writer.newID(at: moment)
        at = moment
        self.languages = languages
    }

    /// The mail goes to the address that signs in, also where the account has another contact address.
    func mail(to identity: EmailIdentity, link path: String? = nil) throws -> QueuedMail? {
        guard let address = identity.address else { return nil }
        var recipient = MailRecipient(typed: address)
        recipient.languages = languages
        var values = ["happenedAt": at.date.formatted(.iso8601)]
        values["link"] = path.map(writer.link)
        return try writer.mail(kind, id: id, to: recipient, of: identity.accountID, values: values, at: at)
    }
}

/// All that a change of a password in a session writes.
struct PasswordChangeRecord: Sendable {
    var session: SessionID
    /// The current password, which was right; nil where there is none.
    var proven: ProvenPassword?
    /// The new password; nil where ``proven`` is the new one already, because the same change came before.
    var sealed: [UInt8]?
    var identity: IdentityID
    /// The person of the identity.
    var personHash: TokenHash
    var endsOthers: Bool
    /// The hashes of the address's look-up form, by which its links are found.
    var formHashes: [TokenHash]
    var caller: Caller
    var at: Timestamp
    var mail: PasswordMail
}

/// All that a reset by a link writes.
struct PasswordResetRecord: Sendable {
    var link: EmailLinkID
    let form: EmailForm
    let formHashes: [TokenHash]
    let failures: TokenHash
    let personHash: TokenHash
    let hash: PasswordHash
    let seal: Seal
    let caller: Caller
    let at: Timestamp
    let mail: PasswordMail

    init(
        link: StoredEmailLink, _ form: EmailForm, _ hashes: EmailFormHashes, hash: PasswordHash, seal: Seal,
        caller: Caller, at moment: Timestamp, mail: PasswordMail
    ) {
        self.link = link.id
        self.form = form
        formHashes = hashes.links(of: form)
        failures = hashes.failures(of: form)
        personHash = form.personHash
        self.hash = hash
        self.seal = seal
        self.caller = caller
        at = moment
        self.mail = mail
    }
}

/// A change of a password, in the words of audit and events.
enum PasswordNews {
    case set, changed, reset, removed, off

    fileprivate var event: AccountEvent.Kind {
        switch self {
        case .set: .passwordSet
        case .changed: .passwordChanged
        case .reset: .passwordReset
        case .removed: .passwordRemoved
        case .off: .passwordOff
        }
    }

    fileprivate var auditEvent: AuditEvent {
        switch self {
        case .set: .passwordSet
        case .changed: .passwordChanged
        case .reset: .passwordReset
        case .removed: .passwordRemoved
        case .off: .passwordOff
        }
    }
}

extension AccountTransactions {
    /// The email identity with this look-up form, with its password.
    func emailIdentity(of form: EmailForm) async throws -> EmailIdentity? {
        try await read { try $0.emailIdentity(of: form) }
    }

    /// Whether anybody signs in with an email address.
    func hasEmailIdentities() async throws -> Bool {
        try await read { try $0.returnsRow(.anyEmailIdentity, [.text(SignInRecord.Person.emailTeam)]) }
    }

    /// Signs a person in by a password that was right.
    ///
    /// Throws ``AccountError/Code/wrongCredentials``, and writes nothing, if the password has changed since it was
    /// checked; and like ``signIn(_:)``.
    func signIn(_ record: SignInRecord, with proven: ProvenPassword) async throws -> SignInOutcome {
        let keys = record.keys
        return try await write { connection in
            try connection.lock(person: keys.hash)
            // A change, a removal and the end of a password lock the account alone.
            if try !connection.lock(account: proven.identity.accountID) {
                // A merge may have moved the identity since the password was checked. None can now: it locks the person, too.
                guard let moved = try connection.emailIdentity(proven.identity.id),
                    try connection.lock(account: moved.accountID)
                else { throw AccountError.wrongCredentials }
            }
            try connection.use(proven)
            return try connection.signIn(record, keys)
        }
    }

    /// Renews the freshness of a session by a password that was right.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/sessionEnded``, and ``AccountError/Code/wrongCredentials`` like
    /// ``signIn(_:with:)``.
    func reauthenticate(
        _ session: SessionID, with proven: ProvenPassword, successor: SignInRecord.NewSession?, from caller: Caller
    ) async throws -> Session {
        try await write { connection in
            let former = try connection.lockedSession(session, at: proven.at).session
            guard former.identityID == proven.identity.id else {
                throw AccountError(.credentialMismatch, "The password is another person's.")
            }
            try connection.use(proven)
            return try connection.renew(
                former, successor: successor, authenticatedAt: proven.at, at: proven.at, from: caller)
        }
    }

    /// Gives the person of a session a new password.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/sessionEnded``, ``AccountError/Code/notByPassword`` if the
    /// account was upgraded since the session was read, and ``AccountError/Code/wrongCredentials`` if the password has
    /// changed since the current one was checked.
    func changePassword(_ change: PasswordChangeRecord) async throws {
        try await write { connection in
            // The links of an address belong to its person, who is locked before the account.
            if change.endsOthers { try connection.lock(person: change.personHash) }
            let session = try connection.lockedSession(change.session, at: change.at).session
            // An upgrade may have given the session Apple's identity.
            guard session.identityID == change.identity,
                let identity = try connection.emailIdentity(change.identity)
            else { throw AccountError.notByPassword }
            if let proven = change.proven {
                try connection.use(proven)
            } else if identity.password != nil {
                throw AccountError.wrongCredentials
            }
            let actor = AuditActor.account(through: session.id, from: change.caller)
            if let sealed = change.sealed {
                try connection.setPassword(of: identity.id, sealed: sealed, at: change.at)
                try connection.note(
                    identity.password == nil ? .set : .changed, of: identity.id, of: identity.accountID, at: change.at,
                    by: actor)
            }
            if change.endsOthers {
                try connection.endSessions(
                    of: identity.accountID, except: session.id,
                    SessionEnding(at: change.at, reason: .passwordChanged, by: actor))
                // The holder of another session may have asked for a link, or for another contact address.
                try connection.removeLinks(of: change.formHashes)
                try connection.cancelPendingContact(of: identity.accountID, unlessAskedIn: session.id, at: change.at)
            }
            if change.sealed != nil { try connection.enqueue(change.mail.mail(to: identity)) }
        }
    }

    /// Returns whether the password of an identity was set in a session.
    /// - Parameter moment: when it was set.
    func wasPasswordSet(
        of identity: EmailIdentity, in session: SessionID, at moment: Timestamp
    ) async throws -> Bool {
        // The id of an audit entry begins with its time in milliseconds.
        let ids = [moment, moment + .milliseconds(1)].map {
            AuditID(at: $0, randomness: Array(repeating: 0, count: 10))
        }
        return try await read { connection in
            try connection.returnsRow(
                .passwordSetInSession,
                [
                    .id(identity.accountID), .id(ids[0]), .id(ids[1]), .time(moment), .text(AuditEvent.passwordSet),
                    .text(AuditEvent.passwordChanged), .id(session), .id(identity.id),
                ])
        }
    }

    /// Sets a new password by a link, and ends all sessions.
    ///
    /// Throws ``AccountError/Code/linkUnknown``, and writes nothing, for a link that is used or too old.
    /// - Returns: the account.
    func finishReset(_ reset: PasswordResetRecord) async throws -> AccountID {
        try await write { connection in
            try connection.lock(person: reset.personHash)
            try connection.useLink(reset.link, at: reset.at)
            guard let identity = try connection.emailIdentity(of: reset.form),
                try connection.lock(account: identity.accountID)
            else { throw AccountError.linkUnknown }
            let sealed = try reset.seal.seal(Array(reset.hash.text.utf8), row: identity.id.rawValue)
            try connection.setPassword(of: identity.id, sealed: sealed, at: reset.at)
            // Somebody who opens the link reads the mail of the address. An import may not have proven that.
            try connection.execute(.proveAddress, [.id(identity.id), .flag(true)])
            try connection.forgetFailures(reset.failures)
            try connection.removeLinks(of: reset.formHashes)
            // Somebody who had a session may have asked for another contact address.
            try connection.cancelPendingContact(of: identity.accountID, at: reset.at)
            let actor = AuditActor.account(through: nil, from: reset.caller)
            try connection.note(.reset, of: identity.id, of: identity.accountID, at: reset.at, by: actor)
            try connection.endSessions(
                of: identity.accountID, SessionEnding(at: reset.at, reason: .passwordReset, by: actor))
            try connection.enqueue(reset.mail.mail(to: identity))
            return identity.accountID
        }
    }

    /// Removes the password of an account: links alone sign its person in then. Sessions go on.
    /// - Returns: false where there is none.
    func removePassword(of account: AccountID, at moment: Timestamp, by actor: AuditActor) async throws -> Bool {
        try await write { connection in
            guard try connection.lock(account: account),
                let identity = try connection.emailIdentity(of: account), identity.password != nil
            else { return false }
            try connection.removePassword(of: identity.id)
            try connection.note(.removed, of: identity.id, of: account, at: moment, by: actor)
            return true
        }
    }
}

extension SQLConnection {
    func emailIdentity(of form: EmailForm) throws -> EmailIdentity? {
        try first(
            .emailIdentityOfForm, [.text(SignInRecord.Person.emailTeam), .text(form.subject)]
        ) { try EmailIdentity(&$0) }
    }

    /// An account's email identity: it has one at most.
    func emailIdentity(of account: AccountID) throws -> EmailIdentity? {
        try first(.emailIdentityOfAccount, [.id(account)]) { try EmailIdentity(&$0) }
    }

    func emailIdentity(_ id: IdentityID) throws -> EmailIdentity? {
        try first(.emailIdentity, [.id(id)]) { try EmailIdentity(&$0) }
    }

    /// Uses a password that was right, unless it has changed or was turned off since.
    func use(_ proven: ProvenPassword) throws {
        let id = proven.identity.id
        guard let stored = try emailIdentity(id)?.password, stored.version == proven.version, !stored.isOff else {
            throw AccountError.wrongCredentials
        }
        if let rehashed = proven.rehashed {
            try execute(.rehash, [.id(id), .bytes(rehashed), .int64(proven.version)])
        }
        try forgetFailures(proven.attempt.account)
    }

    /// Sets the password of an identity, in place of an older one. It is on.
    func setPassword(of identity: IdentityID, sealed: [UInt8], at moment: Timestamp) throws {
        eraseRemoved()
        try execute(.setPassword, [.id(identity), .bytes(sealed), .time(moment), .flag(false)])
    }

    func removePassword(of identity: IdentityID) throws {
        eraseRemoved()
        try execute(.removePassword, [.id(identity)])
    }

    /// Tells audit and events what happened to a password. For a transaction that has raised the account's revision.
    func note(
        _ news: PasswordNews, of identity: IdentityID, of account: AccountID, at moment: Timestamp, by actor: AuditActor
    ) throws {
        try append(
            AuditEntry(news.auditEvent, at: moment, by: actor, account: account, subject: identity.rawValue))
        try appendEvent(news.event, of: account, at: moment, about: identity.rawValue)
    }
}

extension EmailIdentity {
    fileprivate init(_ columns: inout SQLColumns) throws {
        try self.init(id: columns.word(), accountID: columns.word(), address: columns.optionalText())
        guard let sealed = try columns.optionalBytes() else { return }
        password = try Password(
            sealed: sealed, version: columns.int64(), isOff: columns.flag(), setAt: columns.time())
    }
}

extension SQLStatement {
    private static let emailIdentities: Self = """
        SELECT i.id, i.account_id, i.email, p.sealed, p.version, p.is_off, p.set_at
        FROM identities i LEFT JOIN passwords p ON p.identity_id = i.id
        WHERE i.provider = 'email' AND i.removed_at IS NULL
        """
    fileprivate static let emailIdentityOfForm: Self = "\(emailIdentities) AND i.team = ?1 AND i.subject = ?2"
    fileprivate static let emailIdentityOfAccount: Self = "\(emailIdentities) AND i.account_id = ?1"
    fileprivate static let emailIdentity: Self = "\(emailIdentities) AND i.id = ?1"
    fileprivate static let anyEmailIdentity: Self = "\(emailIdentities) AND i.team = ?1 LIMIT 1"
    /// A version is the time at which the password was set, or one more than the former version: a password that is set
    /// after its removal has another version than the removed one.
    fileprivate static let setPassword: Self = """
        INSERT INTO passwords (identity_id, sealed, version, set_at, is_off) VALUES (?1, ?2, ?3, ?3, ?4)
        ON CONFLICT (identity_id) DO UPDATE SET sealed = excluded.sealed,
            version = CASE WHEN passwords.version < excluded.version THEN excluded.version
                ELSE passwords.version + 1 END,
            set_at = excluded.set_at, is_off = excluded.is_off
        """
    fileprivate static let passwordSetInSession: Self = """
        SELECT 1 FROM audit WHERE account_id = ?1 AND id >= ?2 AND id < ?3 AND happened_at = ?4 AND event IN (?5, ?6)
            AND session_id = ?7 AND subject = ?8
        """
    /// Notes that the owner of the address of an email identity has read a mail there.
    static let proveAddress: Self = """
        UPDATE identities SET email_verified = ?2 WHERE id = ?1 AND email_verified <> ?2
        """
    fileprivate static let rehash: Self = "UPDATE passwords SET sealed = ?2 WHERE identity_id = ?1 AND version = ?3"
    fileprivate static let removePassword: Self = "DELETE FROM passwords WHERE identity_id = ?1"
}
