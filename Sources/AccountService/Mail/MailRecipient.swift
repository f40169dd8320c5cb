import AccountDatabase
import AppleIDTypes

/// The address that an account's mails go to.
package struct MailRecipient: Hashable, Sendable, Redacted {
    package var address: String
    package var isRelay: Bool
    /// Whether Apple has said that it forwards no mail to this relay address.
    package var isForwardingOff: Bool
    /// The identity whose relay address this is; nil for any other address. Apple's word on its forwarding holds and
    /// releases the mail.
    package var identity: IdentityID?
    /// The person's languages (BCP 47), the favorite first; empty where nobody has said.
    package var languages: [String]

    /// Names an address, for a mail that goes to a certain one, such as one that is to be confirmed.
    package init(
        _ address: String, isRelay: Bool = false, isForwardingOff: Bool = false, identity: IdentityID? = nil,
        languages: [String] = []
    ) {
        self.address = address
        self.isRelay = isRelay
        self.isForwardingOff = isForwardingOff
        self.identity = identity
        self.languages = languages
    }

    /// The address of an identity: Apple's, with the facts that Apple tells of it, another provider's, or an email identity's.
    struct IdentityAddress {
        var identity: IdentityID
        var email: String?
        var isVerified: Bool
        var isRelay: Bool
        var access: AppleAccess
    }

    /// Chooses the address of an account: the contact address that the person confirmed, else one that a provider has
    /// verified or that the person signs in with. It prefers an identity whose access at Apple has not ended. This is the only
    /// place that chooses.
    /// - Parameter contactEmail: the confirmed contact address; nil where there is none.
    /// - Returns: nil for an account without such an address.
    init?(contactEmail: String?, identities: [IdentityAddress]) {
        if let contactEmail {
            self.init(typed: contactEmail)
            return
        }
        let verified = identities.filter { $0.isVerified && $0.email != nil }
        guard let chosen = verified.first(where: { $0.access.ended == nil }) ?? verified.first,
            let email = chosen.email
        else { return nil }
        guard chosen.isRelay else {
            self.init(typed: email)
            return
        }
        self.init(
            email, isRelay: chosen.isRelay, isForwardingOff: chosen.isRelay && chosen.access.forwardsEmail == false,
            identity: chosen.isRelay ? chosen.identity : nil)
    }

    /// Chooses the address of an account that has one identity, as its person sees it.
    init?(of account: Account, identity: IdentityID) {
        self.init(
            contactEmail: account.contactEmail,
            identities: [
                IdentityAddress(
                    identity: identity, email: account.email, isVerified: account.emailVerified,
                    isRelay: account.isPrivateEmail, access: account.appleAccess)
            ])
    }

    /// Chooses the address of an account as its operator sees it.
    package init?(of account: ListedAccount) {
        self.init(
            contactEmail: account.contactEmail,
            identities: account.identities.map {
                IdentityAddress(
                    identity: $0.id, email: $0.email, isVerified: $0.emailVerified, isRelay: $0.isPrivateEmail,
                    access: $0.access)
            })
    }
}

extension MailRecipient {
    /// The domains in which Apple's private relay has its addresses alone. `icloud.com` has addresses of either kind.
    private static let relayDomains = ["@privaterelay.appleid.com", "@private.icloud.com"]

    /// Whether the domain of an address tells that it is one of Apple's private relay.
    static func isRelayAddress(_ address: String) -> Bool {
        let folded = AccountSearch.folded(address: address)
        return relayDomains.contains { folded.hasSuffix($0) }
    }

    /// Names an address that a person typed. It may be one of Apple's relay.
    package init(typed address: String) {
        self.init(address, isRelay: Self.isRelayAddress(address))
    }
}

extension SQLConnection {
    /// The contact address of an account that counts; nil without one.
    func contactEmail(of account: AccountID) throws -> String? {
        try first(.contactOfAccount, [.id(account)]) { try $0.optionalText() }.flatMap { $0 }
    }

    /// The address that an account's mails go to; nil without one.
    func mailRecipient(of account: AccountID) throws -> MailRecipient? {
        try MailRecipient(
            contactEmail: contactEmail(of: account),
            identities: identities(of: account).map {
                MailRecipient.IdentityAddress(
                    identity: $0.id, email: $0.email, isVerified: $0.emailVerified, isRelay: $0.isPrivateEmail,
                    access: $0.access)
            })
    }
}

extension SQLStatement {
    fileprivate static let contactOfAccount: Self = "SELECT contact_email FROM accounts WHERE id = ?1"
}
