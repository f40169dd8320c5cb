import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Foundation
import OpenAuthenticationServices
import Testing

@Suite("Following the events of an account", .timeLimit(.minutes(2)))
struct EventsTests {
    private let device = TestDevice()

    private static func text(_ id: Int, _ kind: String) -> String {
        let data = #"{"about":"ses_1","at":"2026-11-21T09:00:00Z","kind":"\#(kind)","reason":null}"#
        return "id: \(id)\nevent: \(kind)\ndata: \(data)\n\n"
    }

    /// A stream that has this to say and then ends, or breaks off.
    private static func stream(_ pieces: String..., breaks: Bool = false) -> TestService.StreamHandler {
        { _ in
            let (body, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
            for piece in ["retry: 3000\n\n"] + pieces { continuation.yield(Data(piece.utf8)) }
            continuation.finish(throwing: breaks ? URLError(.networkConnectionLost) : nil)
            return ServiceStream(status: 200, headers: ["Content-Type": "text/event-stream"], body: body)
        }
    }

    private static func refusal(_ status: Int, _ code: ErrorCode) -> TestService.StreamHandler {
        { _ in
            let answer = try ServiceAnswer.refusal(status, code)
            let (body, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
            continuation.yield(answer.body)
            continuation.finish()
            return ServiceStream(status: status, headers: answer.headers, body: body)
        }
    }

    private var opened: [ServiceRequest] { device.service.requests("GET /v1/account/events") }

    private func kinds(_ client: AccountClient, after id: AccountEvent.ID? = nil) async throws -> [String] {
        var kinds: [String] = []
        for try await event in client.events(after: id) { kinds.append("\(event.id) \(event.kind.rawValue)") }
        return kinds
    }

    @Test("Streams that end or break are followed by others, from the last event on, until the session ends")
    func reconnects() async throws {
        let client = try await device.signedInClient()
        device.service.streams(
            Self.stream(Self.text(3, "signed_in"), Self.text(5, "session_ended")),
            Self.stream(breaks: true), { _ in throw URLError(.notConnectedToInternet) },
            Self.stream(Self.text(6, "newer_kind")), Self.refusal(401, .sessionEnded))
        device.service.on("POST /v1/session/refresh", .refusal(401, .refreshTokenInvalid))
        device.time.passLongPauses()
        #expect(try await kinds(client) == ["3 signed_in", "5 session_ended", "6 newer_kind"])
        #expect(opened.map { $0.headers["Last-Event-ID"] } == [nil, "5", "5", "5", "6"])
        #expect(await client.account == nil)
    }

    @Test("A stream that breaks before its first event is resumed where it began")
    func beginning() async throws {
        let client = try await device.signedInClient()
        device.service.streams(
            Self.stream("id: 41\n\n", breaks: true), Self.stream(Self.text(43, "signed_in")),
            Self.refusal(401, .sessionEnded))
        device.service.on("POST /v1/session/refresh", .refusal(401, .refreshTokenInvalid))
        device.time.passLongPauses()
        #expect(try await kinds(client) == ["43 signed_in"])
        #expect(opened.map { $0.headers["Last-Event-ID"] } == [nil, "41", "43"])
    }

    @Test("Between two streams there is a pause, as long as the server asks for, and longer each time")
    func pauses() async throws {
        let client = try await device.signedInClient()
        device.service.streams(
            Self.stream(), Self.stream(), Self.stream(), Self.refusal(401, .sessionEnded))
        device.service.on("POST /v1/session/refresh", .refusal(401, .refreshTokenInvalid))
        device.time.passLongPauses()
        #expect(try await kinds(client) == [])
        #expect(device.time.pauses.count >= 2)
        #expect(device.time.pauses.allSatisfy { $0 >= .seconds(3) })
    }

    @Test("A sixth stream waits for its turn")
    func tooMany() async throws {
        let client = try await device.signedInClient()
        device.service.streams(
            Self.refusal(429, .rateLimited), Self.stream(Self.text(3, "signed_in")),
            Self.refusal(401, .sessionEnded))
        device.service.on("POST /v1/session/refresh", .refusal(401, .refreshTokenInvalid))
        device.time.passLongPauses()
        #expect(try await kinds(client) == ["3 signed_in"])
    }

    @Test("If Apple ends the access, the stream ends after its last events, and the process is notified")
    func appleAccessEnded() async throws {
        let client = try await device.signedInClient()
        device.service.streams(
            Self.stream(Self.text(3, "signed_in"), breaks: true),
            // The session has ended meanwhile; its last events are told to the last refresh token.
            Self.stream(Self.text(4, "apple_access_ended")))
        device.service.on("GET /v1/account", .refusal(401, .sessionEnded))
        device.service.on("POST /v1/session/refresh", .refusal(401, .refreshTokenInvalid))
        device.service.on("GET /v1/apple/credential-state") { _ in
            try .json(200, CredentialStateAnswer(credentialState: "revoked"))
        }
        #expect(try await kinds(client) == ["3 signed_in", "4 apple_access_ended"])
        #expect(opened.map { $0.headers["Authorization"] } == ["Bearer access-1.0", "Bearer refresh-1.0"])
        #expect(device.time.revocations == 1)
        #expect(await client.account == nil)
    }

    @Test("A revocation that the person asked for on another device is told, and the session goes on")
    func revokedByWish() async throws {
        let client = try await device.signedInClient()
        device.service.on("GET /v1/apple/credential-state") { _ in
            try .json(200, CredentialStateAnswer(credentialState: "revoked"))
        }
        device.service.streams(Self.stream(Self.text(3, "apple_access_revoked")))
        var events = client.events().makeAsyncIterator()
        #expect(try await events.next()?.kind == .appleAccessRevoked)
        #expect(device.time.revocations == 1)
        #expect(await client.account != nil)
    }

    @Test("A change of the profile elsewhere has changed the account here when it is told")
    func profileChanged() async throws {
        let client = try await device.signedInClient()
        device.service.streams(Self.stream(Self.text(3, "profile_changed")))
        device.service.account.phone = "+493012345678"
        #expect(await client.account?.phone == nil)
        var events = client.events().makeAsyncIterator()
        #expect(try await events.next()?.kind == .profileChanged)
        #expect(await client.account?.phone == "+493012345678")
    }

    @Test(
        "A change of the ways in elsewhere has changed the account here when it is told",
        arguments: [
            .passwordSet, .passwordChanged, .passwordReset, .passwordRemoved, .passwordOff, .upgraded,
            .linked, .unlinked, .accountMerged,
        ] as [AccountEvent.Kind])
    func waysInChanged(kind: AccountEvent.Kind) async throws {
        let client = try await device.clientByPassword()
        device.service.streams(Self.stream(Self.text(3, kind.rawValue)))
        device.service.account.waysIn = WaysInBody(apple: true, email: nil, hasPassword: false)
        var events = client.events().makeAsyncIterator()
        #expect(try await events.next()?.kind == kind)
        #expect(await client.account?.waysIn?.apple == true)
    }

    @Test("A change of the profile is told even if the account can't be reloaded just then")
    func profileChangedInTrouble() async throws {
        let client = try await device.signedInClient()
        device.service.streams(Self.stream(Self.text(3, "profile_changed")))
        device.service.on("GET /v1/account", .refusal(503, .unavailable))
        var events = client.events().makeAsyncIterator()
        #expect(try await events.next()?.kind == .profileChanged)
        #expect(await client.account != nil)
    }

    @Test("A session that Apple has ended before still tells its last events")
    func endedBefore() async throws {
        let client = try await device.signedInClient()
        device.service.on("GET /v1/account", .refusal(401, .sessionEnded))
        device.service.on("POST /v1/session/refresh", .refusal(401, .refreshTokenInvalid))
        device.service.on("GET /v1/apple/credential-state") { _ in
            try .json(200, CredentialStateAnswer(credentialState: "revoked"))
        }
        _ = try await client.credentialState()
        device.service.streams(Self.stream(Self.text(4, "apple_access_ended")))
        #expect(try await kinds(device.client(), after: 3) == ["4 apple_access_ended"])
        #expect(opened.first?.headers["Last-Event-ID"] == "3")
    }

    @Test("If somebody else signs in, the stream ends, and the new session isn't followed")
    func anotherSession() async throws {
        let client = try await device.signedInClient()
        let began = AuthorizationSignal()
        let (body, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
        device.service.streams { _ in
            began.send()
            return ServiceStream(status: 200, headers: ["content-type": "text/event-stream;charset=utf-8"], body: body)
        }
        async let told = kinds(client)
        continuation.yield(Data(Self.text(3, "signed_in").utf8))
        await began.wait()
        try await client.signIn(with: TestDevice.credential())
        continuation.finish()
        #expect(try await told == ["3 signed_in"])
        #expect(opened.count == 1)
    }

    @Test("If the person signs out, the loop ends with the stream, and without an error")
    func signedOut() async throws {
        let client = try await device.signedInClient()
        let began = AuthorizationSignal()
        let (body, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
        device.service.streams { _ in
            began.send()
            return ServiceStream(status: 200, headers: ["Content-Type": "text/event-stream"], body: body)
        }
        async let told = kinds(client)
        await began.wait()
        try await client.signOut()
        continuation.yield(Data(Self.text(3, "session_ended").utf8))
        continuation.finish()
        #expect(try await told == ["3 session_ended"])
    }

    @Test("If somebody else signs in while the client asks for the account, the loop ends without an error")
    func anotherSessionMeanwhile() async throws {
        let client = try await device.signedInClient()
        device.service.streams(Self.stream(Self.text(3, "signed_in")))
        device.service.on("GET /v1/account") { [device] _ in
            device.service.account.id = "acc_2"
            try await client.signIn(with: TestDevice.credential(user: "002000.bbbb"))
            return try .json(200, AccountAnswer(account: TestService.account))
        }
        #expect(try await kinds(client) == ["3 signed_in"])
        #expect(opened.count == 1)
    }

    @Test("If the same person signs in again, the client's own watch follows the new session")
    func watchedSessionAgain() async throws {
        let client = try await device.signedInClient()
        let (began, again) = (AuthorizationSignal(), AuthorizationSignal())
        let (body, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
        let (secondBody, second) = AsyncThrowingStream<Data, any Error>.makeStream()
        device.service.streams(
            { _ in
                began.send()
                return ServiceStream(status: 200, headers: ["Content-Type": "text/event-stream"], body: body)
            },
            { _ in
                again.send()
                return ServiceStream(status: 200, headers: ["Content-Type": "text/event-stream"], body: secondBody)
            })
        client.watch()
        await began.wait()
        try await client.signIn(with: TestDevice.credential())
        continuation.finish()
        await again.wait()
        #expect(opened.last?.headers["Authorization"] == "Bearer access-2.0")
        // The client lives until here, and with it the watch.
        #expect(await client.account != nil)
        second.finish()
    }

    @Test("If another process signs somebody else in, their session isn't followed either")
    func anotherProcess() async throws {
        let client = try await device.signedInClient()
        let other = try device.client()
        device.service.streams(
            { [device] request in
                device.service.account.id = "acc_2"
                try await other.signIn(with: TestDevice.credential(user: "002000.bbbb"))
                device.time.advance(by: .seconds(600))
                return try await Self.stream(Self.text(3, "session_ended"))(request)
            }, Self.stream(Self.text(9, "signed_in")))
        #expect(try await kinds(client) == ["3 session_ended"])
        #expect(await client.account?.id == "acc_2")
        #expect(opened.count == 1)
    }

    @Test("Cancelling the loop ends the stream")
    func cancelled() async throws {
        let client = try await device.signedInClient()
        let (began, ended) = (AuthorizationSignal(), AuthorizationSignal())
        let (body, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
        continuation.onTermination = { _ in ended.send() }
        device.service.streams { _ in
            began.send()
            return ServiceStream(status: 200, headers: ["Content-Type": "text/event-stream"], body: body)
        }
        let following = Task { await failure { try await kinds(client) } }
        await began.wait()
        following.cancel()
        #expect(await following.value?.code == .cancelled)
        await ended.wait()
    }

    @Test("An answer that isn't an event stream, and a transport without streams, are errors")
    func noStream() async throws {
        let client = try await device.signedInClient()
        device.service.streams { _ in
            let (body, continuation) = AsyncThrowingStream<Data, any Error>.makeStream()
            continuation.finish()
            return ServiceStream(status: 200, headers: ["Content-Type": "text/html"], body: body)
        }
        #expect(await failure { try await kinds(client) }?.code == .invalidResponse)

        let backend = try #require(URL(string: TestDevice.backend))
        let plain = AccountClient(backend: backend, app: "com.example.app", storage: device.storage) {
            $0.transport = ServiceTransport(send: device.service.transport.send)
        }
        #expect(await failure { try await kinds(plain) }?.code == .notConfigured)
    }

    @Test("Without a session, following events fails with notSignedIn")
    func nobody() async throws {
        let client = try device.client()
        #expect(await failure { try await kinds(client) }?.code == .notSignedIn)
        #expect(device.service.requests.isEmpty)
    }
}
