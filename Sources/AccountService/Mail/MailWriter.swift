import AccountDatabase
package import AppleID
import AppleIDTypes
import Crypto
import Foundation

/// Makes mails for the queue: seals what is personal, and hashes the recipient.
///
/// A feature makes a ``QueuedMail`` and gives it to ``AccountDatabase/SQLConnection/enqueue(_:)`` in the transaction that
/// decides what the mail tells. Without a ``MailSender`` it makes none.
package struct MailWriter: Sendable {
    /// Whether the service has a ``MailSender``.
    package let isConfigured: Bool
    private let publicURL: PublicURL
    private let content: MailContent.Seal
    private let recipients: MailRecipientHashes
    private let environment: AppleIDEnvironment

    init(isConfigured: Bool, publicURL: PublicURL, keyRing: KeyRingInUse, environment: AppleIDEnvironment) {
        self.isConfigured = isConfigured
        self.publicURL = publicURL
        content = MailContent.Seal(keyRing: keyRing)
        recipients = MailRecipientHashes(keyRing: keyRing)
        self.environment = environment
    }

    /// Makes a writer for a command that has the database and the keys, and no service.
    package init(publicURL: PublicURL, keyRing: KeyRing, environment: AppleIDEnvironment = .live) {
        self.init(
            isConfigured: true, publicURL: publicURL, keyRing: KeyRingInUse(keyRing), environment: environment)
    }

    /// A new identifier. It is made before a transaction begins, because a transaction may run again.
    package func newID(at moment: Timestamp) -> MailID {
        MailID(at: moment, randomness: environment.randomBytes(10))
    }

    /// A new secret for a link: 32 random bytes in base64url. Only its hash is stored.
    package func newLinkSecret() -> String { Base64URL.text(environment.randomBytes(32)) }

    /// Returns the URL of a path of the service, for the value `link`.
    /// - Parameter path: begins with a slash.
    package func link(_ path: String) -> String { publicURL.appending(path) }

    /// The hashes of an address under each key of the ring: a mail that waits may be older than the first key.
    func recipientHashes(of address: String) -> [TokenHash] { recipients.hashes(of: address) }

    /// Makes a mail for the queue.
    /// - Parameters:
    ///   - account: whose mail it is: it goes when the account is deleted. Nil for a mail about a deletion.
    ///   - values: the facts that ``Mail/Kind`` lists for the kind.
    /// - Returns: nil without a ``MailSender``.
    package func mail(
        _ kind: Mail.Kind, id: MailID, to recipient: MailRecipient, of account: AccountID?, values: [String: String],
        at moment: Timestamp
    ) throws -> QueuedMail? {
        guard isConfigured else { return nil }
        let sealed = try content.seal(
            MailContent(recipient: recipient.address, language: recipient.language, values: values), of: id)
        return QueuedMail(
            id: id, kind: kind, account: account, recipientHash: recipients.hash(of: recipient.address),
            isRelay: recipient.isRelay, isForwarded: recipient.isForwarded, sealed: sealed, createdAt: moment)
    }
}

/// A mail on its way into the queue, sealed.
package struct QueuedMail: Sendable, Redacted {
    package let id: MailID
    package let kind: Mail.Kind
    let account: AccountID?
    let recipientHash: TokenHash
    let isRelay: Bool
    /// False where Apple has said that it doesn't forward mail to the recipient: then the mail begins as held.
    let isForwarded: Bool
    let sealed: [UInt8]
    let createdAt: Timestamp
    /// The deletion that must be over before the mail is sent.
    var deletion: TokenHash?
}

/// The address that an account's mails go to.
package struct MailRecipient: Hashable, Sendable, Redacted {
    package var address: String
    package var isRelay: Bool
    /// False where Apple has said that it doesn't forward mail to this relay address.
    package var isForwarded: Bool
    /// BCP 47; nil where nobody has said.
    package var language: String?

    /// Names an address, for a mail that goes to a certain one, such as one that is to be confirmed.
    package init(_ address: String, isRelay: Bool = false, isForwarded: Bool = true, language: String? = nil) {
        self.address = address
        self.isRelay = isRelay
        self.isForwarded = isForwarded
        self.language = language
    }

    /// An address that Apple has told, with what Apple says of it.
    struct AppleAddress {
        var email: String?
        var isVerified: Bool
        var isRelay: Bool
        var access: AppleAccess
    }

    /// Chooses the address of an account: the contact address that the person confirmed, else one that Apple has verified,
    /// if possible of an identity that Apple still lets this service do something for. This is the only place that
    /// chooses.
    /// - Parameter contactEmail: the confirmed contact address; nil where there is none.
    /// - Returns: nil for an account without such an address.
    init?(contactEmail: String?, identities: [AppleAddress]) {
        if let contactEmail {
            self.init(typed: contactEmail)
            return
        }
        let verified = identities.filter { $0.isVerified && $0.email != nil }
        guard let chosen = verified.first(where: { $0.access.ended == nil }) ?? verified.first,
            let email = chosen.email
        else { return nil }
        self.init(
            email, isRelay: chosen.isRelay, isForwarded: !chosen.isRelay || chosen.access.forwardsEmail != false)
    }

    /// Chooses the address of an account as its person sees it.
    package init?(of account: Account) {
        self.init(
            contactEmail: account.contactEmail,
            identities: [
                AppleAddress(
                    email: account.email, isVerified: account.emailVerified, isRelay: account.isPrivateEmail,
                    access: account.appleAccess)
            ])
    }

    /// Chooses the address of an account as its operator sees it.
    package init?(of account: AccountRecord) {
        self.init(
            contactEmail: account.contactEmail,
            identities: account.identities.map {
                AppleAddress(
                    email: $0.email, isVerified: $0.emailVerified, isRelay: $0.isPrivateEmail, access: $0.access)
            })
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
                MailRecipient.AppleAddress(
                    email: $0.email, isVerified: $0.emailVerified, isRelay: $0.isPrivateEmail, access: $0.access)
            })
    }
}

extension SQLStatement {
    fileprivate static let contactOfAccount: Self = "SELECT contact_email FROM accounts WHERE id = ?1"
}

/// The part of a mail that is stored sealed.
struct MailContent: Codable, Hashable, Sendable, Redacted {
    var recipient: String
    var language: String?
    var values: [String: String]

    /// Seals and opens contents; each is bound to its mail.
    struct Seal: Sendable {
        private let seal: AccountService.Seal

        init(keyRing: KeyRingInUse) {
            seal = AccountService.Seal(.mail, keyRing: keyRing)
        }

        func seal(_ content: MailContent, of mail: MailID) throws -> [UInt8] {
            try seal.seal(Array(try JSONEncoder().encode(content)), row: mail.rawValue)
        }

        /// - Throws: ``AccountError/Code/configuration`` when no key of the ring opens it.
        func open(_ sealed: [UInt8], of mail: MailID) throws -> MailContent {
            try JSONDecoder().decode(MailContent.self, from: Data(seal.open(sealed, row: mail.rawValue)))
        }
    }
}

/// Hashes addresses for the limits: by the look-up form, under a key of the ring, so that nobody who has the database alone
/// can try addresses.
struct MailRecipientHashes: Sendable {
    private let keyRing: KeyRingInUse

    init(keyRing: KeyRingInUse) {
        self.keyRing = keyRing
    }

    /// The hash under the ring's first key. After a change of that key the limits count from the beginning.
    func hash(of address: String) -> TokenHash { hashes(of: address)[0] }

    /// The hash under each key, in the ring's order.
    func hashes(of address: String) -> [TokenHash] {
        let form = Data(AccountSearch.folded(address: address).utf8)
        return keyRing.derivedKeys(for: "mail recipient").map { _, key in
            TokenHash(bytes: Array(HMAC<SHA256>.authenticationCode(for: form, using: key)))
        }
    }
}
