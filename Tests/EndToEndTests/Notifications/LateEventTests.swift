import AccountAPI
import AccountService
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("An event of Apple's that is older than the identity's last authorization", .timeLimit(.minutes(2)))
struct LateEventTests {
    /// Signs in, lets something happen that Apple tells late, and signs in again before it does.
    private func overtake(
        _ served: ServedSystem, _ type: String, hidesEmail: Bool = false
    ) async throws -> SignInAnswer {
        let system = served.system
        let first = try await served.signIn(hidesEmail: hidesEmail)
        try await system.order("/emulator/notifications/hold")
        system.clock.advance(by: .seconds(60))
        try await system.order(
            "/emulator/notifications", ["type": type, "person": "johnny", "clientID": TestSystem.juice.rawValue])
        #expect(try await served.deliver() == [])
        system.clock.advance(by: .seconds(60))
        let back = try await served.signIn(hidesEmail: hidesEmail)
        #expect(back.account.id == first.account.id)
        try await system.order("/emulator/notifications/release")
        #expect(try await served.deliver() == [200])
        let kept = try #require(await system.store.appleNotifications(limit: 10).first)
        #expect(kept.notification.happenedAt < Timestamp(system.clock.now) + .seconds(-59))
        return back
    }

    @Test(
        "still applies when the Apple Account was deleted", arguments: Engine.allCases,
        ["account-deleted", "account-delete"])
    func accountDeleted(on engine: Engine, type: String) async throws {
        try await ServedSystem.run(on: engine) { served in
            let back = try await overtake(served, type)
            let store = served.system.store
            #expect(try await store.appleNotifications(limit: 10).map(\.outcome) == [.applied])
            #expect(try await served.account(back.session).errorCode == .sessionEnded)
            #expect(try await served.refresh(back.session).errorCode == .refreshTokenInvalid)
            let account = AccountID(rawValue: back.account.id)
            let event = try #require(await store.accountEvents(of: account, after: 0, limit: 10).last)
            #expect(event.kind == .appleAccessEnded && event.reason == "apple_account_deleted")
            // The identity went too: whoever comes with the same `sub` is somebody new here.
            served.system.clock.advance(by: .seconds(60))
            let anew = try await served.signIn()
            #expect(anew.isNewAccount && anew.account.id != back.account.id)
        }
    }

    /// A sign-in says nothing about forwarding, so it outdates no word about the address that the person still has.
    @Test("still applies when it is about forwarding to the person's address", arguments: Engine.allCases)
    func forwarding(on engine: Engine) async throws {
        try await ServedSystem.run(on: engine) { served in
            let back = try await overtake(served, "email-disabled", hidesEmail: true)
            #expect(try await served.system.store.appleNotifications(limit: 10).map(\.outcome) == [.applied])
            let account = try await served.account(back.session).decode(AccountAnswer.self).account
            #expect(account.emailForwarding == .disabled)
        }
    }

    @Test(
        "changes nothing when it is an end of consent, or about another address than the person has",
        arguments: Engine.allCases, ["consent-revoked", "email-disabled", "email-enabled"])
    func other(on engine: Engine, type: String) async throws {
        try await ServedSystem.run(on: engine) { served in
            let back = try await overtake(served, type)
            #expect(try await served.system.store.appleNotifications(limit: 10).map(\.outcome) == [.outdated])
            let account = try await served.account(back.session).decode(AccountAnswer.self).account
            #expect(account == back.account)
            #expect(try await served.refresh(back.session).status == .ok)
        }
    }
}
