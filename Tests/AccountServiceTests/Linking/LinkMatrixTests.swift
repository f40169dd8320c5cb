import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

/// A way in: the one with which an account begins, or one that joins it.
private enum Way: String {
    case appleShared, appleHidden, password, oneTimeLink, provider, otherProvider

    var isApple: Bool { self == .appleShared || self == .appleHidden }
    var isAddress: Bool { self == .password || self == .oneTimeLink }
    /// The place of the provider among those of the system; nil for another way in.
    var providerIndex: Int? { self == .provider ? 0 : self == .otherProvider ? 1 : nil }
}

/// Something that happens to the second way in.
private enum LinkEvent: String {
    /// It is added to the account.
    case link
    /// It is added, and then removed.
    case unlink
    /// It opens another account when the person tries to add it.
    case conflict
    /// The same, and the person signs in with the handle.
    case handle
    /// It opens another account, which is merged into this one.
    case merge
    /// It is added, and then the account is deleted.
    case delete
    /// It is added, and then Apple says that the person of the Apple Account has stopped using the app: of the second way in
    /// if that is Apple's, else of the first.
    case revokeAtApple
    /// It is added, and then the consent is withdrawn, if one was needed.
    case withdraw
}

/// The outcome of a sign-in by the second way in, after the event.
private enum Entrance: String {
    /// It opens the account.
    case account
    /// It opens the other account, as before.
    case otherAccount
    case newAccount
    /// It opens nothing.
    case wrongCredentials
}

/// The expectation of one cell, as its row says it.
private struct Cell: CustomTestStringConvertible {
    let first: Way
    let second: Way
    let event: LinkEvent
    /// Whether the second way in needs consent beside the first.
    let needsConsent: Bool
    /// The outcome of a sign-in by the second way in, after the event.
    let entrance: Entrance
    /// How many revocations the event has ordered at Apple.
    let revocations: Int64
    /// The end of a session that the second way in opened before; of the session that asked, for a handle.
    let end: SessionEndReason?

    /// - Returns: nil for a row that has no such form.
    init?(row: Substring) {
        let words = row.split(separator: " ").map(String.init)
        guard words.count == 7, let first = Way(rawValue: words[0]), let second = Way(rawValue: words[1]),
            let event = LinkEvent(rawValue: words[2]), ["yes", "no"].contains(words[3]),
            let entrance = Entrance(rawValue: words[4]), let revocations = Int64(words[5])
        else { return nil }
        (self.first, self.second, self.event) = (first, second, event)
        needsConsent = words[3] == "yes"
        (self.entrance, self.revocations) = (entrance, revocations)
        end = words[6] == "-" ? nil : SessionEndReason(rawValue: words[6])
    }

    var testDescription: String { "\(first) + \(second): \(event)" }

    static let rows = table.split(separator: "\n")
    static let all = rows.compactMap { Cell(row: $0) }

    /// First way in, second one, event, consent, entrance, revocations, end of the session. An account has one address, so
    /// there are no rows with two. Where neither is Apple's, Apple says nothing. A password that is gone opens nothing,
    /// and everything else signs up again. An address has no handle: its owner gets a mail, and signs in as always. A
    /// merge with its account begins with an Apple Account that the account has, too.
    private static let table = """
        appleShared    appleShared    link           no   account           0  -
        appleShared    appleShared    unlink         no   newAccount        1  unlinked
        appleShared    appleShared    conflict       no   otherAccount      0  -
        appleShared    appleShared    handle         no   otherAccount      0  replaced
        appleShared    appleShared    merge          no   account           0  merged
        appleShared    appleShared    delete         no   newAccount        2  -
        appleShared    appleShared    revokeAtApple  no   account           0  apple_consent_revoked
        appleShared    appleShared    withdraw       no   account           0  -
        appleShared    appleHidden    link           yes  account           0  -
        appleShared    appleHidden    unlink         yes  newAccount        1  unlinked
        appleShared    appleHidden    conflict       no   otherAccount      0  -
        appleShared    appleHidden    handle         no   otherAccount      0  replaced
        appleShared    appleHidden    merge          yes  account           0  merged
        appleShared    appleHidden    delete         yes  newAccount        2  -
        appleShared    appleHidden    revokeAtApple  yes  account           0  apple_consent_revoked
        appleShared    appleHidden    withdraw       yes  newAccount        1  unlinked
        appleShared    password       link           no   account           0  -
        appleShared    password       unlink         no   wrongCredentials  0  unlinked
        appleShared    password       conflict       no   otherAccount      0  -
        appleShared    password       handle         no   otherAccount      0  -
        appleShared    password       merge          no   account           0  merged
        appleShared    password       delete         no   wrongCredentials  1  -
        appleShared    password       revokeAtApple  no   account           0  -
        appleShared    password       withdraw       no   account           0  -
        appleShared    oneTimeLink    link           no   account           0  -
        appleShared    oneTimeLink    unlink         no   newAccount        0  unlinked
        appleShared    oneTimeLink    conflict       no   otherAccount      0  -
        appleShared    oneTimeLink    handle         no   otherAccount      0  -
        appleShared    oneTimeLink    merge          no   account           0  merged
        appleShared    oneTimeLink    delete         no   newAccount        1  -
        appleShared    oneTimeLink    revokeAtApple  no   account           0  -
        appleShared    oneTimeLink    withdraw       no   account           0  -
        appleHidden    appleShared    link           yes  account           0  -
        appleHidden    appleShared    unlink         yes  newAccount        1  unlinked
        appleHidden    appleShared    conflict       no   otherAccount      0  -
        appleHidden    appleShared    handle         no   otherAccount      0  replaced
        appleHidden    appleShared    merge          yes  account           0  merged
        appleHidden    appleShared    delete         yes  newAccount        2  -
        appleHidden    appleShared    revokeAtApple  yes  account           0  apple_consent_revoked
        appleHidden    appleShared    withdraw       yes  newAccount        1  unlinked
        appleHidden    appleHidden    link           no   account           0  -
        appleHidden    appleHidden    unlink         no   newAccount        1  unlinked
        appleHidden    appleHidden    conflict       no   otherAccount      0  -
        appleHidden    appleHidden    handle         no   otherAccount      0  replaced
        appleHidden    appleHidden    merge          no   account           0  merged
        appleHidden    appleHidden    delete         no   newAccount        2  -
        appleHidden    appleHidden    revokeAtApple  no   account           0  apple_consent_revoked
        appleHidden    appleHidden    withdraw       no   account           0  -
        appleHidden    password       link           yes  account           0  -
        appleHidden    password       unlink         yes  wrongCredentials  0  unlinked
        appleHidden    password       conflict       yes  otherAccount      0  -
        appleHidden    password       handle         yes  otherAccount      0  -
        appleHidden    password       merge          yes  account           0  merged
        appleHidden    password       delete         yes  wrongCredentials  1  -
        appleHidden    password       revokeAtApple  yes  account           0  -
        appleHidden    password       withdraw       yes  wrongCredentials  0  unlinked
        appleHidden    oneTimeLink    link           yes  account           0  -
        appleHidden    oneTimeLink    unlink         yes  newAccount        0  unlinked
        appleHidden    oneTimeLink    conflict       yes  otherAccount      0  -
        appleHidden    oneTimeLink    handle         yes  otherAccount      0  -
        appleHidden    oneTimeLink    merge          yes  account           0  merged
        appleHidden    oneTimeLink    delete         yes  newAccount        1  -
        appleHidden    oneTimeLink    revokeAtApple  yes  account           0  -
        appleHidden    oneTimeLink    withdraw       yes  newAccount        0  unlinked
        password       appleShared    link           no   account           0  -
        password       appleShared    unlink         no   newAccount        1  unlinked
        password       appleShared    conflict       no   otherAccount      0  -
        password       appleShared    handle         no   otherAccount      0  replaced
        password       appleShared    merge          no   account           0  merged
        password       appleShared    delete         no   newAccount        1  -
        password       appleShared    revokeAtApple  no   account           0  apple_consent_revoked
        password       appleShared    withdraw       no   account           0  -
        password       appleHidden    link           yes  account           0  -
        password       appleHidden    unlink         yes  newAccount        1  unlinked
        password       appleHidden    conflict       no   otherAccount      0  -
        password       appleHidden    handle         no   otherAccount      0  replaced
        password       appleHidden    merge          yes  account           0  merged
        password       appleHidden    delete         yes  newAccount        1  -
        password       appleHidden    revokeAtApple  yes  account           0  apple_consent_revoked
        password       appleHidden    withdraw       yes  newAccount        1  unlinked
        oneTimeLink    appleShared    link           no   account           0  -
        oneTimeLink    appleShared    unlink         no   newAccount        1  unlinked
        oneTimeLink    appleShared    conflict       no   otherAccount      0  -
        oneTimeLink    appleShared    handle         no   otherAccount      0  replaced
        oneTimeLink    appleShared    merge          no   account           0  merged
        oneTimeLink    appleShared    delete         no   newAccount        1  -
        oneTimeLink    appleShared    revokeAtApple  no   account           0  apple_consent_revoked
        oneTimeLink    appleShared    withdraw       no   account           0  -
        oneTimeLink    appleHidden    link           yes  account           0  -
        oneTimeLink    appleHidden    unlink         yes  newAccount        1  unlinked
        oneTimeLink    appleHidden    conflict       no   otherAccount      0  -
        oneTimeLink    appleHidden    handle         no   otherAccount      0  replaced
        oneTimeLink    appleHidden    merge          yes  account           0  merged
        oneTimeLink    appleHidden    delete         yes  newAccount        1  -
        oneTimeLink    appleHidden    revokeAtApple  yes  account           0  apple_consent_revoked
        oneTimeLink    appleHidden    withdraw       yes  newAccount        1  unlinked
        appleShared    provider       link           no   account           0  -
        appleShared    provider       unlink         no   newAccount        0  unlinked
        appleShared    provider       conflict       no   otherAccount      0  -
        appleShared    provider       handle         no   otherAccount      0  replaced
        appleShared    provider       merge          no   account           0  merged
        appleShared    provider       delete         no   newAccount        1  -
        appleShared    provider       revokeAtApple  no   account           0  -
        appleShared    provider       withdraw       no   account           0  -
        appleHidden    provider       link           yes  account           0  -
        appleHidden    provider       unlink         yes  newAccount        0  unlinked
        appleHidden    provider       conflict       no   otherAccount      0  -
        appleHidden    provider       handle         no   otherAccount      0  replaced
        appleHidden    provider       merge          yes  account           0  merged
        appleHidden    provider       delete         yes  newAccount        1  -
        appleHidden    provider       revokeAtApple  yes  account           0  -
        appleHidden    provider       withdraw       yes  newAccount        0  unlinked
        password       provider       link           no   account           0  -
        password       provider       unlink         no   newAccount        0  unlinked
        password       provider       conflict       no   otherAccount      0  -
        password       provider       handle         no   otherAccount      0  replaced
        password       provider       merge          no   account           0  merged
        password       provider       delete         no   newAccount        0  -
        password       provider       withdraw       no   account           0  -
        oneTimeLink    provider       link           no   account           0  -
        oneTimeLink    provider       unlink         no   newAccount        0  unlinked
        oneTimeLink    provider       conflict       no   otherAccount      0  -
        oneTimeLink    provider       handle         no   otherAccount      0  replaced
        oneTimeLink    provider       merge          no   account           0  merged
        oneTimeLink    provider       delete         no   newAccount        0  -
        oneTimeLink    provider       withdraw       no   account           0  -
        provider       appleShared    link           no   account           0  -
        provider       appleShared    unlink         no   newAccount        1  unlinked
        provider       appleShared    conflict       no   otherAccount      0  -
        provider       appleShared    handle         no   otherAccount      0  replaced
        provider       appleShared    merge          no   account           0  merged
        provider       appleShared    delete         no   newAccount        1  -
        provider       appleShared    revokeAtApple  no   account           0  apple_consent_revoked
        provider       appleShared    withdraw       no   account           0  -
        provider       appleHidden    link           yes  account           0  -
        provider       appleHidden    unlink         yes  newAccount        1  unlinked
        provider       appleHidden    conflict       no   otherAccount      0  -
        provider       appleHidden    handle         no   otherAccount      0  replaced
        provider       appleHidden    merge          yes  account           0  merged
        provider       appleHidden    delete         yes  newAccount        1  -
        provider       appleHidden    revokeAtApple  yes  account           0  apple_consent_revoked
        provider       appleHidden    withdraw       yes  newAccount        1  unlinked
        provider       password       link           no   account           0  -
        provider       password       unlink         no   wrongCredentials  0  unlinked
        provider       password       conflict       no   otherAccount      0  -
        provider       password       handle         no   otherAccount      0  -
        provider       password       merge          no   account           0  merged
        provider       password       delete         no   wrongCredentials  0  -
        provider       password       withdraw       no   account           0  -
        provider       oneTimeLink    link           no   account           0  -
        provider       oneTimeLink    unlink         no   newAccount        0  unlinked
        provider       oneTimeLink    conflict       no   otherAccount      0  -
        provider       oneTimeLink    handle         no   otherAccount      0  -
        provider       oneTimeLink    merge          no   account           0  merged
        provider       oneTimeLink    delete         no   newAccount        0  -
        provider       oneTimeLink    withdraw       no   account           0  -
        provider       otherProvider  link           no   account           0  -
        provider       otherProvider  unlink         no   newAccount        0  unlinked
        provider       otherProvider  conflict       no   otherAccount      0  -
        provider       otherProvider  handle         no   otherAccount      0  replaced
        provider       otherProvider  merge          no   account           0  merged
        provider       otherProvider  delete         no   newAccount        0  -
        provider       otherProvider  withdraw       no   account           0  -
        """

    /// The number of ways in to the account.
    func ways(after entrance: Entrance?) -> Int {
        guard entrance == .account else { return 1 }
        return event == .merge && second.isAddress ? 3 : 2
    }
}

extension PasswordSystem {
    /// Signs in by the first way in. The first time this makes the account.
    fileprivate func signInFirst(_ cell: Cell, isNew: Bool = false) async throws -> TokenSignIn {
        switch cell.first {
        case .appleShared, .appleHidden: try await signInWithApple("zoe", hidesEmail: cell.first == .appleHidden)
        case .password where isNew: try await finishSignUp(signUp(), .repeated(Self.password))
        case .password: try await signIn()
        case .oneTimeLink: try await finishSignIn(signInLink(), email: Self.address)
        case .provider, .otherProvider: try await signInWithProvider(at: cell.first.providerIndex ?? 0)
        }
    }

    /// Tries to add the second way in.
    /// - Returns: nil for an address that got no link.
    @discardableResult
    fileprivate func add(
        _ cell: Cell, to session: StoredSession, consent: String? = nil
    ) async throws -> LinkedIdentity? {
        if cell.second.isApple {
            return try await link(session, hidesEmail: cell.second == .appleHidden, consent: consent).last
        }
        if let index = cell.second.providerIndex {
            return try await link(.init(), at: index, to: session, consent: consent).last
        }
        clock.advance(by: .seconds(1))
        try await passwords.requestLink(
            in: session, email: Self.address, password: Self.password,
            consent: consent.map { ConsentGiven(textVersion: $0) }, from: Self.caller)
        guard let secret = try await mails(.linkAddress).last?.secret else { return nil }
        return try await passwords.finishLink(secret, in: session, from: Self.caller).last
    }

    /// Adds the second way in. If it needs consent, it is refused without.
    fileprivate func addAgreeing(_ cell: Cell, to session: StoredSession) async throws -> LinkedIdentity? {
        guard cell.needsConsent else { return try await add(cell, to: session) }
        let error = await expectError(.consentRequired) { try await add(cell, to: session) }
        #expect(error?.consent == Consent.Requirement(purposes: [.linkedIdentity], textVersion: consentText))
        return try await add(cell, to: session, consent: consentText)
    }

    /// Makes another account whose only way in is the second one. A merge begins with an Apple Account or a provider, so
    /// then an address has an Apple Account beside it.
    fileprivate func makeOther(_ cell: Cell) async throws -> AccountID {
        if let index = cell.second.providerIndex { return try await signInWithProvider(at: index).account.id }
        guard !cell.second.isApple else {
            return try await signInWithApple(hidesEmail: cell.second == .appleHidden).account.id
        }
        let session = try await makeAccount()
        if cell.event == .merge { try await link(session) }
        return session.account.id
    }

    /// Apple says that a person stopped using the app.
    fileprivate func revokeAtApple(_ identity: IdentityID, of account: AccountID) async throws {
        let found = try #require(try await store.identities(of: account).first { $0.id == identity })
        clock.advance(by: .seconds(5))
        _ = try await store.applyNotification(
            .sample(.consentRevoked, found.subject, team: found.team, happenedAt: now))
    }

    fileprivate func enter(by way: Way) async throws -> TokenSignIn? {
        do {
            switch way {
            case .appleShared: return try await signInWithApple()
            case .appleHidden: return try await signInWithApple(hidesEmail: true)
            case .password: return try await signIn()
            case .oneTimeLink: return try await finishSignIn(try await signInLink(), email: Self.address)
            case .provider, .otherProvider: return try await signInWithProvider(at: way.providerIndex ?? 0)
            }
        } catch let error as AccountError where error.code == .wrongCredentials {
            return nil
        }
    }

    /// How many revocations wait, or have been called off.
    fileprivate func revocations() async throws -> Int64? {
        try await store.read { connection in
            try connection.first("SELECT count(*) FROM outbox WHERE kind = 'revocation'", []) { try $0.int64() }
        }
    }
}

/// Every way in beside every other, with everything that can happen to it.
@Suite("Each second way in", .eachEngine)
struct LinkMatrixTests {
    @Test("has a row for each event that can be read")
    func rows() {
        #expect(Cell.all.count == Cell.rows.count && Cell.all.count == 16 * 8 + 5 * 7)
    }

    @Test("opens what the table says, after each event", arguments: Cell.all)
    fileprivate func cell(_ cell: Cell) async throws {
        let system = try await PasswordSystem.withProviders()
        let hasOther = [.conflict, .handle, .merge].contains(cell.event)
        let other = hasOther ? try await system.makeOther(cell) : nil
        let session = try await system.session(of: system.signInFirst(cell, isNew: true))
        let account = session.account.id
        if hasOther {
            try await conflict(cell, in: session, other, system)
        } else {
            let added = try #require(try await system.addAgreeing(cell, to: session))
            try await happen(cell, to: added, in: session, system)
        }
        #expect(try await system.revocations() == cell.revocations)
        let signIn = try await system.enter(by: cell.second)
        let entrance: Entrance? =
            switch signIn {
            case nil: .wrongCredentials
            case let signIn? where signIn.isNewAccount: .newAccount
            case let signIn? where signIn.account.id == account: .account
            case let signIn? where signIn.account.id == other: .otherAccount
            default: nil
            }
        #expect(entrance == cell.entrance)
        guard cell.event != .delete else { return }
        #expect(try await system.signInFirst(cell).account.id == account)
        #expect(try await system.store.identities(of: account).count == cell.ways(after: entrance))
    }

    private func happen(
        _ cell: Cell, to added: LinkedIdentity, in session: StoredSession, _ system: PasswordSystem
    ) async throws {
        let consents = system.domain.consents
        let given = try await consents.list(of: session.account.id)
        #expect(given.map(\.purpose) == (cell.needsConsent ? [.linkedIdentity] : []))
        let opened = try await system.session(of: #require(try await system.enter(by: cell.second)))
        #expect(opened.account.id == session.account.id)
        switch cell.event {
        case .link, .conflict, .handle, .merge: break
        case .unlink:
            let left = try await system.links.remove(added.id, in: session, from: .unknown).identities
            #expect(left.map(\.id) == [session.session.identityID])
        case .delete:
            _ = try await system.domain.deletions.delete(accountOf: session, from: .unknown)
            for table in [
                "identities", "passwords", "email_links", "apple_tokens", "conflict_handles", "account_pairs",
            ] as [SQLStatement] {
                #expect(try await system.count(table) == 0, "\(table)")
            }
        case .revokeAtApple:
            let ended = cell.second.isApple ? added.id : session.session.identityID
            try await system.revokeAtApple(ended, of: session.account.id)
            #expect(try await system.end(of: session) == (cell.second.isApple ? nil : .appleConsentRevoked))
        case .withdraw:
            for consent in given {
                let done = try await consents.withdraw(consent.id, in: session, from: .unknown)
                #expect(done.unlinked.map(\.id) == [added.id] && done.kept.isEmpty)
            }
        }
        #expect(try await system.end(of: opened) == cell.end)
    }

    private func conflict(
        _ cell: Cell, in session: StoredSession, _ other: AccountID?, _ system: PasswordSystem
    ) async throws {
        guard cell.event != .merge else { return try await merge(cell, into: session, other, system) }
        guard !cell.second.isAddress else {
            #expect(try await system.addAgreeing(cell, to: session) == nil)
            #expect(try await system.mails(.accountExists).count == 1)
            return
        }
        let error = await expectError(.credentialAlreadyInUse) { try await system.add(cell, to: session) }
        let handle = try #require(error?.conflict?.handle)
        guard cell.event == .handle else { return }
        let done = try await system.links.signIn(with: handle, in: session, from: .unknown)
        #expect(done.account.id == other)
        #expect(try await system.end(of: session) == cell.end)
    }

    private func merge(
        _ cell: Cell, into session: StoredSession, _ other: AccountID?, _ system: PasswordSystem
    ) async throws {
        let opened = try await system.session(of: #require(try await system.enter(by: cell.second)))
        #expect(opened.account.id == other)
        let error = await expectError(.credentialAlreadyInUse) {
            if cell.second.isAddress {
                try await system.link(session)
            } else {
                try await system.add(cell, to: session)
            }
        }
        let handle = try #require(error?.conflict?.handle)
        let plan = try await system.merges.plan(with: handle, in: session)
        #expect(plan.consent?.purposes == (cell.needsConsent ? [.linkedIdentity] : nil))
        if cell.needsConsent {
            await expectError(.consentRequired) { try await system.merge(handle, plan.confirmation, into: session) }
        }
        try await system.merge(
            handle, plan.confirmation, into: session, consent: cell.needsConsent ? system.consentText : nil)
        let given = try await system.domain.consents.list(of: session.account.id)
        #expect(given.map(\.purpose) == (cell.needsConsent ? [.linkedIdentity] : []))
        #expect(try await system.end(of: opened) == cell.end)
    }
}
