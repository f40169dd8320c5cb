import AccountAPI
import AccountService
import AppleIDTesting
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("A session has an end", .timeLimit(.minutes(2)))
struct SessionLimitTests {
    private static let month: Duration = .seconds(30 * 86_400)
    private static let second: Duration = .seconds(1)

    @Test("after a month without use, for an app and in a browser", arguments: Engine.allCases)
    func idle(on engine: Engine) async throws {
        try await ServedSystem.run(on: engine) { served in
            let system = served.system
            let session = try await served.signIn().session
            let cookie = try await system.browse().sessionCookie
            system.clock.advance(by: Self.month - Self.second)
            let refreshed = try await served.refresh(session)
            try #require(refreshed.status == .ok)
            let second = try refreshed.decode(RefreshAnswer.self).session
            #expect(try await served.page("/account", cookie: cookie).status == .ok)
            // The use has begun another month, for either.
            system.clock.advance(by: Self.month - Self.second)
            let third = try await served.refresh(second).decode(RefreshAnswer.self).session
            #expect(try await served.page("/account", cookie: cookie).status == .ok)
            system.clock.advance(by: Self.month)
            #expect(try await served.refresh(third).errorCode == .refreshTokenInvalid)
            #expect(try await served.page("/account", cookie: cookie).status == .seeOther)
            // Nothing brings it back.
            #expect(try await served.refresh(third).status == .unauthorized)
        }
    }

    @Test("after half a year, however much it is used", arguments: Engine.allCases)
    func absolute(on engine: Engine) async throws {
        try await ServedSystem.run(on: engine) { served in
            let system = served.system
            var session = try await served.signIn().session
            let cookie = try await system.browse().sessionCookie
            func use() async throws {
                session = try await served.refresh(session).decode(RefreshAnswer.self).session
                #expect(try await served.account(session).status == .ok)
                #expect(try await served.page("/account", cookie: cookie).status == .ok)
            }
            for _ in 0..<6 {
                system.clock.advance(by: .seconds(29 * 86_400))
                try await use()
            }
            system.clock.advance(by: .seconds(6 * 86_400) - Self.second)
            try await use()
            system.clock.advance(by: Self.second)
            #expect(try await served.refresh(session).errorCode == .refreshTokenInvalid)
            // Nor is its last access token of use, though it is a second old.
            #expect(try await served.account(session).errorCode == .sessionEnded)
            #expect(try await served.page("/account", cookie: cookie).status == .seeOther)
        }
    }
}
