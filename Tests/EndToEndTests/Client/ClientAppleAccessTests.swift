#if !canImport(Darwin)
    import AccountAPI
    import AccountClient
    import AccountService
    import AppleIDEmulator
    import AppleIDTesting
    import AppleIDTypes
    import Foundation
    import HTTPTypes
    import OpenAuthenticationServices
    import Testing

    @Suite("The client of a person who changes something at Apple", .eachEngine, .timeLimit(.minutes(2)))
    struct ClientAppleAccessTests {
        /// The person stops using the app in the settings of their Apple Account, and Apple tells the service.
        private func stopUsing(_ system: TestSystem) async throws {
            system.clock.advance(by: .seconds(2))
            try await order(system, "grants/stop-using", ["person": "johnny", "clientID": TestSystem.juice.rawValue])
            let order = ["type": "consent-revoked", "person": "johnny", "clientID": TestSystem.juice.rawValue]
            let answer = try await self.order(system, "notifications", order)
            let payload = try #require(answer["payload"] as? String)
            try await system.domain.notifications.receive(Array(try JSONEncoder().encode(["payload": payload])))
        }

        @discardableResult
        private func order(_ system: TestSystem, _ path: String, _ body: [String: String]) async throws -> [String: Any]
        {
            var request = HTTPRequest(
                method: .post, scheme: "http", authority: "127.0.0.1:4010", path: "/emulator/" + path)
            request.headerFields[.contentType] = "application/json"
            let (response, answer) = await system.emulator.respond(
                to: request, body: Array(try JSONSerialization.data(withJSONObject: body)))
            try #require(response.status.kind == .successful)
            return answer.isEmpty ? [:] : try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any] ?? [:]
        }

        private func state(
            _ configuration: AuthenticationServicesConfiguration, _ user: String
        ) async throws -> ASAuthorizationAppleIDProvider.CredentialState {
            try await CurrentPerformer.$scoped.withValue(AccountServicePerformer(configuration: configuration)) {
                try await ASAuthorizationAppleIDProvider().credentialState(forUserID: user)
            }
        }

        @Test(
            "the state is authorized, then revoked, and authorized again after another sign-in",
            arguments: ClientSystem.Way.allCases)
        func states(_ way: ClientSystem.Way) async throws {
            try await ClientSystem.run(way) { street in
                let client = street.client()
                let account = try await client.signIn()
                #expect(try await client.credentialState() == .authorized)
                #expect(try await state(client.configuration, #require(account.user)) == .authorized)
                #expect(try await state(client.configuration, "002000.somebody.else") == .notFound)

                try await stopUsing(street.system)
                #expect(try await state(client.configuration, #require(account.user)) == .revoked)
                #expect(await client.account == nil)
                var states = client.session.makeAsyncIterator()
                #expect(await states.next() == .signedOut(.appleAccessEnded))

                _ = try await client.signIn()
                #expect(try await client.credentialState() == .authorized)
                // The account is the same. Only the session ended.
                #expect(await client.account?.id == account.id)
            }
        }

        @Test("a later start learns of it at once, and an offline client gets the last known state")
        func laterStart() async throws {
            try await ClientSystem.run { street in
                let storage = MemoryStorage()
                let account = try await street.client(storage: storage).signIn()
                try await stopUsing(street.system)

                let notifications = NotificationCenter.default.notifications(
                    named: ASAuthorizationAppleIDProvider.credentialRevokedNotification)
                let restarted = street.client(storage: storage)
                #expect(try await restarted.existingAccount() == nil)
                var iterator = notifications.makeAsyncIterator()
                _ = await iterator.next(isolation: #isolation)

                street.network.goDown()
                let offline = street.client(storage: storage)
                #expect(try await state(offline.configuration, #require(account.user)) == .revoked)
            }
        }

        @Test("a running client that is installed posts Apple's notification when the service is told")
        func notification() async throws {
            try await ClientSystem.run(.sockets) { street in
                let client = street.client()
                let account = try await client.signIn()
                let notifications = NotificationCenter.default.notifications(
                    named: ASAuthorizationAppleIDProvider.credentialRevokedNotification)
                // This does what `install()` does, without its effect on the whole process.
                client.watch()
                await street.network.opened("/v1/account/events")
                try await stopUsing(street.system)

                // Other tests of this process may post it too: the state is what counts.
                var states = client.session.makeAsyncIterator()
                while let state = await states.next(), state != .signedOut(.appleAccessEnded) {}
                var iterator = notifications.makeAsyncIterator()
                _ = await iterator.next(isolation: #isolation)
                #expect(try await state(client.configuration, #require(account.user)) == .revoked)
            }
        }

        @Test("events arrive as they happen, and the last ones of an ended session afterwards")
        func events() async throws {
            try await ClientSystem.run(.sockets) { street in
                let storage = MemoryStorage()
                let client = street.client(storage: storage)
                _ = try await client.signIn()
                let told = Task {
                    var events: [ToldEvent] = []
                    for try await event in client.events() { events.append(event) }
                    return events
                }
                await street.network.opened("/v1/account/events")
                let other = street.client(storage: MemoryStorage())
                _ = try await other.signIn()
                try await other.signOut()
                try await stopUsing(street.system)
                let events = try await told.value
                #expect(events.map(\.kind) == [.signedIn, .sessionEnded, .appleAccessEnded])
                #expect(events.last?.reason == "apple_consent_revoked")

                var later: [ToldEvent] = []
                for try await event in street.client(storage: storage).events(after: events[0].id) {
                    later.append(event)
                }
                #expect(later == Array(events[1...]))
            }
        }

        @Test("following events ends when the session is ended elsewhere, and the end is told")
        func endedElsewhere() async throws {
            try await ClientSystem.run(.sockets) { street in
                let client = street.client()
                _ = try await client.signIn()
                let told = Task {
                    var kinds: [ToldEvent.Kind] = []
                    for try await event in client.events() { kinds.append(event.kind) }
                    return kinds
                }
                await street.network.opened("/v1/account/events")
                let other = street.client(storage: MemoryStorage())
                _ = try await other.signIn()
                try await other.endOtherSessions()
                #expect(try await told.value.contains(.sessionEnded))
                #expect(await client.account == nil)
                var states = client.session.makeAsyncIterator()
                let last = await states.next()
                #expect(last == .signedOut(.ended(.sessionEnded)) || last == .signedOut(.ended(.refreshTokenInvalid)))
            }
        }
    }
#endif
