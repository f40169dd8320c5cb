import AccountDatabase
import Foundation

/// The mails about the deletion of an account, prepared before its transaction begins: only the transaction knows where
/// they go, and whether Apple must be asked for anything.
package struct DeletionMails: Sendable {
    fileprivate let writer: MailWriter
    fileprivate let begun: MailID
    fileprivate let done: MailID
    fileprivate let languages: [String]

    /// - Parameter languages: of the person who deletes the account (BCP 47), the favorite first. Without any, as where
    ///   somebody else deletes it, the mails are in the default language.
    /// - Returns: nil where the service sends no mail.
    package init?(writer: MailWriter, at moment: Timestamp, languages: [String] = []) {
        guard writer.isConfigured else { return nil }
        self.languages = languages
        self.writer = writer
        begun = writer.newID(at: moment)
        done = writer.newID(at: moment)
    }
}

extension SQLConnection {
    /// The address that mails about a deletion go to. It is asked for before the account is purged.
    func recipient(ofDeletionMails mails: DeletionMails?, of account: AccountID) throws -> MailRecipient? {
        guard let mails else { return nil }
        var recipient = try mailRecipient(of: account)
        recipient?.languages = mails.languages
        return recipient
    }

    /// Writes the mail that tells the end of a deletion. It waits, sealed, until the deletion is over, and goes with a
    /// deletion that is withdrawn.
    func enqueueDeletionDone(
        _ mails: DeletionMails?, to recipient: MailRecipient?, deletion: TokenHash, at moment: Timestamp
    ) throws {
        guard let mails, let recipient else { return }
        var mail = try mails.writer.mail(
            .deletionDone, id: mails.done, to: recipient, of: nil, values: values(at: moment), at: moment)
        mail?.deletion = deletion
        try enqueue(mail)
    }

    /// Writes the mail that tells of a deletion for which Apple is still to be asked. A deletion that is over at once is
    /// told by one mail.
    func enqueueDeletionBegun(_ mails: DeletionMails?, to recipient: MailRecipient?, at moment: Timestamp) throws {
        guard let mails, let recipient else { return }
        try enqueue(
            mails.writer.mail(
                .deletionBegun, id: mails.begun, to: recipient, of: nil, values: values(at: moment), at: moment))
    }

    private func values(at moment: Timestamp) -> [String: String] {
        ["happenedAt": moment.date.formatted(.iso8601)]
    }
}
