import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

/// A second way in to an account, whose first is an Apple Account that shows its address.
enum LinkedWay: String, CaseIterable, CustomTestStringConvertible {
    case appleShared, appleHidden, password, oneTimeLink

    var testDescription: String { rawValue }
    var isApple: Bool { self == .appleShared || self == .appleHidden }
    var needsConsent: Bool { self == .appleHidden }
}

/// The outcome of a sign-in by a way in.
private enum Entrance: Equatable {
    case account(AccountID), newAccount
    case refused(AccountError.Code)
}

extension PasswordSystem {
    /// An account with an Apple Account that shows its address.
    fileprivate func base() async throws -> StoredSession { try await session(of: signInWithApple("zoe")) }

    /// Adds a way in, with all the consent that it needs.
    fileprivate func add(_ way: LinkedWay, to session: StoredSession) async throws -> [LinkedIdentity] {
        if way.isApple {
            return try await link(
                session, hidesEmail: way == .appleHidden, consent: way.needsConsent ? consentText : nil)
        }
        clock.advance(by: .seconds(1))
        try await passwords.requestLink(
            in: session, email: Self.address, password: Self.password, consent: nil, from: Self.caller)
        let secret = try #require(try await mails(.linkAddress).last?.secret)
        return try await passwords.finishLink(secret, in: session, from: Self.caller)
    }

    fileprivate func enter(by way: LinkedWay) async throws -> Entrance {
        do {
            let done: TokenSignIn
            switch way {
            case .appleShared: done = try await signInWithApple()
            case .appleHidden: done = try await signInWithApple(hidesEmail: true)
            case .password: done = try await signIn()
            case .oneTimeLink: done = try await finishSignIn(try await signInLink(), email: Self.address)
            }
            return done.isNewAccount ? .newAccount : .account(done.account.id)
        } catch let error as AccountError {
            return .refused(error.code)
        }
    }

    /// Apple says that a person stopped using the app.
    fileprivate func revokeAtApple(_ identity: IdentityID, of account: AccountID) async throws {
        let found = try #require(try await store.identities(of: account).first { $0.id == identity })
        clock.advance(by: .seconds(5))
        _ = try await store.applyNotification(
            .sample(.consentRevoked, found.subject, team: found.team, happenedAt: now))
    }
}

/// Every second way in, with everything that can happen to it.
@Suite("Each way in", .eachEngine)
struct LinkMatrixTests {
    @Test("is linked: it opens the account, and so does the first", arguments: LinkedWay.allCases)
    func link(way: LinkedWay) async throws {
        let system = try await PasswordSystem()
        let session = try await system.base()
        #expect(try await system.add(way, to: session).count == 2)
        #expect(try await system.enter(by: way) == .account(session.account.id))
        #expect(try await system.signInWithApple("zoe").account.id == session.account.id)
        #expect(
            try await system.domain.consents.list(of: session.account.id).map(\.purpose)
                == (way.needsConsent ? [.contactEmail] : []))
    }

    @Test("is unlinked: it opens nothing, or an account of its own", arguments: LinkedWay.allCases)
    func unlink(way: LinkedWay) async throws {
        let system = try await PasswordSystem()
        let session = try await system.base()
        let added = try await system.add(way, to: session)[1]
        let left = try await system.links.remove(added.id, in: session, from: .unknown).identities
        #expect(left.map(\.provider) == ["apple"])
        #expect(try await system.enter(by: way) == (way == .password ? .refused(.wrongCredentials) : .newAccount))
        #expect(try await system.signInWithApple("zoe").account.id == session.account.id)
    }

    @Test("is another account's: nothing is joined, and Apple's has a handle", arguments: LinkedWay.allCases)
    func conflict(way: LinkedWay) async throws {
        let system = try await PasswordSystem()
        let other =
            way.isApple
            ? try await system.signInWithApple(hidesEmail: way == .appleHidden).account.id
            : try await system.makeAccount().account.id
        let session = try await system.base()
        if way.isApple {
            let error = await expectError(.credentialAlreadyInUse) { _ = try await system.add(way, to: session) }
            let handle = try #require(error?.conflict?.handle)
            let done = try await system.links.signIn(with: handle, in: session, from: .unknown)
            #expect(done.account.id == other)
        } else {
            try await system.passwords.requestLink(
                in: session, email: PasswordSystem.address, password: PasswordSystem.password, consent: nil,
                from: .unknown)
            #expect(try await system.mails(.linkAddress).isEmpty)
            #expect(try await system.mails(.accountExists).count == 1)
        }
        #expect(try await system.store.identities(of: session.account.id).count == 1)
        #expect(try await system.enter(by: way) == .account(other))
    }

    @Test("goes with the account", arguments: LinkedWay.allCases)
    func delete(way: LinkedWay) async throws {
        let system = try await PasswordSystem()
        let session = try await system.base()
        _ = try await system.add(way, to: session)
        _ = try await system.domain.deletions.delete(accountOf: session, from: .unknown)
        for table in ["identities", "passwords", "email_links", "apple_tokens", "conflict_handles"] as [SQLStatement] {
            #expect(try await system.count(table) == 0, "\(table)")
        }
        #expect(try await system.enter(by: way) == (way == .password ? .refused(.wrongCredentials) : .newAccount))
    }

    @Test("ends alone at Apple, and stays where the other ends", arguments: LinkedWay.allCases)
    func revoke(way: LinkedWay) async throws {
        let system = try await PasswordSystem()
        let session = try await system.base()
        let linked = try await system.add(way, to: session)
        if way.isApple {
            let opened = try await system.session(of: system.signInWithApple(hidesEmail: way == .appleHidden))
            try await system.revokeAtApple(linked[1].id, of: session.account.id)
            #expect(try await system.end(of: opened) == .appleConsentRevoked)
            #expect(try await system.end(of: session) == nil)
        } else {
            let opened = try await system.session(of: system.signIn())
            try await system.revokeAtApple(linked[0].id, of: session.account.id)
            #expect(try await system.end(of: session) == .appleConsentRevoked)
            #expect(try await system.end(of: opened) == nil)
        }
        #expect(try await system.enter(by: way) == .account(session.account.id), "the person comes back")
        #expect(try await system.store.identities(of: session.account.id).count == 2)
    }

    @Test("outlives a consent that is withdrawn, until the person removes it", arguments: LinkedWay.allCases)
    func withdraw(way: LinkedWay) async throws {
        let system = try await PasswordSystem()
        let session = try await system.base()
        let added = try await system.add(way, to: session)[1]
        let consents = try await system.domain.consents.list(of: session.account.id)
        #expect(consents.count == (way.needsConsent ? 1 : 0))
        for consent in consents {
            _ = try await system.domain.consents.withdraw(consent.id, in: session, from: .unknown)
        }
        #expect(try await system.enter(by: way) == .account(session.account.id))
        #expect(try await system.links.remove(added.id, in: session, from: .unknown).identities.count == 1)
    }
}
