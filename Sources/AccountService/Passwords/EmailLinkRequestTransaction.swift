import AccountDatabase
import AppleID
import AppleIDTypes

/// A request for a one-time link, with all that its transaction may write. Only the transaction knows whether the
/// address gets the link, or a mail that says how its person signs in.
struct EmailLinkRequestRecord: Sendable {
    var id: EmailLinkID
    var purpose: EmailLink.Purpose
    /// As the person typed it.
    var address: String
    var form: EmailForm
    var browserHash: TokenHash?
    var returnPath: ReturnPath?
    /// The password's hash and the name of a sign-up; the password's hash and the consent of a link to an account.
    var sealed: [UInt8]?
    /// The session whose account gets the address; nil for all other purposes.
    var session: Session?
    var at: Timestamp
    fileprivate let secret: LinkSecret
    fileprivate let mailID: MailID
    fileprivate let languages: [String]
    fileprivate let writer: MailWriter
    fileprivate let limit: Limit
    fileprivate let personHash: TokenHash
    /// Where the request comes from: a network, or an account.
    fileprivate let origin: String

    /// The limit of mails that counts for a request.
    enum Limit: Equatable {
        /// The limit counts by address. For an address with an email identity it also counts by the network that asks,
        /// so that a stranger can't use up the person's mails.
        case network
        /// The limit counts by the account of the session that asks. Requests of strangers don't count.
        case session(AccountID)
        /// The request has no limit, because an operator makes it.
        case none
    }

    init(
        _ purpose: EmailLink.Purpose, to address: String, _ form: EmailForm, writer: MailWriter, from caller: Caller,
        limit: Limit = .network, _ environment: AppleIDEnvironment
    ) {
        at = Timestamp(environment.now())
        id = EmailLinkID(at: at, randomness: environment.randomBytes(10))
        self.purpose = purpose
        self.address = address
        self.form = form
        secret = writer.newLinkSecret()
        mailID = writer.newID(at: at)
        languages = caller.languages
        self.writer = writer
        self.limit = limit
        personHash = form.personHash
        origin =
            if case .session(let account) = limit {
                "session of \(account.rawValue)"
            } else {
                caller.network.rawValue
            }
    }

    /// The mail with the link.
    fileprivate var kind: Mail.Kind {
        switch purpose {
        case .signUp: .signUp
        case .reset: .passwordReset
        case .link: .linkAddress
        default: .signInLink
        }
    }

    /// Decides what the address gets: the mail, nil if nobody can be written to, and whether it has the link.
    /// - Parameters:
    ///   - identity: the email identity of the address.
    ///   - other: an account that has the address and no email identity of it, and its providers.
    fileprivate func reply(
        to identity: EmailIdentity?, _ other: (account: AccountID, providers: [IdentityProvider])?
    ) throws -> (mail: QueuedMail?, hasLink: Bool) {
        let link = EmailLink.path + secret.rawValue
        if let identity {
            let owner = identity.address ?? address
            guard session == nil, purpose != .signUp else {
                let way = identity.password == nil ? "link" : "password"
                let mail = try self.mail(
                    .accountExists, to: owner, of: identity.accountID, link: "/sign-in", way: way, isOfOrigin: true)
                return (mail, false)
            }
            return (try mail(kind, to: owner, of: identity.accountID, link: link, isOfOrigin: true), true)
        }
        // The mail to a free address is no account's: the export of the account that asks would tell that it was free.
        if session != nil { return (try mail(kind, to: address, of: nil, link: link), true) }
        if let other {
            // An account without Apple has the address as its contact address, which signs nobody in.
            let provider = other.providers.contains(.email) ? nil : other.providers.first
            let way = other.providers.contains(.apple) ? "apple" : provider == nil ? "other" : "provider"
            let mail = try self.mail(
                .accountExists, to: address, of: other.account, link: "/sign-in", way: way,
                provider: provider.flatMap { writer.name(ofProvider: $0.rawValue) })
            return (mail, false)
        }
        if purpose == .reset { return (try mail(.noAccount, to: address, of: nil, link: "/sign-up"), false) }
        return (try mail(kind, to: address, of: nil, link: link), true)
    }

    /// - Parameter isOfOrigin: whether the limits count the mail by the origin of the request, too.
    private func mail(
        _ kind: Mail.Kind, to address: String, of account: AccountID?, link path: String, way: String? = nil,
        provider: String? = nil, isOfOrigin: Bool = false
    ) throws -> QueuedMail? {
        var recipient = MailRecipient(typed: address)
        recipient.languages = languages
        var values = ["link": writer.link(path)]
        values["way"] = way
        values["provider"] = provider
        if kind == .accountExists, session != nil { values["addsToAccount"] = "true" }
        return try writer.mail(
            kind, id: mailID, to: recipient, of: account, values: values,
            countedAs: isOfOrigin ? "\(form.rawValue) \(origin)" : form.rawValue, at: at)
    }
}

extension AccountTransactions {
    /// Writes a link and its mail, or the mail that says how the person of the address signs in.
    ///
    /// An address gets ``MailRules/linksPerDay`` of these mails in a day, and one of them at most that says that it has
    /// no account. An address that signs in gets as many for each network that asks, and
    /// ``MailRules/linksPerDayOfAccount`` for all of them; requests in a session for the session's own address count for
    /// themselves. Beyond these limits an address that signs in gets a link if it has got none for
    /// ``MailRules/linkInterval``. Further mails are left out, and nobody is told.
    ///
    /// An account can ask ``MailRules/linkRequestsPerDay`` times in a day to add an address. Each request counts,
    /// whatever it leads to, so that the account doesn't learn from the limit whether an address has an account.
    func requestEmailLink(_ request: EmailLinkRequestRecord) async throws {
        try await write { try $0.requestEmailLink(request) }
    }
}

extension SQLConnection {
    fileprivate func requestEmailLink(_ request: EmailLinkRequestRecord) throws {
        try lock(person: request.personHash)
        let identity = try emailIdentity(of: request.form)
        let other =
            try identity == nil && request.session == nil
            ? accountsOfAppleOrContact(request.address, request.form).first : nil
        let (mail, hasLink) = try request.reply(
            to: identity, other.map { (account: $0, providers: try identities(of: $0).map(\.provider)) })
        let isWayIn = hasLink && identity != nil
        // Most requests beyond the limits end here, and raise no account's revision.
        guard let mail, try isWorthLocks(mail, request, isWayIn: isWayIn) else { return }
        // Without the account, it was deleted meanwhile. Its deletion has not locked the person of its contact address.
        let accounts = Set([mail.account, request.session?.accountID].compactMap { $0 })
        for account in accounts.sorted(by: { $0.rawValue < $1.rawValue }) {
            guard try lock(account: account) else { return }
        }
        if request.limit != .none { try lock(hash: mail.recipientHash) }
        if let session = request.session, try !count(request, of: session.accountID) { return }
        guard try isWithinLimit(mail, request, isWayIn: isWayIn) else { return }
        if hasLink {
            try execute(
                .insertEmailLink,
                [
                    .id(request.id), .hash(request.secret.hash), .text(request.purpose),
                    .id(orNull: identity?.accountID ?? request.session?.accountID),
                    .text(identity?.address ?? request.address),
                    .hash(request.writer.forms.links(of: request.form)[0]),
                    request.browserHash.map(SQLValue.hash) ?? .null, .text(orNull: request.returnPath?.rawValue),
                    request.sealed.map(SQLValue.bytes) ?? .null, .time(request.at),
                    .time(request.at + EmailLink.lifetime), .id(orNull: request.session?.id),
                ])
        }
        try enqueue(mail)
    }

    /// The accounts whose verified address at Apple's, or whose contact address, has a look-up form.
    /// - Parameter address: the address as it was typed.
    private func accountsOfAppleOrContact(_ address: String, _ form: EmailForm) throws -> [AccountID] {
        try accounts(.accountsOfAppleOrContact, address, form)
    }

    /// The accounts whose verified address at Apple's or another provider's, or whose contact address, has a look-up form.
    func accountsOfProvidersOrContact(_ address: String, _ form: EmailForm) throws -> [AccountID] {
        try accounts(.accountsOfProvidersOrContact, address, form)
    }

    private func accounts(_ statement: SQLStatement, _ address: String, _ form: EmailForm) throws -> [AccountID] {
        let found = try query(
            statement, [.text(address), .text(form.rawValue), .flag(true)]
        ) { try (account: $0.word(AccountID.self), address: $0.optionalText()) }
        return found.filter { row in row.address.flatMap(EmailForm.init(of:)) == form }.map(\.account)
    }

    /// Whether a request may lead to something, before anything is locked. A request of an account counts also where
    /// its mail is left out, so the limits of the mail don't end it here.
    private func isWorthLocks(_ mail: QueuedMail, _ request: EmailLinkRequestRecord, isWayIn: Bool) throws -> Bool {
        guard let session = request.session else { return try isWithinLimit(mail, request, isWayIn: isWayIn) }
        return try linkRequests(of: session.accountID, at: request.at) < MailRules.linkRequestsPerDay
    }

    /// Counts a request of an account to add an address. For a transaction that has locked the account.
    /// - Returns: false if the account has asked too often today. Then the request doesn't count.
    private func count(_ request: EmailLinkRequestRecord, of account: AccountID) throws -> Bool {
        guard try linkRequests(of: account, at: request.at) < MailRules.linkRequestsPerDay else { return false }
        try execute(.insertLinkRequest, [.id(request.id), .id(account), .time(request.at + MailRules.day)])
        return true
    }

    private func linkRequests(of account: AccountID, at moment: Timestamp) throws -> Int64 {
        try first(.countLinkRequests, [.id(account), .time(moment)]) { try $0.int64() } ?? 0
    }

    /// Whether the limits allow one more mail with a link, or instead of one. The answer holds in a transaction that
    /// has locked the account and the recipient, so that requests that one limit counts wait for each other.
    /// - Parameter isWayIn: whether the mail has a link that signs the person of an account in, or sets their password.
    private func isWithinLimit(_ mail: QueuedMail, _ request: EmailLinkRequestRecord, isWayIn: Bool) throws -> Bool {
        guard request.limit != .none else { return true }
        let since = SQLValue.time(mail.createdAt - MailRules.day)
        let alike = try first(.countLinkMails, [.hash(mail.recipientHash), since]) { try $0.int64() }
        if alike ?? 0 < MailRules.linksPerDay {
            guard request.limit == .network || request.purpose == .link, let account = mail.account else { return true }
            let all = try first(.countLinkMailsOfAccount, [.id(account), since]) { try $0.int64() }
            if all ?? 0 < MailRules.linksPerDayOfAccount { return true }
        }
        // A stranger who uses the limits up would keep the person from every way in by mail. A link that the stranger
        // asks for goes to the person, who can use it as well as their own. A mail without a link mustn't take its
        // place.
        guard isWayIn, let account = mail.account else { return false }
        return try !returnsRow(
            .linkOfAccountSince, [.id(account), .time(mail.createdAt - MailRules.linkInterval)])
    }
}

extension SQLStatement {
    fileprivate static let countLinkRequests: Self = """
        SELECT count(*) FROM link_requests WHERE account_id = ?1 AND expires_at > ?2
        """
    fileprivate static let insertLinkRequest: Self = """
        INSERT INTO link_requests (id, account_id, expires_at) VALUES (?1, ?2, ?3)
        """
    fileprivate static let insertEmailLink: Self = """
        INSERT INTO email_links (id, hash, purpose, account_id, address, form_hash, browser_hash, return_path, sealed,
            created_at, expires_at, session_id)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
        """
    fileprivate static let accountsOfAppleOrContact = accountsOfIdentities("provider = 'apple'")
    fileprivate static let accountsOfProvidersOrContact = accountsOfIdentities("provider <> 'email'")
    /// A verified address of an identity or a contact address: in the spelling that was typed, or with the look-up form. An
    /// older program may have left the form of a former address.
    private static func accountsOfIdentities(_ condition: Self) -> Self {
        """
        SELECT account_id, email FROM identities
        WHERE (email IN (?1, ?2) OR email_form = ?2)
            AND \(condition) AND email_verified = ?3 AND removed_at IS NULL
        UNION ALL
        SELECT id, contact_email FROM accounts WHERE contact_email IN (?1, ?2) OR contact_form = ?2
        """
    }
    private static let linkKinds: Self = """
        ('sign_up', 'sign_in_link', 'password_reset', 'account_exists', 'no_account', 'link_address')
        """
    private static func countLinkMails(where condition: Self) -> Self {
        """
        SELECT (SELECT count(*) FROM mails m
                WHERE m.\(condition) AND m.kind IN \(linkKinds) AND m.created_at > ?2)
            + (SELECT count(*) FROM mails_sent s
                WHERE s.\(condition) AND s.kind IN \(linkKinds) AND s.sent_at > ?2)
        """
    }
    fileprivate static let countLinkMails = countLinkMails(where: "recipient_hash = ?1")
    fileprivate static let countLinkMailsOfAccount = countLinkMails(where: "account_id = ?1")
    /// A mail with a link that signs the person of an account in, or sets their password.
    fileprivate static let linkOfAccountSince: Self = """
        SELECT 1 FROM mails
        WHERE account_id = ?1 AND kind IN ('sign_in_link', 'password_reset') AND created_at > ?2
        UNION ALL
        SELECT 1 FROM mails_sent
        WHERE account_id = ?1 AND kind IN ('sign_in_link', 'password_reset') AND sent_at > ?2
        LIMIT 1
        """
}
