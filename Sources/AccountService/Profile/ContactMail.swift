import AppleID
import AppleIDTypes
import Foundation

/// A link that a transaction may send to somebody, made beforehand.
///
/// Which address gets a mail shows in the transaction alone. A transaction that runs again makes the same mail.
struct ContactLink: Sendable {
    let token: ContactToken
    let mailID: MailID
    /// The languages of the person (BCP 47), the favorite first.
    let languages: [String]
    let writer: MailWriter

    /// The mail that asks the owner of an address to confirm it.
    func verification(of address: String, for account: AccountID, at moment: Timestamp) throws -> QueuedMail? {
        try writer.mail(
            .verifyAddress, id: mailID, to: recipient(MailRecipient(typed: address)), of: account,
            values: ["address": address, "link": writer.link("/contact/\(token.rawValue)")], at: moment)
    }

    /// The mail about a changed contact address.
    /// - Parameter address: the new one; nil where it was removed.
    func notice(
        of address: String?, to former: MailRecipient, for account: AccountID, at moment: Timestamp
    ) throws -> QueuedMail? {
        var values = [
            "happenedAt": moment.date.formatted(.iso8601),
            "link": writer.link("/contact/take-back/\(token.rawValue)"),
        ]
        values["address"] = address
        return try writer.mail(
            .addressChanged, id: mailID, to: recipient(former), of: account, values: values, at: moment)
    }

    private func recipient(_ recipient: MailRecipient) -> MailRecipient {
        var recipient = recipient
        recipient.languages = languages
        return recipient
    }
}
