package import AppleID
public import AppleIDTypes
import Foundation

/// Finds, shows, disables, enables and deletes accounts for an operator.
public struct AccountDirectory: Sendable {
    /// Accounts that are read at once.
    static let batchSize = 500

    package let store: AccountTransactions
    private let environment: AppleIDEnvironment
    private let mail: MailWriter?

    /// - Parameter mail: tells people that their account was deleted; nil tells nobody.
    package init(store: AccountTransactions, environment: AppleIDEnvironment = .live, mail: MailWriter? = nil) {
        self.store = store
        self.environment = environment
        self.mail = mail
    }

    private var now: Timestamp { Timestamp(environment.now()) }

    /// Calls the body with every account, oldest first.
    /// - Parameter progress: told how many were looked at, of about how many.
    public func forEach(
        progress: (_ done: Int, _ total: Int) -> Void = { _, _ in },
        _ body: (ListedAccount) throws -> Void
    ) async throws {
        let total = try await store.accountCount()
        var done = 0
        var last: AccountID?
        while true {
            let page = try await store.accounts(after: last, limit: Self.batchSize)
            for record in page { try body(record) }
            guard let end = page.last else { return }
            last = end.id
            done += page.count
            progress(min(done, total), total)
        }
    }

    /// The accounts that a search is for, oldest first.
    ///
    /// An id, a `sub` and an address that fits exactly are looked up. By name, or by an address that is written in another
    /// way, it looks at every account, which takes a while where there are millions.
    public func find(
        _ search: AccountSearch, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) async throws -> [ListedAccount] {
        switch search.kind {
        case .id(let id):
            return try await store.account(id).map { [$0] } ?? []
        case .address(let address, let folded):
            let found = try await store.accounts(ofEmail: address)
            guard found.isEmpty else { return found }
            if let form = try? EmailForm(EmailAddress(address)) {
                let found = try await store.accounts(ofSubject: form.subject)
                guard found.isEmpty else { return found }
            }
            return try await all(progress) { AccountSearch.has($0, address: folded) }
        case .subjectOrName(let subject, let words):
            let found = try await store.accounts(ofSubject: subject)
            guard found.isEmpty else { return found }
            return try await all(progress) { AccountSearch.has($0, words: words) }
        }
    }

    /// Says where an account went that was merged into another one; nil for any search but one for its id.
    public func merger(of search: AccountSearch) async throws -> (into: AccountID, at: Timestamp)? {
        guard case .id(let id) = search.kind else { return nil }
        return try await store.accountMerged(from: id)
    }

    private func all(
        _ progress: (Int, Int) -> Void, where matches: (ListedAccount) -> Bool
    ) async throws -> [ListedAccount] {
        var found: [ListedAccount] = []
        try await forEach(progress: progress) { record in
            if matches(record) { found.append(record) }
        }
        return found
    }

    /// Every live session of an account, newest first.
    public func sessions(of account: AccountID) async throws -> [Session] {
        var sessions: [Session] = []
        while true {
            let page = try await store.sessions(
                of: account, liveAt: now, before: sessions.last?.id, limit: Self.batchSize)
            sessions += page
            if page.count < Self.batchSize { return sessions }
        }
    }

    /// The last of what the audit tells of an account, newest first.
    public func history(of account: AccountID, limit: Int) async throws -> [AuditEntry] {
        try await store.auditEntries(of: account, before: nil, limit: limit)
    }

    /// Refuses sign-ins to an account from now on, and ends its sessions.
    /// - Returns: how many sessions ended; nil when there is no such account.
    public func disable(_ account: AccountID) async throws -> Int? {
        let ending = SessionEnding(at: now, reason: .accountDisabled, by: .operator)
        guard var ended = try await store.disable(account, ending, limit: Sessions.batchSize) else { return nil }
        // No new one can be opened any more, and none of the rest is taken.
        var batch = ended
        while batch == Sessions.batchSize {
            batch = try await store.endSessions(of: account, except: nil, ending, limit: Sessions.batchSize)
            ended += batch
        }
        return ended
    }

    /// Deletes an account as its person could, and needs nobody's sign-in for it. A running server tells Apple.
    /// - Returns: nil when there is no such account.
    public func delete(_ account: AccountID) async throws -> DeletionReceipt? {
        let handle = DeletionHandle(randomness: environment.randomBytes(32))
        let moment = now
        var purge = PurgeRecord(
            at: moment, account: account, handleHash: handle.hash, by: .operator,
            reason: AuditActor.Kind.operator.rawValue)
        purge.mails = mail.flatMap { DeletionMails(writer: $0, at: moment) }
        let work = try await store.purgeAccount(purge)
        return work.map { DeletionReceipt(handle: handle, $0, at: moment) }
    }

    /// Sends the address of an account's email identity a link that sets a new password.
    /// - Returns: false when there is no such account.
    /// - Throws: ``AccountError/Code/notByPassword`` where nobody signs in to the account with an address, and
    ///   ``AccountError/Code/mailNotConfigured``.
    package func sendReset(to account: AccountID) async throws -> Bool {
        guard let mail, mail.isConfigured else {
            throw AccountError(.mailNotConfigured, "this service sends no mail, so it can't send a link")
        }
        guard try await store.account(account) != nil else { return false }
        let identity = try await store.identities(of: account).first { $0.provider == .email }
        guard let identity, let address = identity.email else { throw AccountError.notByPassword }
        try await store.requestEmailLink(
            EmailLinkRequestRecord(
                .reset, to: address, EmailForm(subject: identity.subject), writer: mail, from: .unknown,
                limit: .none, environment))
        return true
    }

    /// Removes the password of an account. Its person signs in by links in mails then; sessions go on.
    /// - Returns: false where there is none.
    package func removePassword(of account: AccountID) async throws -> Bool {
        try await store.removePassword(of: account, at: now, by: .operator)
    }

    /// Takes sign-ins to an account again.
    /// - Returns: false when there is no such account.
    public func enable(_ account: AccountID) async throws -> Bool {
        try await store.enable(account, at: now, by: .operator)
    }
}

/// An operator's search: an account's id, an address, an Apple `sub`, or words of a name.
///
/// Which of them it is shows in its form. Address and name are compared as a person would: without regard to case, and
/// names without regard to marks on letters and to what a word goes on with. Databases do that each in its own way, so
/// it is done here, account by account; ids and `sub` are compared exactly, by the database.
public struct AccountSearch: Sendable, Redacted {
    enum Kind: Sendable {
        case id(AccountID)
        /// As it was typed, and in the form in which addresses are compared.
        case address(String, folded: String)
        /// A `sub`, and if nobody has it, the words of a name.
        case subjectOrName(Subject, [String])
    }

    let kind: Kind

    /// Reads what an operator typed.
    /// - Throws: ``AccountError/Code/requestInvalid`` for a text without anything to look for.
    public init(_ text: String) throws(AccountError) {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty, !trimmed.utf8.contains(0) else {
            throw AccountError(.requestInvalid, "there is nothing to look for", field: nil)
        }
        if let id = AccountID(received: trimmed) {
            kind = .id(id)
        } else if trimmed.contains("@") {
            kind = .address(trimmed, folded: Self.folded(address: trimmed))
        } else {
            kind = .subjectOrName(Subject(trimmed), Self.words(of: trimmed))
        }
    }

    static func folded(address: String) -> String {
        address.precomposedStringWithCompatibilityMapping.lowercased()
    }

    /// The words of a name, in the form in which they are compared.
    static func words(of name: String) -> [String] {
        name.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
            .split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }

    static func has(_ record: ListedAccount, address: String) -> Bool {
        ([record.contactEmail] + record.identities.map(\.email)).contains { $0.map(folded(address:)) == address }
    }

    /// Whether each of the words begins a word of the account's name.
    static func has(_ record: ListedAccount, words: [String]) -> Bool {
        guard let name = record.name, !words.isEmpty else { return false }
        let named = name.parts.compactMap(\.self).flatMap(Self.words)
        return words.allSatisfy { word in named.contains { $0.hasPrefix(word) } }
    }
}
