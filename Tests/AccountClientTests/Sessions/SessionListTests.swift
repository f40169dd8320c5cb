import AccountAPI
import AccountClient
import Foundation
import Testing

@Suite("The list of sessions", .timeLimit(.minutes(2)))
struct SessionListTests {
    private let device = TestDevice()

    private static func listed(_ id: String, current: Bool = false) -> ListedSession {
        let time = APITime(secondsSince1970: 1_700_000_000)
        return ListedSession(
            id: id, kind: current ? "tokens" : "browser", clientID: "com.example.app", deviceName: "A device",
            createdAt: time, lastUsedAt: time, expiresAt: time, current: current)
    }

    private func offer(_ sessions: ListedSession...) {
        device.service.on("GET /v1/sessions") { _ in
            try .json(200, SessionListAnswer(sessions: sessions, next: nil))
        }
    }

    @Test("All pages are one list")
    func pages() async throws {
        let client = try await device.signedInClient()
        device.service.on("GET /v1/sessions") { _ in
            try .json(200, SessionListAnswer(sessions: [Self.listed("ses_1", current: true)], next: "ses_1"))
        }
        device.service.on("GET /v1/sessions?before=ses_1") { _ in
            try .json(200, SessionListAnswer(sessions: [Self.listed("ses_0")], next: nil))
        }
        let sessions = try await client.sessions()
        #expect(sessions.map(\.id) == ["ses_1", "ses_0"])
        #expect(sessions.map(\.isCurrent) == [true, false])
        #expect(sessions.map(\.isBrowser) == [false, true])
        #expect(sessions.first?.deviceName == "A device")
    }

    @Test("A list that never ends is given up")
    func endless() async throws {
        let client = try await device.signedInClient()
        for path in ["GET /v1/sessions", "GET /v1/sessions?before=on"] {
            device.service.on(path) { _ in
                try .json(200, SessionListAnswer(sessions: [Self.listed("ses_1")], next: "on"))
            }
        }
        #expect(try await client.sessions().count == 40)
    }

    @Test("Another session is ended there; this one stays", arguments: [true, false])
    func endOther(isThere: Bool) async throws {
        let client = try await device.signedInClient()
        offer(Self.listed("ses_0"))
        device.service.on("DELETE /v1/sessions/ses_0") { _ in
            isThere ? ServiceAnswer(status: 204) : try .refusal(404, .sessionUnknown)
        }
        let sessions = try await client.sessions()
        try await client.endSession(try #require(sessions.first))
        #expect(device.service.requests("DELETE /v1/sessions/ses_0").count == 1)
        #expect(await client.account != nil)
    }

    @Test("Ending this one signs out here too")
    func endOwn() async throws {
        let client = try await device.signedInClient()
        offer(Self.listed("ses_1", current: true))
        device.service.on("DELETE /v1/sessions/ses_1") { _ in ServiceAnswer(status: 204) }
        try await client.endSession(try #require(try await client.sessions().first))
        #expect(await client.account == nil)
        #expect(try device.stored == nil)
        var states = client.session.makeAsyncIterator()
        #expect(await states.next() == .signedOut(.signedOut))
    }

    @Test("If the answer is lost, the end of this one is no error", arguments: [true, false])
    func lostOwn(isOwn: Bool) async throws {
        let client = try await device.signedInClient()
        offer(Self.listed("ses_1", current: isOwn))
        let session = try #require(try await client.sessions().first)
        device.service.on("DELETE /v1/sessions/ses_1", .lost, .refusal(401, .sessionEnded))
        device.service.on("POST /v1/session/refresh", .refusal(401, .sessionEnded))
        let error = await failure { try await client.endSession(session) }
        #expect(error?.code == (isOwn ? nil : .sessionEnded))
        #expect(await client.account == nil)
        #expect(try device.stored == nil)
    }

    @Test("Ending the session from before another sign-in keeps the new session")
    func formerOwn() async throws {
        let client = try await device.signedInClient()
        offer(Self.listed("ses_1", current: true))
        device.service.on("DELETE /v1/sessions/ses_1") { _ in ServiceAnswer(status: 204) }
        let former = try #require(try await client.sessions().first)
        try await client.signIn(with: TestDevice.credential())
        try await client.endSession(former)
        #expect(await client.account != nil)
    }

    @Test("All other sessions end, or all of them", arguments: [true, false])
    func endAll(others: Bool) async throws {
        let client = try await device.signedInClient()
        let call = others ? "DELETE /v1/sessions?except=current" : "DELETE /v1/sessions"
        device.service.on(call) { _ in ServiceAnswer(status: 204) }
        if others { try await client.endOtherSessions() } else { try await client.endAllSessions() }
        #expect(device.service.requests(call).count == 1)
        #expect((await client.account != nil) == others)
        #expect((try device.stored != nil) == others)
    }

    @Test("If the answer to the end of all is lost with the session, the error says how to find out")
    func lostAll() async throws {
        let client = try await device.signedInClient()
        device.service.on("DELETE /v1/sessions", .lost, .refusal(401, .sessionEnded))
        device.service.on("POST /v1/session/refresh", .refusal(401, .sessionEnded))
        let error = await failure { try await client.endAllSessions() }
        #expect(error?.code == .sessionEnded && error?.hint?.contains("look at their sessions") == true)
        #expect(await client.account == nil)
    }

    @Test("A session that has ended is an error after one retry")
    func ended() async throws {
        let client = try await device.signedInClient()
        device.service.on("GET /v1/sessions", .refusal(401, .sessionEnded))
        #expect(await failure { try await client.sessions() }?.code == .sessionEnded)
        #expect(await client.account == nil)
        #expect(device.service.requests("GET /v1/sessions").count == 2)
    }

    @Test("Without a session, the calls fail with notSignedIn, and the account service isn't asked")
    func nobody() async throws {
        let client = try device.client()
        #expect(await failure { try await client.sessions() }?.code == .notSignedIn)
        #expect(await failure { try await client.endAllSessions() }?.code == .notSignedIn)
        #expect(device.service.requests.isEmpty)
    }

    @Test("When another process has signed somebody else in, nothing of theirs is ended")
    func somebodyElse() async throws {
        let client = try await device.signedInClient()
        device.service.account.id = "acc_2"
        try await device.client().signIn(with: TestDevice.credential(user: "002000.bbbb"))
        device.time.advance(by: .seconds(600))
        let error = await failure { try await client.endAllSessions() }
        #expect(error?.code == .cancelled)
        #expect(device.service.requests("DELETE /v1/sessions").isEmpty)
    }

    @Test("The device's name is told at the sign-in, and at a renewal when it has changed")
    func deviceName() async throws {
        let first = try device.client(deviceName: "Ada's laptop")
        try await first.signIn(with: TestDevice.credential())
        #expect(device.service.requests("POST /v1/sign-in/apple").last?.json["deviceName"] as? String == "Ada's laptop")
        for name in ["Ada's laptop", "Ada's new laptop", "Ada's new laptop"] {
            _ = try await device.client(deviceName: name).accessToken()
        }
        let names = device.service.requests("POST /v1/session/refresh").map { $0.json["deviceName"] as? String }
        #expect(names == [nil, "Ada's new laptop", nil])
    }

    @Test("This machine has a name on one line")
    func systemName() {
        #expect(!SystemDevice.name.isEmpty)
        #expect(SystemDevice.name.components(separatedBy: .newlines).count == 1)
    }
}
