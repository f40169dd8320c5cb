import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

/// The operator wishes that an end of consent deletes the account, unless another identity opens it.
@Suite("An end of consent, and a dead grant", .eachEngine)
struct DeadGrantNotificationTests {
    @Test("A person whose grant was dead before is deleted by Apple's word, however late it comes")
    func afterDeadGrant() async throws {
        for delay in [Duration.zero, .days(3)] {
            let system = try await PasswordSystem()
            let account = try await system.signInWithApple().account.id
            let identity = try #require(try await system.store.identities(of: account).first)
            try await system.endDeadGrant(of: identity.id, account)
            system.clock.advance(by: delay)
            #expect(try await system.stopUsing(identity, deletes: true) == .applied)
            #expect(try await system.store.identities(of: account).isEmpty)
        }
    }

    @Test("Where no deletion is wished for, the account stays, and an older credential opens it no more")
    func withoutDeletion() async throws {
        let system = try await PasswordSystem()
        let account = try await system.signInWithApple().account.id
        let identity = try #require(try await system.store.identities(of: account).first)
        try await system.endDeadGrant(of: identity.id, account)
        system.clock.advance(by: .hours(1))
        #expect(try await system.stopUsing(identity, deletes: false) == .unchanged)
        let ended = try #require(try await system.store.identities(of: account).first?.access.ended)
        #expect(ended.reason == .appleConsentRevoked && ended.at == system.now)
    }

    @Test("An account stays if another Apple Account opens it, whose grant is dead")
    func otherIdentity() async throws {
        let system = try await PasswordSystem()
        let session = try await system.session(of: system.signInWithApple("zoe"))
        try await system.link(session)
        let identities = try await system.store.identities(of: session.account.id)
        #expect(identities.count == 2)
        try await system.endDeadGrant(of: identities[0].id, session.account.id)
        system.clock.advance(by: .hours(1))
        #expect(try await system.stopUsing(identities[1], deletes: true) == .applied)
        #expect(try await system.signInWithApple("zoe").account.id == session.account.id)
    }
}

extension PasswordSystem {
    /// Ends the access of an identity, as the daily check does an hour after Apple has refused its refresh token as dead.
    fileprivate func endDeadGrant(of identity: IdentityID, _ account: AccountID) async throws {
        let moment = now
        try await store.write { connection in
            try connection.lock(account: account)
            try connection.endAppleAccess(
                of: identity, of: account, endedAt: moment, at: moment, reason: .appleGrantDead)
        }
    }

    fileprivate func stopUsing(_ identity: Identity, deletes: Bool) async throws -> NotificationOutcome {
        var notification = AppleNotification.sample(
            .consentRevoked, identity.subject, team: identity.team, happenedAt: now)
        notification.deletion = deletes ? .sample() : nil
        return try await store.applyNotification(notification).outcome
    }
}
