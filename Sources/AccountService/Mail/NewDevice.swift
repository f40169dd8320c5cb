import AccountDatabase
import AppleID
import AppleIDTypes
import Foundation

/// The mail about a sign-in on a new device, prepared before the sign-in's transaction begins: only the transaction knows
/// whether the device is new, and where the mail goes.
package struct NewDeviceMail: Sendable {
    /// How long the link in the mail is good.
    static let linkLifetime: Duration = .days(7)
    /// The path of the page that ends the session; the link's secret follows.
    package static let path = "/sessions/not-me/"

    let writer: MailWriter
    let id: MailID
    let link: NotMeLink

    /// - Returns: nil where the service sends no mail.
    package init?(writer: MailWriter, at moment: Timestamp) {
        guard writer.isConfigured else { return nil }
        self.writer = writer
        id = writer.newID(at: moment)
        link = NotMeLink(unchecked: writer.newLinkSecret())
    }
}

/// The secret in the link with which a person says that a sign-in was not theirs. Only its hash is kept.
package struct NotMeLink: Hashable, Sendable, Redacted {
    /// 32 bytes in base64url.
    package let secret: String

    fileprivate init(unchecked secret: String) {
        self.secret = secret
    }

    /// Takes the last part of a path that a browser sent; nil unless it has the form of a secret of ours.
    package init?(received text: some StringProtocol) {
        guard text.utf8.count == 43, Base64URL.decode(text) != nil else { return nil }
        secret = String(text)
    }

    var hash: TokenHash { TokenHash(of: secret) }
}

extension Sessions {
    /// The session that a link from a mail about a new device ends. It changes nothing, because programs that look at mail
    /// open links too.
    /// - Returns: nil for a link that is unknown or too old, and for a session that has ended.
    package func session(named link: NotMeLink) async throws -> Session? {
        let now = Timestamp(environment.now())
        guard let id = try await store.session(named: link.hash, at: now), let stored = try await store.session(id)
        else { return nil }
        return stored.ended == nil && now < stored.session.expiresAt ? stored.session : nil
    }

    /// Ends the session that a link names: the person says that the sign-in was not theirs. It needs no sign-in.
    /// - Returns: false for a link that is unknown or too old. A session that has ended before is as good.
    package func end(named link: NotMeLink, from caller: Caller) async throws -> Bool {
        let now = Timestamp(environment.now())
        let ending = SessionEnding(at: now, reason: .notMe, by: .account(through: nil, from: caller))
        guard let ended = try await store.endSession(named: link.hash, ending) else { return false }
        if let account = ended { bell.notify(account) }
        return true
    }
}

extension AccountTransactions {
    fileprivate func session(named link: TokenHash, at moment: Timestamp) async throws -> SessionID? {
        try await lookUp(.sessionOfLink, [.hash(link), .time(moment)]) { try $0.word(SessionID.self) }.first
    }

    /// - Returns: nil without such a link; else the account whose session this call has ended, if it has ended one.
    fileprivate func endSession(named link: TokenHash, _ ending: SessionEnding) async throws -> AccountID?? {
        try await write { connection in
            let id = try connection.first(.sessionOfLink, [.hash(link), .time(ending.at)]) {
                try $0.word(SessionID.self)
            }
            guard let id else { return nil }
            return .some(try connection.endSession(id, ending).first?.account)
        }
    }
}

extension SQLConnection {
    /// Writes the mail about a sign-in on a new device, and its link. For the transaction of the sign-in, which has locked
    /// the account.
    func enqueue(
        _ prepared: NewDeviceMail, about session: Session, of account: Account, from caller: Caller
    ) throws {
        guard var recipient = MailRecipient(of: account) else { return }
        recipient.language = caller.language
        var values = [
            "happenedAt": session.createdAt.date.formatted(.iso8601),
            "link": prepared.writer.link(NewDeviceMail.path + prepared.link.secret),
        ]
        values["device"] = session.deviceName?.rawValue
        values["network"] = caller.address
        try enqueue(
            prepared.writer.mail(
                .newDevice, id: prepared.id, to: recipient, of: account.id, values: values, at: session.createdAt))
        try executeLater(
            .insertNotMeLink,
            [
                .hash(prepared.link.hash), .id(session.id), .id(account.id),
                .time(session.createdAt + NewDeviceMail.linkLifetime), .id(prepared.id),
            ])
    }
}

extension SQLStatement {
    fileprivate static let sessionOfLink: Self = """
        SELECT session_id FROM not_me_links WHERE hash = ?1 AND expires_at > ?2
        """
    /// No link where the mail was left out.
    fileprivate static let insertNotMeLink: Self = """
        INSERT INTO not_me_links (hash, session_id, account_id, expires_at)
        SELECT ?1, ?2, ?3, ?4 FROM mails WHERE id = ?5
        """
}
