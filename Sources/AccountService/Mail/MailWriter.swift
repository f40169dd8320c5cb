import AccountDatabase
package import AppleID
import AppleIDTypes

/// Makes mails for the queue: seals what is personal, and hashes the recipient.
///
/// A feature makes a ``QueuedMail`` and gives it to ``AccountDatabase/SQLConnection/enqueue(_:)`` in the transaction that
/// decides what the mail tells. Without a ``MailSender`` it makes none.
package struct MailWriter: Sendable {
    /// Whether the service has a ``MailSender``.
    package let isConfigured: Bool
    /// Whether the service has the page with the ways in to an account.
    let hasPageOfWaysIn: Bool
    private let publicURL: PublicURL
    private let content: MailSeal
    private let recipients: MailRecipientHashes
    /// Hashes look-up forms, for links in mails and counts of wrong passwords.
    let forms: EmailFormHashes
    private let environment: AppleIDEnvironment

    init(
        isConfigured: Bool, hasPageOfWaysIn: Bool = true, publicURL: PublicURL, keyRing: KeyRingInUse,
        environment: AppleIDEnvironment
    ) {
        self.isConfigured = isConfigured
        self.hasPageOfWaysIn = hasPageOfWaysIn
        self.publicURL = publicURL
        content = MailSeal(keyRing: keyRing)
        recipients = MailRecipientHashes(keyRing: keyRing)
        forms = EmailFormHashes(keyRing: keyRing)
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

    /// Makes the secret of a link. It is made before a transaction begins, like an identifier.
    func newLinkSecret() -> LinkSecret { LinkSecret(randomness: environment.randomBytes(32)) }

    /// Returns the URL of a path of the service, for the value `link`.
    /// - Parameter path: begins with a slash.
    package func link(_ path: String) -> String { publicURL.appending(path) }

    /// The URL of the page with the ways in to an account, for the value `link`. Nil for a service that signs nobody in
    /// on its website: people see their ways in in the app.
    var linkToWaysIn: String? { hasPageOfWaysIn ? link(TwoAccountsMail.path) : nil }

    /// The hashes of an address under each key of the ring: a mail that waits may be older than the first key.
    func recipientHashes(of address: String) -> [TokenHash] { recipients.hashes(of: address) }

    /// Makes a mail for the queue.
    /// - Parameters:
    ///   - account: whose mail it is: it goes when the account is deleted. Nil for a mail about a deletion.
    ///   - values: the facts that ``Mail/Kind`` lists for the kind.
    ///   - form: another spelling of the address, by which the limits count the mail; nil takes the address.
    /// - Returns: nil without a ``MailSender``.
    package func mail(
        _ kind: Mail.Kind, id: MailID, to recipient: MailRecipient, of account: AccountID?, values: [String: String],
        countedAs form: String? = nil, at moment: Timestamp
    ) throws -> QueuedMail? {
        guard isConfigured else { return nil }
        let sealed = try content.seal(
            MailContent(recipient: recipient.address, languages: recipient.languages, values: values), of: id)
        return QueuedMail(
            id: id, kind: kind, account: account, recipientHash: recipients.hash(of: form ?? recipient.address),
            isRelay: recipient.isRelay, identity: account == nil ? nil : recipient.identity,
            isForwardingOff: recipient.isForwardingOff, sealed: sealed, createdAt: moment)
    }
}
