import AppleID
import AppleIDTypes
import Foundation

/// A mail about a contact address that a transaction may send, prepared before the transaction begins: only the transaction
/// knows which address gets it. A transaction that runs again makes the same mail.
struct ContactMail: Sendable {
    /// The secret in the link that the mail has.
    let secret: LinkSecret
    let mailID: MailID
    /// The languages of the person (BCP 47), the favorite first.
    let languages: [String]
    let writer: MailWriter

    /// The mail that asks the owner of an address to confirm it.
    func verifyAddress(_ address: String, for account: AccountID, at moment: Timestamp) throws -> QueuedMail? {
        try writer.mail(
            .verifyAddress, id: mailID, to: recipient(MailRecipient(typed: address)), of: account,
            values: ["address": address, "link": writer.link("/contact/\(secret.rawValue)")], at: moment)
    }

    /// The mail about a changed contact address.
    /// - Parameter address: the new one; nil where it was removed.
    func addressChanged(
        to address: String?, tell former: MailRecipient, for account: AccountID, at moment: Timestamp
    ) throws -> QueuedMail? {
        var values = [
            "happenedAt": moment.date.formatted(.iso8601),
            "link": writer.link("/contact/take-back/\(secret.rawValue)"),
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
