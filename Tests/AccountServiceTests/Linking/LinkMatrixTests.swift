import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

extension PasswordSystem {
    /// Signs in by the first way in. The first time this makes the account.
    fileprivate func signInFirst(_ cell: LinkCell, isNew: Bool = false) async throws -> TokenSignIn {
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
        _ cell: LinkCell, to session: StoredSession, consent: String? = nil
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
    fileprivate func addAgreeing(_ cell: LinkCell, to session: StoredSession) async throws -> LinkedIdentity? {
        guard cell.needsConsent else { return try await add(cell, to: session) }
        let error = await expectError(.consentRequired) { try await add(cell, to: session) }
        #expect(error?.consent == Consent.Requirement(purposes: [.linkedIdentity], textVersion: consentText))
        return try await add(cell, to: session, consent: consentText)
    }

    /// Makes another account whose only way in is the second one. A merge begins with an Apple Account or a provider, so
    /// then an address has an Apple Account beside it.
    fileprivate func makeOther(_ cell: LinkCell) async throws -> AccountID {
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

    fileprivate func enter(by way: LinkCell.Way) async throws -> TokenSignIn? {
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
@Suite("Each second way in to an account", .eachEngine)
struct LinkMatrixTests {
    @Test("has a row that can be read for each event")
    func rows() {
        #expect(LinkCell.all.count == LinkCell.rows.count && LinkCell.all.count == 16 * 8 + 5 * 7)
    }

    @Test("opens the account that the table says, after each event", arguments: LinkCell.all)
    fileprivate func cell(_ cell: LinkCell) async throws {
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
        let entrance: LinkCell.Entrance? =
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
        _ cell: LinkCell, to added: LinkedIdentity, in session: StoredSession, _ system: PasswordSystem
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
        _ cell: LinkCell, in session: StoredSession, _ other: AccountID?, _ system: PasswordSystem
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
        _ cell: LinkCell, into session: StoredSession, _ other: AccountID?, _ system: PasswordSystem
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
