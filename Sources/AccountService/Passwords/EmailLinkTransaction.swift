import AccountDatabase
import AppleIDTypes

/// A link as the database has it.
struct StoredEmailLink: Sendable {
    var id: EmailLinkID
    var purpose: EmailLink.Purpose
    /// The account that had the address when the link was asked for; nil where none had.
    var accountID: AccountID?
    var address: String
    var browserHash: TokenHash?
    var returnPath: ReturnPath?
    var sealed: [UInt8]?
    var expiresAt: Timestamp
    /// The session that alone can use the link; nil where any can.
    var sessionID: SessionID?

    /// Whether a browser is the one that asked for the link.
    func isOf(_ browser: BrowserSecret?) -> Bool {
        guard let browser, let browserHash else { return false }
        return browser.hash == browserHash
    }

    /// Whether a link that adds the address to an account may be used in a session: in the one that asked for it, or in
    /// the browser that asked, where a later session of the account may have taken its place.
    func canBeUsed(in session: Session, browser: BrowserSecret?) -> Bool {
        session.accountID == accountID && (session.id == sessionID || isOf(browser))
    }
}

/// The use of a link to sign in, with or without a new account.
struct LinkSignInRecord: Sendable {
    var record: SignInRecord
    var link: EmailLinkID
    /// The password of a sign-up, sealed for the identity that the record makes.
    var sealedPassword: [UInt8]?
    let form: EmailForm
    let formHashes: [TokenHash]
    let failuresHash: TokenHash
    let keys: PersonKeys

    init(
        record: SignInRecord, link: StoredEmailLink, _ form: EmailForm, _ hashes: EmailFormHashes,
        sealedPassword: [UInt8]?
    ) {
        self.record = record
        self.link = link.id
        self.sealedPassword = sealedPassword
        self.form = form
        formHashes = hashes.links(of: form)
        failuresHash = hashes.failures(of: form)
        keys = record.keys
    }
}

extension AccountTransactions {
    /// The link with this hash; nil for one that is used or too old.
    func emailLink(_ hash: TokenHash, at moment: Timestamp) async throws -> StoredEmailLink? {
        try await read { connection in
            try connection.first(.emailLink, [.hash(hash), .time(moment)]) { try StoredEmailLink(&$0) }
        }
    }

    /// Makes the account of a sign-up, with its password, and signs its person in.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/linkUnknown`` for a link that is used or too old, or whose
    /// address has an account since.
    func finishSignUp(_ finish: LinkSignInRecord) async throws -> SignInOutcome {
        try await write { connection in
            try connection.lock(person: finish.keys.hash)
            try connection.useLink(finish.link, at: finish.record.at)
            guard try connection.emailIdentity(of: finish.form) == nil, let sealed = finish.sealedPassword else {
                throw AccountError.linkUnknown
            }
            let (record, moment) = (finish.record, finish.record.at)
            let outcome = try connection.signIn(record, finish.keys)
            let (identity, account) = (outcome.session.identityID, outcome.account.id)
            if record.name != nil { try connection.execute(.noteTypedName, [.id(account), .time(moment)]) }
            try connection.setPassword(of: identity, sealed: sealed, at: moment)
            try connection.note(
                .set, of: identity, of: account, at: moment,
                by: .account(through: outcome.session.id, from: record.caller))
            try connection.removeLinks(of: finish.formHashes)
            try connection.forgetFailures(finish.failuresHash)
            return outcome
        }
    }

    /// Signs in the person of a link, and makes their account if they have none.
    ///
    /// Throws, and writes nothing: ``AccountError/Code/linkUnknown``, and like ``signIn(_:)``.
    func finishSignIn(_ finish: LinkSignInRecord) async throws -> SignInOutcome {
        try await write { connection in
            try connection.lock(person: finish.keys.hash)
            try connection.useLink(finish.link, at: finish.record.at)
            var record = finish.record
            if let known = try connection.emailIdentity(of: finish.form) {
                // The address stays as its person typed it first.
                record.person.email = nil
                // Somebody who opens the link reads the mail of the address. An import may not have proven that.
                if try connection.lock(account: known.accountID) {
                    try connection.execute(.proveAddress, [.id(known.id), .flag(true)])
                }
            }
            let outcome = try connection.signIn(record, finish.keys)
            // A sign-up that waits for its link may be somebody else's.
            if outcome.isNewAccount { try connection.removeLinks(of: finish.formHashes) }
            return outcome
        }
    }
}

extension SQLConnection {
    /// Uses a link up. For a transaction that has locked the person.
    func useLink(_ link: EmailLinkID, at moment: Timestamp) throws {
        eraseRemoved()
        guard try execute(.useEmailLink, [.id(link), .time(moment)]) > 0 else { throw AccountError.linkUnknown }
    }

    /// Removes every link of an address.
    /// - Parameter hashes: the hash of its look-up form under each key of the ring.
    func removeLinks(of hashes: [TokenHash]) throws {
        for hash in hashes { try executeLater(.removeLinksOfForm, [.hash(hash)]) }
        eraseRemoved()
    }

    /// The links that were sent to an account's address and are still good, newest first, for an export. Links that add
    /// an address are left out, because they would tell whether the address has an account.
    func emailLinks(of account: AccountID, at moment: Timestamp) throws -> [StoredEmailLink] {
        try query(.emailLinksOfAccount, [.id(account), .time(moment)]) { try StoredEmailLink(&$0) }
    }

    /// Forgets links that are too old.
    /// - Returns: how many there were.
    func sweepEmailLinks(at moment: Timestamp, limit: Int64) throws -> Int {
        let count = try execute(.sweepEmailLinks, [.time(moment), .int64(limit)])
        if count > 0 { eraseRemoved() }
        return count
    }
}

extension StoredEmailLink {
    fileprivate init(_ columns: inout SQLColumns) throws {
        try self.init(
            id: columns.word(), purpose: columns.word(),
            accountID: columns.optionalText().map(AccountID.init(rawValue:)), address: columns.text(),
            browserHash: columns.optionalHash(),
            returnPath: columns.optionalText().flatMap(ReturnPath.init(rawValue:)), sealed: columns.optionalBytes(),
            expiresAt: columns.time(), sessionID: columns.optionalText().map(SessionID.init(rawValue:)))
    }
}

extension SQLStatement {
    private static let linkColumns: Self = """
        id, purpose, account_id, address, browser_hash, return_path, sealed, expires_at, session_id
        """
    fileprivate static let emailLink: Self =
        "SELECT \(linkColumns) FROM email_links WHERE hash = ?1 AND expires_at > ?2"
    fileprivate static let emailLinksOfAccount: Self = """
        SELECT \(linkColumns) FROM email_links
        WHERE account_id = ?1 AND expires_at > ?2 AND purpose <> 'link' ORDER BY id DESC
        """
    fileprivate static let useEmailLink: Self = "DELETE FROM email_links WHERE id = ?1 AND expires_at > ?2"
    fileprivate static let removeLinksOfForm: Self = "DELETE FROM email_links WHERE form_hash = ?1"
    fileprivate static let sweepEmailLinks: Self = """
        DELETE FROM email_links WHERE id IN
            (SELECT id FROM email_links WHERE expires_at <= ?1 ORDER BY expires_at LIMIT ?2)
        """
    /// The name of a sign-up is the person's own word, which Apple's never overwrites.
    fileprivate static let noteTypedName: Self = "UPDATE accounts SET name_typed_at = ?2 WHERE id = ?1"
}
