import AccountAPI
import AccountDatabase
import AccountService
import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import NIOCore
import TaskSignals
import Testing

@testable import AccountHTTP

@Suite("The stream of an account's events", .eachEngine, .timeLimit(.minutes(5)))
struct EventStreamTests {
    /// Long enough that nothing in a test is found by looking now and then.
    private static let patient = EventStreamLimits(poll: .seconds(600), comment: .seconds(600))

    private func configuration(_ limits: EventStreamLimits = patient) -> AccountHTTPConfiguration {
        var configuration = AccountHTTPConfiguration.juice()
        configuration.eventStreams = limits
        return configuration
    }

    /// Returns when the stream has ended.
    private func follow(_ client: TestClient, _ token: String, after last: String? = nil) async throws -> TestResponse {
        var headers: HTTPFields = [.authorization: "Bearer \(token)", .accept: "text/event-stream"]
        if let last, let name = HTTPField.Name("Last-Event-ID") { headers[name] = last }
        return try await client.send(.get, "/v1/account/events", headers)
    }

    private func whenFollowed(_ service: TestService, _ account: String, by count: Int = 1) async throws {
        let counts = service.domain.bell.counts(of: AccountID(rawValue: account))
        _ = await counts.first { $0 == count }
        try Task.checkCancellation()
    }

    private func signOut(_ client: TestClient, _ token: String) async throws {
        let answer = try await client.send(.delete, "/v1/session", [.authorization: "Bearer \(token)"])
        #expect(answer.status == .noContent)
    }

    @Test("An event is told when it happens, and the stream ends with its session, whose end is told first")
    func liveEvents() async throws {
        try await withService(configuration()) { client, service in
            let first = try await service.signInNatively(client)
            async let stream = follow(client, first.session.accessToken, after: "0")
            try await whenFollowed(service, first.account.id)
            let second = try await service.signInNatively(client)
            try await signOut(client, first.session.accessToken)
            let answer = try await stream
            #expect(answer.status == .ok)
            #expect(answer.headers[.contentType] == "text/event-stream")
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.header("X-Accel-Buffering") == "no")
            let events = try answer.events()
            #expect(events.map(\.body.kind) == ["signed_in", "signed_in", "session_ended"])
            #expect(events.map(\.name) == events.map(\.body.kind))
            #expect(events.last?.body.reason == "signed_out")
            #expect(events.last?.body.about == events.first?.body.about)
            #expect(events[1].body.about != events[0].body.about)
            #expect(zip(events, events.dropFirst()).allSatisfy { $0.id < $1.id })
            let live = try await service.domain.sessions.authenticate(accessToken: second.session.accessToken)
            #expect(live.ended == nil)
        }
    }

    @Test("Without the id of a last event, a stream begins with new events")
    func fromNow() async throws {
        try await withService(configuration()) { client, service in
            let first = try await service.signInNatively(client)
            async let stream = follow(client, first.session.accessToken)
            try await whenFollowed(service, first.account.id)
            try await signOut(client, first.session.accessToken)
            let answer = try await stream
            #expect(try answer.events().map(\.body.kind) == ["session_ended"])
            // A client that comes back before the first event knows from where on.
            let beginning = try #require(answer.text.firstMatch(of: #/^retry: \d+\nid: (\d+)\n\n/#)?.output.1)
            let id = try #require(try answer.events().first?.id)
            #expect(Int64(beginning).map { $0 < id } == true)
        }
    }

    @Test("An end of consent is told on every stream of the account, and ends it")
    func consentRevoked() async throws {
        try await withService(configuration()) { client, service in
            let first = try await service.signInNatively(client)
            let second = try await service.signInNatively(client)
            async let one = follow(client, first.session.accessToken, after: "0")
            async let other = follow(client, second.session.accessToken, after: "0")
            try await whenFollowed(service, first.account.id, by: 2)
            service.clock.advance(by: .seconds(60))
            try await service.apple.stopUsing()
            try await service.apple.deliver(to: client)
            for answer in [try await one, try await other] {
                let last = try #require(try answer.events().last)
                #expect(last.body.kind == "apple_access_ended" && last.body.reason == "apple_consent_revoked")
            }
            // A client that was not listening fetches it, with a token of the session that is no more.
            for token in [first.session.accessToken, first.session.refreshToken] {
                let late = try await follow(client, token).events()
                #expect(late.map(\.body.kind) == ["signed_in", "signed_in", "apple_access_ended"])
                let rest = try await follow(client, token, after: "\(late[1].id)").events()
                #expect(rest.map(\.body.kind) == ["apple_access_ended"])
                #expect(try await follow(client, token, after: "\(late[2].id)").events().isEmpty)
            }
            // Later events of the account are nothing to that session.
            service.clock.advance(by: .seconds(60))
            _ = try await service.signInNatively(client)
            let later = try await follow(client, first.session.refreshToken).events()
            #expect(later.map(\.body.kind) == ["signed_in", "signed_in", "apple_access_ended"])
        }
    }

    @Test("Streams that are over at once end in order, many at a time")
    func overAtOnce() async throws {
        try await withService(configuration()) { client, service in
            let signedIn = try await service.signInNatively(client)
            let session = signedIn.session
            let bell = service.domain.bell
            let account = try #require(AccountID(received: signedIn.account.id))
            try await service.apple.stopUsing()
            try await service.apple.deliver(to: client)
            for _ in 0..<200 {
                // The server lets go of a stream a moment after its client has seen the end.
                for await count in bell.counts(of: account) where count == 0 { break }
                let statuses = try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                    for _ in 0..<5 {
                        group.addTask { try await follow(client, session.refreshToken, after: "9").status }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(statuses == Array(repeating: .ok, count: 5))
            }
        }
    }

    @Test("An event that another server wrote is found by polling")
    func otherServer() async throws {
        let limits = EventStreamLimits(poll: .milliseconds(10), comment: .seconds(600))
        try await withService(configuration(limits)) { client, service in
            let first = try await service.signInNatively(client)
            async let stream = follow(client, first.session.accessToken, after: "0")
            try await whenFollowed(service, first.account.id)
            let session = try await service.domain.sessions.authenticate(accessToken: first.session.accessToken)
            // Past the domain, as another process would.
            _ = try await service.store.endSession(
                session.session.id,
                SessionEnding(at: Timestamp(service.clock.now), reason: .signedOut, by: .service()))
            #expect(try await stream.events().map(\.body.kind) == ["signed_in", "session_ended"])
        }
    }

    @Test("A quiet stream carries comments")
    func quiet() async throws {
        try await withService { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            let session = try await service.domain.sessions.authenticate(accessToken: token)
            let stream = EventStream(
                feed: try await service.domain.events.follow(session, after: 0), beginning: nil,
                limits: EventStreamLimits(poll: .seconds(600), comment: .milliseconds(20)),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            var pieces: [String] = []
            for await piece in stream {
                pieces.append(String(buffer: piece))
                // Not to the end: a lifetime that is short enough to wait for may be over before the first comment.
                if pieces.last == ": \n\n" { break }
            }
            #expect(pieces.map { $0.prefix { $0 != ":" } } == ["retry", "id", ""])
        }
    }

    @Test("A quiet stream ends after its lifetime")
    func lifetime() async throws {
        let limits = EventStreamLimits(
            poll: .seconds(600), comment: .milliseconds(20), lifetime: .milliseconds(500))
        try await withService(configuration(limits)) { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            let answer = try await follow(client, token, after: "0")
            #expect(answer.text.hasPrefix("retry: "))
            #expect(try answer.events().count == 1)
        }
    }

    @Test("Five streams of an account at once, and a place for each that ends")
    func five() async throws {
        try await withService(configuration()) { client, service in
            let first = try await service.signInNatively(client)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<5 {
                    group.addTask { try await follow(client, first.session.accessToken).status.code }
                }
                try await whenFollowed(service, first.account.id, by: 5)
                let refused = try await follow(client, first.session.accessToken)
                try refused.expectError(.rateLimited, 429)
                #expect(refused.headers[.retryAfter] != nil)
                let second = try await service.signInNatively(client).session.accessToken
                try await signOut(client, first.session.accessToken)
                for try await status in group { #expect(status == 200) }
                try await whenFollowed(service, first.account.id, by: 0)
                async let next = follow(client, second)
                try await whenFollowed(service, first.account.id)
                try await signOut(client, second)
                #expect(try await next.status == .ok)
            }
        }
    }

    @Test("Beyond a server's share of streams the answer is 503, until one ends")
    func share() async throws {
        var limits = Self.patient
        limits.maximumStreams = 1
        try await withService(configuration(limits)) { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            for _ in 0..<2 {
                let session = try await service.signInNatively(client)
                async let stream = follow(client, session.session.accessToken)
                try await whenFollowed(service, session.account.id)
                let refused = try await follow(client, token)
                try refused.expectError(.unavailable, 503)
                #expect(refused.headers[.retryAfter] != nil)
                try await signOut(client, session.session.accessToken)
                #expect(try await stream.status == .ok)
            }
            // A request that is refused, or a HEAD, takes no place.
            #expect(try await follow(client, "none").status == .unauthorized)
            let head = try await client.send(.head, "/v1/account/events", [.authorization: "Bearer \(token)"])
            #expect(head.status == .ok)
            let last = try await service.signInNatively(client)
            async let stream = follow(client, last.session.accessToken)
            try await whenFollowed(service, last.account.id)
            try await signOut(client, last.session.accessToken)
            #expect(try await stream.status == .ok)
        }
    }

    @Test("A client that leaves makes place at once")
    func leaving() async throws {
        try await withService(configuration(), over: .live) { client, service in
            let first = try await service.signInNatively(client)
            let port = try #require(client.base.port)
            let request = HummingbirdTesting.TestClient.Request(
                "/v1/account/events", method: .get, authority: "localhost",
                headers: [.authorization: "Bearer \(first.session.accessToken)"])
            let five = Task { try await whenFollowed(service, first.account.id, by: 5) }
            try await withThrowingTaskGroup { group in
                for _ in 0..<5 {
                    group.addTask {
                        try await HummingbirdTesting.TestClient.withClient(host: "localhost", port: port) { raw in
                            try await raw.executeAndDontWaitForResponse(request)
                            try await five.value
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await whenFollowed(service, first.account.id, by: 0)
            try await HummingbirdTesting.TestClient.withClient(host: "localhost", port: port) { raw in
                async let sixth = raw.execute(request)
                try await whenFollowed(service, first.account.id)
                try await signOut(client, first.session.accessToken)
                #expect(try await sixth.status == .ok)
            }
        }
    }

    @Test("A session that another person's sign-in replaces is told to its account at once")
    func replaced() async throws {
        try await withService(configuration()) { client, service in
            let first = try await service.signInNatively(client)
            let cookie = try await service.signInWithBrowser(client)
            async let stream = follow(client, first.session.accessToken)
            try await whenFollowed(service, first.account.id)
            let (browser, form) = try await service.answerOfApple(client, person: "zoe", sessionCookie: cookie)
            let answer = try await client.post(
                "/sign-in/apple/callback", form: form, cookies: [browser], site: "cross-site",
                origin: TestService.emulatorURL)
            #expect(answer.status == .seeOther)
            try await signOut(client, first.session.accessToken)
            #expect(try await stream.events().map(\.body.reason) == ["replaced", "signed_out"])
        }
    }

    @Test("An id from the future counts as the last one")
    func future() async throws {
        try await withService(configuration()) { client, service in
            let first = try await service.signInNatively(client)
            async let stream = follow(client, first.session.accessToken, after: "\(Int64.max)")
            try await whenFollowed(service, first.account.id)
            try await signOut(client, first.session.accessToken)
            #expect(try await stream.events().map(\.body.kind) == ["session_ended"])
        }
    }

    @Test("A shutdown ends the streams")
    func shutdown() async throws {
        let stream = Lock<Task<Int, any Error>?>(nil)
        try await withService(configuration(), over: .live) { client, service in
            let first = try await service.signInNatively(client)
            let task = Task { try await follow(client, first.session.accessToken).status.code }
            stream.withLock { $0 = task }
            try await whenFollowed(service, first.account.id)
        }
        // The server is gone: whatever the client saw of the end, it does not wait any more.
        let task = try #require(stream.withLock { $0 })
        _ = await task.result
    }

    @Test("A text that isn't an event's id is refused", arguments: ["x", "-1", "1.5", "99999999999999999999"])
    func lastEventID(id: String) async throws {
        try await withService(configuration()) { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            try await follow(client, token, after: id).expectError(.invalidRequest, 400, field: "Last-Event-ID")
            try await client.send(.get, "/v1/account/events").expectError(.accessTokenMissing, 401)
        }
    }
}

/// One event as the stream has it.
private struct StreamedEvent {
    var id: Int64
    var name: String
    var body: AccountEventBody
}

extension TestResponse {
    fileprivate func events() throws -> [StreamedEvent] {
        try text.components(separatedBy: "\n\n").filter { $0.hasPrefix("id: ") }.map { block in
            let lines = block.components(separatedBy: "\n")
            try #require(lines.count == 3)
            return StreamedEvent(
                id: try #require(Int64(lines[0].dropFirst("id: ".count))),
                name: String(lines[1].dropFirst("event: ".count)),
                body: try JSONDecoder().decode(
                    AccountEventBody.self, from: Data(lines[2].dropFirst("data: ".count).utf8)))
        }
    }
}
