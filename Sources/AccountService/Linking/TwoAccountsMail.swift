import AccountDatabase
import AppleIDTypes

/// A mail about two accounts that have one address, prepared before its transaction begins: only the transaction knows
/// whether there is another account.
struct TwoAccountsMail: Sendable {
    /// The path of the page with the ways in to an account.
    static let path = "/account/links"
    /// The greatest number of other accounts that are looked at.
    static let maximumListLength = 10

    let writer: MailWriter
    let id: MailID
    let at: Timestamp
    let languages: [String]

    /// - Returns: nil where the service sends no mail.
    init?(writer: MailWriter, at moment: Timestamp, languages: [String]) {
        guard writer.isConfigured else { return nil }
        self.writer = writer
        id = writer.newID(at: moment)
        at = moment
        self.languages = languages
    }

    fileprivate func mail(to address: String, of account: AccountID) throws -> QueuedMail? {
        var recipient = MailRecipient(typed: address)
        recipient.languages = languages
        var values = ["address": address]
        values["link"] = writer.linkToWaysIn
        return try writer.mail(.twoAccounts, id: id, to: recipient, of: account, values: values, at: at)
    }
}

extension SQLConnection {
    /// Tells an address that it is verified in two accounts, once for each pair of accounts. Nothing joins the accounts.
    ///
    /// The mail goes to the address that both have, so nobody else learns of the accounts.
    /// - Parameters:
    ///   - person: somebody whose address has just been added to an account.
    ///   - account: the account, which the transaction has locked.
    func tellOfTwoAccounts(_ prepared: TwoAccountsMail?, _ person: SignInRecord.Person, of account: AccountID) throws {
        guard let address = person.email, person.emailVerified, !person.isPrivateEmail else { return }
        try tellOfTwoAccounts(prepared, address: address, of: account)
    }

    /// Like ``tellOfTwoAccounts(_:_:of:)``, for an address that is verified.
    func tellOfTwoAccounts(_ prepared: TwoAccountsMail?, address: String, of account: AccountID) throws {
        guard let prepared, let form = EmailForm(of: address), !MailRecipient(typed: address).isRelay else { return }
        var others = try accountsOfProvidersOrContact(address, form)
        if let identity = try emailIdentity(of: form) { others.append(identity.accountID) }
        var isNews = false
        for other in Set(others.prefix(TwoAccountsMail.maximumListLength)).sorted(by: { $0.rawValue < $1.rawValue })
        where other != account {
            let (first, second) = other.rawValue < account.rawValue ? (other, account) : (account, other)
            let isNew = try execute(.insertPair, [.id(first), .id(second), .time(prepared.at)]) > 0
            isNews = isNews || isNew
        }
        if isNews { try enqueue(prepared.mail(to: address, of: account)) }
    }
}

extension SQLStatement {
    fileprivate static let insertPair: Self = """
        INSERT INTO account_pairs (first_id, second_id, told_at) VALUES (?1, ?2, ?3)
        ON CONFLICT (first_id, second_id) DO NOTHING
        """
}
