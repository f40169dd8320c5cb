import AccountDatabase
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
    let linkSecret: LinkSecret

    /// - Returns: nil where the service sends no mail.
    package init?(writer: MailWriter, at moment: Timestamp) {
        guard writer.isConfigured else { return nil }
        self.writer = writer
        id = writer.newID(at: moment)
        linkSecret = writer.newLinkSecret()
    }
}

extension SQLConnection {
    /// Writes the mail about a sign-in on a new device, and its link. For the transaction of the sign-in, which has locked
    /// the account.
    ///
    /// The mail goes where all mails of the account go, and not to the address of the identity that signed in: that may be
    /// somebody else's.
    /// - Parameters:
    ///   - account: as the sign-in's identity shows it.
    ///   - hasOtherIdentities: whether another identity's address may be that of the account.
    func enqueue(
        _ prepared: NewDeviceMail, about session: Session, of account: Account, hasOtherIdentities: Bool,
        from caller: Caller
    ) throws {
        let found =
            hasOtherIdentities
            ? try mailRecipient(of: account.id) : MailRecipient(of: account, identity: session.identityID)
        guard var recipient = found else { return }
        recipient.languages = caller.languages
        var values = [
            "happenedAt": session.createdAt.date.formatted(.iso8601),
            "link": prepared.writer.link(NewDeviceMail.path + prepared.linkSecret.rawValue),
        ]
        values["device"] = session.deviceName?.rawValue
        values["network"] = caller.address
        try enqueue(
            prepared.writer.mail(
                .newDevice, id: prepared.id, to: recipient, of: account.id, values: values, at: session.createdAt))
        try executeLater(
            .insertNotMeLink,
            [
                .hash(prepared.linkSecret.hash), .id(session.id), .id(account.id),
                .text(orNull: session.deviceName?.rawValue),
                .time(session.createdAt + NewDeviceMail.linkLifetime), .id(prepared.id),
            ])
    }
}

extension SQLStatement {
    /// No link where the mail was left out.
    fileprivate static let insertNotMeLink: Self = """
        INSERT INTO not_me_links (hash, session_id, account_id, device_name, expires_at)
        SELECT ?1, ?2, ?3, ?4, ?5 FROM mails WHERE id = ?6
        """
}
