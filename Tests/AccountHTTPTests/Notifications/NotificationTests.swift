import AccountAPI
import AccountDatabase
import AccountService
import AppleIDEmulator
import AppleIDTypes
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite("Apple's notifications", .eachEngine)
struct NotificationTests {
    private func account(_ client: TestClient, _ session: SessionBody) async throws -> TestResponse {
        try await client.send(.get, "/v1/account", [.authorization: "Bearer \(session.accessToken)"])
    }

    @Test(
        "An end of consent ends the sessions, in every form that Apple's notifications take",
        arguments: [
            [], ["events-as-object"], ["event-time-in-seconds"], ["notification-without-exp"],
        ] as [[String]])
    func consentRevoked(quirks: [String]) async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let first = try await service.signInNatively(client)
            try await service.apple.control("/emulator/quirks", ["quirks": quirks])
            service.clock.advance(by: .seconds(60))
            try await service.apple.stopUsing()
            #expect(try await service.apple.deliver(to: client) == [200])
            try await account(client, first.session).expectError(.sessionEnded, 401)
            #expect(try await client.page("/account", cookies: [cookie]).status == .seeOther)
            let kept = try await service.store.appleNotifications(limit: 10)
            #expect(kept.map(\.outcome) == [.applied])
            #expect(kept.first?.account?.rawValue == first.account.id)
        }
    }

    @Test("A person who returns after that has the same account, with a new grant")
    func comesBack() async throws {
        try await withService { client, service in
            let first = try await service.signInNatively(client)
            service.clock.advance(by: .seconds(60))
            try await service.apple.stopUsing()
            try await service.apple.deliver(to: client)
            service.clock.advance(by: .seconds(60))
            let second = try await client.post(
                "/v1/sign-in/apple",
                json: try await service.nativeCredential(fullName: FullName(givenName: "Jo", familyName: "New")))
            let answer = try second.decode(SignInAnswer.self)
            #expect(answer.account.id == first.account.id && !answer.isNewAccount)
            #expect(answer.account.name?.formatted == "Jo New")
            #expect(answer.account.appleAccess == .granted && answer.account.appleAccessEndedAt == nil)
            #expect(try await account(client, answer.session).status == .ok)
        }
    }

    @Test("A deleted Apple Account ends the sessions and takes the identity", arguments: [false, true])
    func accountDeleted(isShort: Bool) async throws {
        try await withService { client, service in
            let first = try await service.signInNatively(client)
            if !isShort { try await service.apple.control("/emulator/quirks", ["quirks": ["account-deleted"]]) }
            try await service.apple.control("/emulator/people/delete", ["person": "johnny"])
            #expect(try await service.apple.deliver(to: client) == [200])
            try await account(client, first.session).expectError(.sessionEnded, 401)
            let id = try #require(
                await service.store.appleNotifications(limit: 1).first?.account)
            let event = try #require(await service.store.accountEvents(of: id, after: 0, limit: 10).last)
            #expect(event.kind == .appleAccessEnded && event.reason == "apple_account_deleted")
        }
    }

    @Test("Forwarding is switched off and on, and the account says so")
    func forwarding() async throws {
        try await withService { client, service in
            _ = try await service.completeSignIn(client, hideEmail: true)
            let session = try await service.signInNatively(client).session
            func known() async throws -> EmailForwarding? {
                try await account(client, session).decode(AccountAnswer.self).account.emailForwarding
            }
            #expect(try await known() == nil)
            for isOn in [false, true] {
                service.clock.advance(by: .seconds(60))
                try await service.apple.forward(isOn)
                try await service.apple.deliver(to: client)
                #expect(try await known() == (isOn ? .enabled : .disabled))
            }
            #expect(service.apple.post.statuses == [200, 200])
        }
    }

    @Test("A repeated notification is acknowledged and not applied")
    func replay() async throws {
        try await withService { client, service in
            _ = try await service.signInNatively(client)
            service.clock.advance(by: .seconds(60))
            try await service.apple.stopUsing()
            try await service.apple.deliver(to: client)
            service.clock.advance(by: .seconds(60))
            let back = try await service.signInNatively(client)
            let id = try #require(await service.store.appleNotifications(limit: 1).first?.notification.id)
            try await service.apple.control("/emulator/notifications/\(id)/replay")
            #expect(try await service.apple.deliver(to: client) == [200, 200])
            #expect(try await account(client, back.session).status == .ok)
            #expect(try await service.store.appleNotifications(limit: 10).count == 1)
        }
    }

    @Test("An event that was held until the person had come back changes nothing")
    func held() async throws {
        try await withService { client, service in
            _ = try await service.signInNatively(client)
            try await service.apple.control("/emulator/notifications/hold")
            service.clock.advance(by: .seconds(60))
            try await service.apple.stopUsing()
            #expect(try await service.apple.deliver(to: client) == [])
            service.clock.advance(by: .seconds(60))
            let back = try await service.signInNatively(client)
            try await service.apple.control("/emulator/notifications/release")
            #expect(try await service.apple.deliver(to: client) == [200])
            #expect(try await account(client, back.session).status == .ok)
            #expect(try await service.store.appleNotifications(limit: 1).first?.outcome == .outdated)
        }
    }

    @Test("Events out of order: the latest counts")
    func order() async throws {
        try await withService { client, service in
            _ = try await service.completeSignIn(client, hideEmail: true)
            let session = try await service.signInNatively(client).session
            try await service.apple.control("/emulator/notifications/hold")
            for isOn in [false, true] {
                service.clock.advance(by: .seconds(60))
                try await service.apple.forward(isOn)
            }
            let list = try await service.apple.notificationIDs()
            try #require(list.count == 2)
            for id in list.reversed() {
                try await service.apple.control("/emulator/notifications/release", ["id": id])
                try await service.apple.deliver(to: client)
            }
            #expect(service.apple.post.statuses == [200, 200])
            let known = try await account(client, session).decode(AccountAnswer.self).account.emailForwarding
            #expect(known == .enabled)
            #expect(Set(try await service.store.appleNotifications(limit: 9).map(\.outcome)) == [.applied, .outdated])
        }
    }

    @Test("Gap 4: an unknown type, and an unknown person, are kept and acknowledged")
    func unknown() async throws {
        try await withService { client, service in
            let session = try await service.signInNatively(client).session
            for (type, person) in [("orchard-planted", "johnny"), ("consent-revoked", "zoe")] {
                try await service.apple.control(
                    "/emulator/notifications",
                    ["type": type, "person": person, "clientID": TestService.app.rawValue])
            }
            #expect(try await service.apple.deliver(to: client) == [200, 200])
            #expect(try await account(client, session).status == .ok)
            let kept = try await service.store.appleNotifications(limit: 9)
            #expect(Set(kept.map(\.outcome)) == [.unknownType, .unknownSubject])
            #expect(kept.contains { $0.notification.type == EventType("orchard-planted") })
        }
    }
}

extension TestApple {
    /// Returns the ids of all notifications so far, oldest first.
    fileprivate func notificationIDs() async throws -> [String] {
        let answer = try await control("/emulator/notifications/hold")
        let list = try #require(answer["notifications"] as? [[String: Any]])
        return list.compactMap { $0["id"] as? String }
    }
}
