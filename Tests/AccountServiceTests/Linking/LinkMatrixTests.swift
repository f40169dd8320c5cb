import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

/// The way in with which an account begins: an Apple Account that tells its address, or hides it.
private enum FirstWay: String, CaseIterable {
    case shared, hidden
}

/// A second way in to the account.
private enum SecondWay: String, CaseIterable {
    case appleShared, appleHidden, password, oneTimeLink

    var isApple: Bool { self == .appleShared || self == .appleHidden }
}

/// Something that happens to the second way in.
private enum LinkEvent: String, CaseIterable {
    /// It is added to the account.
    case link
    /// It is added, and then removed.
    case unlink
    /// It opens another account when the person tries to add it.
    case conflict
    /// The same, and the person signs in with the handle.
    case handle
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

private struct Cell: CustomTestStringConvertible {
    let first: FirstWay
    let second: SecondWay
    let event: LinkEvent

    static let all = FirstWay.allCases.flatMap { first in
        SecondWay.allCases.flatMap { second in
            LinkEvent.allCases.map { Cell(first: first, second: second, event: $0) }
        }
    }

    var testDescription: String { "\(first) + \(second): \(event)" }

    /// A hidden address and one that is told come together by consent alone.
    var needsConsent: Bool { (first == .hidden) != (second == .appleHidden) }

    /// The expectation of each cell. A password that is gone opens nothing, and everything else signs up again.
    private static let expectations: [SecondWay: [LinkEvent: Entrance]] = [
        .appleShared: [
            .link: .account, .unlink: .newAccount, .conflict: .otherAccount, .handle: .otherAccount,
            .delete: .newAccount, .revokeAtApple: .account, .withdraw: .newAccount,
        ],
        .appleHidden: [
            .link: .account, .unlink: .newAccount, .conflict: .otherAccount, .handle: .otherAccount,
            .delete: .newAccount, .revokeAtApple: .account, .withdraw: .newAccount,
        ],
        // An address has no handle: its owner gets a mail, and signs in as always.
        .password: [
            .link: .account, .unlink: .wrongCredentials, .conflict: .otherAccount, .handle: .otherAccount,
            .delete: .wrongCredentials, .revokeAtApple: .account, .withdraw: .wrongCredentials,
        ],
        .oneTimeLink: [
            .link: .account, .unlink: .newAccount, .conflict: .otherAccount, .handle: .otherAccount,
            .delete: .newAccount, .revokeAtApple: .account, .withdraw: .newAccount,
        ],
    ]

    var expected: Entrance? {
        // A link that needed no consent outlives every withdrawal.
        event == .withdraw && !needsConsent ? .account : Self.expectations[second]?[event]
    }
}

extension PasswordSystem {
    fileprivate func signInFirst(_ cell: Cell) async throws -> TokenSignIn {
        try await signInWithApple("zoe", hidesEmail: cell.first == .hidden)
    }

    /// Adds the second way in, with all the consent that it needs.
    fileprivate func add(_ cell: Cell, to session: StoredSession) async throws -> LinkedIdentity? {
        let consent = cell.needsConsent ? consentText : nil
        if cell.second.isApple {
            return try await link(session, hidesEmail: cell.second == .appleHidden, consent: consent).last
        }
        clock.advance(by: .seconds(1))
        try await passwords.requestLink(
            in: session, email: Self.address, password: Self.password,
            consent: consent.map { ConsentGiven(textVersion: $0) }, from: Self.caller)
        guard let secret = try await mails(.linkAddress).last?.secret else { return nil }
        return try await passwords.finishLink(secret, in: session, from: Self.caller).last
    }

    /// Makes another account whose only way in is the second one.
    fileprivate func makeOther(_ cell: Cell) async throws -> AccountID {
        cell.second.isApple
            ? try await signInWithApple(hidesEmail: cell.second == .appleHidden).account.id
            : try await makeAccount().account.id
    }

    /// Apple says that a person stopped using the app.
    fileprivate func revokeAtApple(_ identity: IdentityID, of account: AccountID) async throws {
        let found = try #require(try await store.identities(of: account).first { $0.id == identity })
        clock.advance(by: .seconds(5))
        _ = try await store.applyNotification(
            .sample(.consentRevoked, found.subject, team: found.team, happenedAt: now))
    }

    fileprivate func enter(by way: SecondWay) async throws -> TokenSignIn? {
        do {
            switch way {
            case .appleShared: return try await signInWithApple()
            case .appleHidden: return try await signInWithApple(hidesEmail: true)
            case .password: return try await signIn()
            case .oneTimeLink: return try await finishSignIn(try await signInLink(), email: Self.address)
            }
        } catch let error as AccountError where error.code == .wrongCredentials {
            return nil
        }
    }
}

/// Every second way in, with everything that can happen to it.
@Suite("Each second way in", .eachEngine)
struct LinkMatrixTests {
    @Test("opens what the table says, after each event", arguments: Cell.all)
    fileprivate func cell(_ cell: Cell) async throws {
        let system = try await PasswordSystem()
        let hasOther = cell.event == .conflict || cell.event == .handle
        let other = hasOther ? try await system.makeOther(cell) : nil
        let session = try await system.session(of: system.signInFirst(cell))
        let account = session.account.id
        if hasOther {
            try await conflict(cell, in: session, other, system)
        } else {
            let added = try #require(try await system.add(cell, to: session))
            try await happen(cell, to: added, in: session, system)
        }
        let signIn = try await system.enter(by: cell.second)
        let entrance: Entrance? =
            switch signIn {
            case nil: .wrongCredentials
            case let signIn? where signIn.isNewAccount: .newAccount
            case let signIn? where signIn.account.id == account: .account
            case let signIn? where signIn.account.id == other: .otherAccount
            default: nil
            }
        #expect(entrance == cell.expected)
        guard cell.event != .delete else { return }
        #expect(try await system.signInFirst(cell).account.id == account)
        #expect(try await system.store.identities(of: account).count == (entrance == .account ? 2 : 1))
    }

    private func happen(
        _ cell: Cell, to added: LinkedIdentity, in session: StoredSession, _ system: PasswordSystem
    ) async throws {
        let consents = system.domain.consents
        let given = try await consents.list(of: session.account.id)
        #expect(given.map(\.purpose) == (cell.needsConsent ? [.linkedIdentity] : []))
        switch cell.event {
        case .link, .conflict, .handle: break
        case .unlink:
            let left = try await system.links.remove(added.id, in: session, from: .unknown).identities
            #expect(left.map(\.provider) == ["apple"])
        case .delete:
            _ = try await system.domain.deletions.delete(accountOf: session, from: .unknown)
            for table in [
                "identities", "passwords", "email_links", "apple_tokens", "conflict_handles", "account_pairs",
            ] as [SQLStatement] {
                #expect(try await system.count(table) == 0, "\(table)")
            }
        case .revokeAtApple:
            let opened = try await system.session(of: #require(try await system.enter(by: cell.second)))
            let ended = cell.second.isApple ? added.id : session.session.identityID
            try await system.revokeAtApple(ended, of: session.account.id)
            #expect(try await system.end(of: opened) == (cell.second.isApple ? .appleConsentRevoked : nil))
            #expect(try await system.end(of: session) == (cell.second.isApple ? nil : .appleConsentRevoked))
        case .withdraw:
            for consent in given {
                let done = try await consents.withdraw(consent.id, in: session, from: .unknown)
                #expect(done.unlinked.map(\.id) == [added.id] && done.kept.isEmpty)
            }
        }
    }

    private func conflict(
        _ cell: Cell, in session: StoredSession, _ other: AccountID?, _ system: PasswordSystem
    ) async throws {
        guard cell.second.isApple else {
            #expect(try await system.add(cell, to: session) == nil)
            #expect(try await system.mails(.accountExists).count == 1)
            return
        }
        let error = await expectError(.credentialAlreadyInUse) { _ = try await system.add(cell, to: session) }
        let handle = try #require(error?.conflict?.handle)
        guard cell.event == .handle else { return }
        let done = try await system.links.signIn(with: handle, in: session, from: .unknown)
        #expect(done.account.id == other)
        #expect(try await system.end(of: session) == .replaced)
    }
}
