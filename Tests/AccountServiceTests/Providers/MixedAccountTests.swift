import AccountDatabase
import AccountEngines
import AppleID
import AppleIDTesting
import AppleIDTypes
import OpenIDConnect
import Testing

@testable import AccountService

/// Apple's notifications, transfers and checks about an account that has an identity at another provider, too.
@Suite("An account with Apple and another provider", .eachEngine)
struct MixedAccountTests {
    private struct Mixed {
        let system: PasswordSystem
        let byProvider: StoredSession
        let byApple: StoredSession
        let apple: Identity

        init() async throws {
            system = try await PasswordSystem.withProviders()
            byProvider = try await system.session(of: system.signInWithProvider())
            try await system.link(byProvider)
            system.clock.advance(by: .seconds(1))
            byApple = try await system.session(of: system.signInWithApple())
            let identities = try await system.store.identities(of: byProvider.account.id)
            apple = try #require(identities.first { $0.provider == .apple })
            #expect(byApple.account.id == byProvider.account.id && identities.count == 2)
        }

        /// Takes a notification of Apple's.
        func notify(_ change: AppleNotification.Change, subject: Subject) async throws {
            system.clock.advance(by: .seconds(2))
            let now = system.now
            _ = try await system.store.applyNotification(
                AppleNotification(
                    id: "\(change) \(subject)", type: EventType("test"), change: change, team: apple.team,
                    audience: PasswordSystem.juice, subject: subject, happenedAt: now, receivedAt: now))
        }

        /// Expects that the provider's person is as they were, and that Apple's is out.
        func expectEnd(_ reason: SessionEndReason) async throws {
            #expect(try await system.end(of: byApple) == reason)
            #expect(try await system.end(of: byProvider) == nil)
            let account = byProvider.account.id
            #expect(try await system.signInWithProvider().account.id == account)
            let ended = try await system.store.identities(of: account).filter { $0.access.ended != nil }
            #expect(ended.map(\.id) == [apple.id])
        }
    }

    @Test("An end of access at Apple ends Apple's sessions only")
    func consentRevoked() async throws {
        let mixed = try await Mixed()
        try await mixed.notify(.consentRevoked, subject: mixed.apple.subject)
        try await mixed.expectEnd(.appleConsentRevoked)
    }

    @Test("A deleted Apple Account is removed alone, and the person still signs in with the provider")
    func accountDeleted() async throws {
        let mixed = try await Mixed()
        try await mixed.notify(.accountDeleted, subject: mixed.apple.subject)
        #expect(try await mixed.system.end(of: mixed.byApple) == .appleAccountDeleted)
        #expect(try await mixed.system.end(of: mixed.byProvider) == nil)
        let account = mixed.byProvider.account.id
        #expect(try await mixed.system.signInWithProvider().account.id == account)
        let left = try await mixed.system.store.identities(of: account)
        #expect(left.map(\.provider.rawValue) == ["example"])
        #expect(left.map(\.email) == ["ann@example.org"])
    }

    @Test("A transfer to another team moves Apple's identity only, and ends no session")
    func transfer() async throws {
        let mixed = try await Mixed()
        let (system, account) = (mixed.system, mixed.byProvider.account.id)
        let before = try await system.store.identities(of: account).filter { $0.provider != .apple }
        let move = try await system.awaitedMove(of: mixed.apple.id, of: account, number: 0)
        #expect(try await system.move(move, of: account, at: system.now))
        let identities = try await system.store.identities(of: account)
        #expect(identities.filter { $0.provider != .apple } == before && before.count == 1)
        #expect(identities.filter { $0.provider == .apple }.map(\.team) == ["OTHERTEAM1"])
        #expect(try await system.end(of: mixed.byApple) == nil)
        #expect(try await system.end(of: mixed.byProvider) == nil)
        #expect(try await system.signInWithProvider().account.id == account)
    }

    @Test("A notification about a subject doesn't affect a provider's person with the same subject")
    func foreignSubject() async throws {
        let mixed = try await Mixed()
        try await mixed.notify(.consentRevoked, subject: "person-1")
        #expect(try await mixed.system.end(of: mixed.byProvider) == nil)
        #expect(try await mixed.system.end(of: mixed.byApple) == nil)
    }

    @Test("A deletion and sign-ins with the provider at once don't block each other")
    func deletion() async throws {
        for _ in 0..<4 {
            let mixed = try await Mixed()
            let system = mixed.system
            let credentials = try (0..<3).map { _ in try system.providerCredential() }
            let ends = try await atOnce(credentials.count + 1) { index in
                do {
                    if index == credentials.count {
                        _ = try await system.domain.deletions.delete(accountOf: mixed.byProvider)
                        return "deleted"
                    }
                    _ = try await system.domain.signIn.native(credentials[index], from: PasswordSystem.caller)
                    return "done"
                } catch let error as AccountError {
                    return error.code.description
                }
            }
            #expect(ends.contains("deleted"), "\(ends)")
            #expect(Set(ends).isSubset(of: ["deleted", "done", "unavailable"]), "\(ends)")
            #expect(try await system.store.account(mixed.byProvider.account.id) == nil)
            let after = try await system.signInWithProvider()
            #expect(after.account.id != mixed.byProvider.account.id)
            let identities = try await system.store.identities(of: after.account.id)
            #expect(identities.map(\.provider.rawValue) == ["example"], "Apple's identity went with the account")
        }
    }

    @Test("The daily check covers Apple's token only, and its death ends Apple's sessions only")
    func dailyCheck() async throws {
        let mixed = try await Mixed()
        let system = mixed.system
        let identities = try await system.store.identities(of: mixed.byProvider.account.id)
        for identity in identities {
            let tokens = try await system.store.appleTokens(of: identity.id)
            #expect(tokens.isEmpty == (identity.id != mixed.apple.id))
        }
        system.clock.advance(by: .days(1))
        system.clock.advance(by: .seconds(1))
        let due = try await system.store.claimTokenChecks(
            of: PasswordSystem.juice, at: system.now, leasedUntil: system.now, limit: 9)
        #expect(due.map(\.identity) == [mixed.apple.id])
        let found = system.now
        for check in due {
            _ = try await system.store.endTokenCheck(check.token, .dead, at: found)
        }
        system.clock.advance(by: CheckRules.window)
        let grant = try await system.store.endNextDeadGrant(foundBefore: found, at: system.now)
        #expect(grant?.identity == mixed.apple.id && grant?.endedAccess == true)
        try await mixed.expectEnd(.appleGrantDead)
    }
}
