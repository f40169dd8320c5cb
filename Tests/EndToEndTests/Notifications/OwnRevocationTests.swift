import AccountAPI
import AccountService
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite("Apple's notification of a revocation that this service asked for", .timeLimit(.minutes(2)))
struct OwnRevocationTests {
    /// Signed in on a device and in a browser, and revoked by the device.
    private func revoked(_ served: ServedSystem) async throws -> (session: SessionBody, cookie: String) {
        let cookie = try await served.system.browse().sessionCookie
        let session = try await served.signIn().session
        let answer = try await served.ask(
            .post, "/v1/apple/revoke", token: session.accessToken, AppleRevocationRequest())
        try #require(answer.status == .accepted)
        try await served.system.domain.outbox.drain()
        #expect(try await served.system.isFirstAtApple())
        return (session, cookie)
    }

    /// All that the person and their clients can see.
    private func seen(_ served: ServedSystem, _ session: SessionBody) async throws -> [String] {
        var seen: [String] = []
        for path in ["/v1/account", "/v1/sessions", "/v1/apple/credential-state"] {
            let answer = try await served.ask(.get, path, token: session.accessToken)
            #expect(answer.status == .ok)
            seen.append(String(buffer: answer.body))
        }
        let id = AccountID(rawValue: try await served.account(session).decode(AccountAnswer.self).account.id)
        let events = try await served.system.store.accountEvents(of: id, after: 0, limit: 100)
        return seen + events.map { "\($0)" }
    }

    @Test(
        "is answered, kept as expected, and changes nothing, though it comes nine minutes later and again",
        arguments: Engine.allCases)
    func echo(on engine: Engine) async throws {
        try await ServedSystem.run(on: engine) { served in
            let (session, cookie) = try await revoked(served)
            served.system.clock.advance(by: .seconds(540))
            let before = try await seen(served, session)
            let statuses = try await served.deliver()
            #expect(!statuses.isEmpty && statuses.allSatisfy { $0 == 200 })
            let kept = try await served.system.store.appleNotifications(limit: 10)
            #expect(kept.count == statuses.count)
            #expect(kept.allSatisfy { $0.outcome == .expected && $0.notification.type == .consentRevoked })
            let id = try #require(kept.first?.notification.id)
            try await served.system.order("/emulator/notifications/\(id)/replay")
            #expect(try await served.deliver().count == statuses.count + 1)
            #expect(try await seen(served, session) == before)
            #expect(try await served.refresh(session).status == .ok)
            #expect(try await served.page("/account", cookie: cookie).status == .ok)
        }
    }

    @Test(
        "is expected for ten minutes; a later event is a person who left", arguments: Engine.allCases,
        [(600, true), (601, false)])
    func limit(on engine: Engine, _ place: (seconds: Int, isExpected: Bool)) async throws {
        try await ServedSystem.run(on: engine) { served in
            try await served.system.order("/emulator/quirks", ["quirks": ["revoke-without-notification"]])
            let (session, cookie) = try await revoked(served)
            served.system.clock.advance(by: .seconds(place.seconds - 60))
            let refreshed = try await served.refresh(session).decode(RefreshAnswer.self).session
            served.system.clock.advance(by: .seconds(60))
            let before = try await seen(served, refreshed)
            try await served.system.order(
                "/emulator/notifications",
                ["type": "consent-revoked", "person": "johnny", "clientID": TestSystem.juice.rawValue])
            #expect(try await served.deliver() == [200])
            let outcome = try await served.system.store.appleNotifications(limit: 10).map(\.outcome)
            #expect(outcome == [place.isExpected ? .expected : .applied])
            if place.isExpected {
                #expect(try await seen(served, refreshed) == before)
                #expect(try await served.page("/account", cookie: cookie).status == .ok)
            } else {
                #expect(try await served.account(refreshed).errorCode == .sessionEnded)
                #expect(try await served.page("/account", cookie: cookie).status == .seeOther)
            }
        }
    }
}
