import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Foundation
import Testing

@Suite("Access tokens", .timeLimit(.minutes(2)))
struct AccessTokenTests {
    private let device = TestDevice()

    @Test(
        "A token is used while half a minute is left, and replaced then",
        arguments: [
            (Duration.seconds(0), 0), (.seconds(570), 0), (.seconds(571), 1), (.seconds(3_600), 1),
        ])
    func expiry(age: Duration, refreshes: Int) async throws {
        let client = try await device.signedInClient()
        device.time.advance(by: age)
        #expect(try await client.accessToken() == "access-1.\(refreshes)")
        #expect(try await client.accessToken() == "access-1.\(refreshes)")
        #expect(device.service.requests("POST /v1/session/refresh").count == refreshes)
    }

    @Test("Fifty callers with an expired session ask the account service once, and all get its answer")
    func fifty() async throws {
        let signal = AuthorizationSignal()
        device.service.on("POST /v1/session/refresh") { [device] request in
            await signal.wait()
            return try device.service.usualAnswer(to: request)
        }
        let client = try await device.signedInClient()
        device.time.advance(by: .seconds(600))
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await client.accessToken() } }
            signal.send()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(tokens == Array(repeating: "access-1.1", count: 50))
        #expect(device.service.requests("POST /v1/session/refresh").count == 1)
    }

    @Test("A token's lifetime counts from the request, however slow the answer is")
    func slowAnswer() async throws {
        for call in ["POST /v1/sign-in/apple", "POST /v1/session/refresh", "POST /v1/reauthenticate/apple"] {
            device.service.on(call) { [device] request in
                device.time.advance(by: .seconds(60))
                return try device.service.usualAnswer(to: request)
            }
        }
        let client = try await device.signedInClient()
        device.time.advance(by: .seconds(510))
        #expect(try await client.accessToken() == "access-1.0")
        device.time.advance(by: .seconds(1))
        #expect(try await client.accessToken() == "access-1.1")
        device.time.advance(by: .seconds(510))
        #expect(try await client.accessToken() == "access-1.1")
        device.time.advance(by: .seconds(1))
        #expect(try await client.accessToken() == "access-1.2")

        try await client.reauthenticate(with: TestDevice.credential())
        #expect(try await client.accessToken() == "access-fresh")
        device.time.advance(by: .seconds(511))
        #expect(try await client.accessToken() == "access-1.3")
    }

    @Test("A caller who is cancelled leaves at once; the refresh goes on for the others")
    func cancelled() async throws {
        let (begun, signal) = (AuthorizationSignal(), AuthorizationSignal())
        device.service.on("POST /v1/session/refresh") { [device] request in
            begun.send()
            await signal.wait()
            try Task.checkCancellation()
            return try device.service.usualAnswer(to: request)
        }
        let client = try await device.signedInClient()
        device.time.advance(by: .seconds(600))
        let first = Task { await failure { try await client.accessToken() } }
        await begun.wait()
        first.cancel()
        #expect(await first.value?.code == .cancelled)
        async let second = client.accessToken()
        signal.send()
        #expect(try await second == "access-1.1")
        #expect(device.service.requests("POST /v1/session/refresh").count == 1)
    }

    @Test("Without a session, asking for a token fails with notSignedIn, and sends no request")
    func nobody() async throws {
        let client = try device.client()
        #expect(await failure { try await client.accessToken() }?.code == .notSignedIn)
        #expect(device.service.requests.isEmpty)
    }

    @Test(
        "When the account service has ended the session it is forgotten here, and the reason is told",
        arguments: [
            ErrorCode.sessionEnded, .refreshTokenInvalid, .refreshTokenReused,
        ])
    func ended(code: ErrorCode) async throws {
        device.service.on("POST /v1/session/refresh", .refusal(401, code))
        let client = try await device.signedInClient()
        device.time.advance(by: .seconds(600))
        let error = await failure { try await client.accessToken() }
        #expect(error?.code == .sessionEnded)
        #expect(error?.reason.contains(code.rawValue) == true)
        #expect(await client.account == nil)
        #expect(try device.stored == nil)
        #expect(await failure { try await client.accessToken() }?.code == .sessionEnded)
        #expect(device.service.requests("POST /v1/session/refresh").count == 1)
        var states = client.session.makeAsyncIterator()
        #expect(await states.next() == .signedOut(.ended(code)))
    }

    @Test(
        "A failure of network or server keeps the session",
        arguments: [
            Reply.unreachable(.notConnectedToInternet), .lost, .refusal(503, .unavailable), .refusal(500, .internal),
            .refusal(429, .rateLimited), .page(502),
        ])
    func keeps(reply: Reply) async throws {
        let client = try await device.signedInClient()
        device.time.advance(by: .seconds(600))
        device.service.on("POST /v1/session/refresh", reply)
        #expect(await failure { try await client.accessToken() }?.code == .backendUnavailable)
        #expect(await client.account?.id == "acc_1")
        #expect(try device.stored?.contains("refresh-1.0") == true)
        device.service.on("POST /v1/session/refresh", .usual)
        #expect(try await client.accessToken() == "access-1.1")
    }

    @Test(
        "A refusal that isn't about the session keeps the session",
        arguments: [
            (Reply.refusal(400, .invalidRequest), AccountClientError.Code.refused(.invalidRequest)),
            (.page(404), .invalidResponse), (.page(200), .invalidResponse),
        ])
    func refused(reply: Reply, code: AccountClientError.Code) async throws {
        let client = try await device.signedInClient()
        device.time.advance(by: .seconds(600))
        device.service.on("POST /v1/session/refresh", reply)
        #expect(await failure { try await client.accessToken() }?.code == code)
        #expect(await client.account != nil)
    }

    @Test("A lost answer is asked for again at once with the same token; a connection never made is not")
    func lost() async throws {
        let client = try await device.signedInClient()
        device.time.advance(by: .seconds(600))
        device.service.on("POST /v1/session/refresh", .lost, .lost, .usual)
        #expect(try await client.accessToken() == "access-1.1")
        let tokens = device.service.requests("POST /v1/session/refresh").map { $0.json["refreshToken"] as? String }
        #expect(tokens == ["refresh-1.0", "refresh-1.0", "refresh-1.0"])

        device.time.advance(by: .seconds(600))
        device.service.on("POST /v1/session/refresh", .unreachable(.cannotConnectToHost))
        #expect(await failure { try await client.accessToken() }?.code == .backendUnavailable)
        #expect(device.service.requests("POST /v1/session/refresh").count == 4)
    }

    @Test("A process that dies between the account service's answer and storing it loses no session")
    func killed() async throws {
        let first = try await device.signedInClient()
        device.time.advance(by: .seconds(600))
        let answered = AuthorizationSignal()
        // The exchange is done; the process never hears of it.
        device.service.on("POST /v1/session/refresh") { [device] request in
            _ = try device.service.usualAnswer(to: request)
            answered.send()
            return try await Reply.silence.answer(device.service, request)
        }
        let dying = Task { await failure { try await first.accessToken() } }
        await answered.wait()
        #expect(try device.stored?.contains("refresh-1.0") == true)

        device.service.on("POST /v1/session/refresh", .usual)
        #expect(try await device.client().accessToken() == "access-1.1")
        #expect(try device.stored?.contains("refresh-1.1") == true)
        dying.cancel()
        #expect(await dying.value?.code == .cancelled)
    }

    @Test("A successor that cannot be stored is not handed out, and not lost: the next call stores it")
    func storageFails() async throws {
        try await withTemporaryFolder { folder in
            let device = TestDevice(storage: FileStorage(folder: folder))
            let client = try await device.signedInClient()
            device.time.advance(by: .seconds(600))
            device.service.on("POST /v1/session/refresh") { request in
                try FileManager.default.setPermissions(0o755, of: folder)
                return try device.service.usualAnswer(to: request)
            }
            for _ in 0..<2 {
                #expect(await failure { try await client.accessToken() }?.code == .storage)
            }
            try FileManager.default.setPermissions(0o700, of: folder)
            #expect(try await client.accessToken() == "access-1.1")
            #expect(try device.stored?.contains("refresh-1.1") == true)
            #expect(device.service.requests("POST /v1/session/refresh").count == 1)
        }
    }

    @Test("A token that another process has renewed is used, and the old one isn't sent")
    func otherProcess() async throws {
        let first = try await device.signedInClient()
        let second = try device.client()
        #expect(try await second.accessToken() == "access-1.1")
        device.time.advance(by: .seconds(600))
        #expect(try await first.accessToken() == "access-1.2")
        let tokens = device.service.requests("POST /v1/session/refresh").map { $0.json["refreshToken"] as? String }
        #expect(tokens == ["refresh-1.0", "refresh-1.1"])
    }

    @Test("Storing the account doesn't restore a refresh token that another process has exchanged")
    func otherProcessRenews() async throws {
        let first = try await device.signedInClient()
        #expect(try await device.client().accessToken() == "access-1.1")
        device.service.account.email = "new@example.com"
        try await first.reloadAccount()
        let stored = try #require(try device.stored)
        #expect(stored.contains("new@example.com"))
        #expect(stored.contains("refresh-1.1"))
        device.time.advance(by: .seconds(600))
        #expect(try await first.accessToken() == "access-1.2")
    }

    @Test("A sign-out in another process takes effect here at the next refresh")
    func otherProcessSignsOut() async throws {
        let first = try await device.signedInClient()
        try await device.client().signOut()
        device.time.advance(by: .seconds(600))
        #expect(await failure { try await first.accessToken() }?.code == .notSignedIn)
        #expect(await first.account == nil)
    }
}
