import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import Logging
import TaskSignals
import Testing

@Suite("The daily check of Apple's refresh tokens")
struct DailyCheckTests {
    private static let day: Duration = .seconds(86_400)
    private static let hour: Duration = .seconds(3_600)

    @Test(
        "If Apple sends no notification, a person who stopped using the app is signed out within a day and an hour",
        arguments: Engine.allCases)
    func deadGrant(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.opened()
        try await system.control("/emulator/grants/stop-using", ["person": "johnny", "clientID": "com.example.juice"])
        let before = system.questions
        await system.domain.dailyCheck.round()
        #expect(system.questions == before, "not asked before its time")
        system.clock.advance(by: Self.day)
        await system.domain.dailyCheck.round()
        #expect(system.questions == before + 1)
        #expect(try await system.isLive(session), "a death waits for an hour")
        system.clock.advance(by: Self.hour)
        await system.domain.dailyCheck.round()
        #expect(system.questions == before + 1)
        let stored = try #require(await system.store.session(session))
        #expect(stored.ended?.reason == .appleGrantDead)
        #expect(stored.account.appleAccess.ended?.reason == .appleGrantDead)
        #expect(try await system.store.appleTokens(of: stored.session.identityID).isEmpty)
        // A sign-in makes it good again.
        let back = try await system.domain.signIn.native(system.device())
        #expect(back.account.id == stored.account.id && back.account.appleAccess.ended == nil)
    }

    @Test(
        "A living token is checked once a day, however often the server looks, and by one of two servers",
        arguments: Engine.allCases)
    func onceADay(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.opened()
        let other = try await TestSystem(store: system.store, sharing: system)
        let before = system.questions
        for day in 1...3 {
            system.clock.advance(by: Self.day)
            for _ in 0..<3 {
                async let one: Void = system.domain.dailyCheck.round()
                async let two: Void = other.domain.dailyCheck.round()
                _ = await (one, two)
            }
            #expect(system.questions + other.questions == before + day)
        }
        system.clock.advance(by: Self.day - .seconds(1))
        await system.domain.dailyCheck.round()
        #expect(system.questions + other.questions == before + 3)
        #expect(try await system.isLive(session))
    }

    @Test(
        "If Apple doesn't answer or answers nonsense, no session ends, and Apple is asked again an hour later",
        arguments: [
            EmulatorTransport.Failure.unreachable, .status(500), .status(503), .status(429), .status(403),
            .status(400), .status(200),
        ], Engine.allCases)
    func outage(failure: EmulatorTransport.Failure, on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.opened()
        system.apple.fail("/auth/token", with: failure)
        for hour in 0..<30 {
            system.clock.advance(by: hour == 0 ? Self.day : Self.hour)
            await system.domain.dailyCheck.round()
        }
        #expect(system.questions > 30)
        #expect(try await system.isLive(session))
        system.apple.fail("/auth/token", with: nil)
        let before = system.questions
        system.clock.advance(by: Self.hour)
        await system.domain.dailyCheck.round()
        await system.domain.dailyCheck.round()
        #expect(system.questions == before + 1)
        #expect(try await system.isLive(session))
    }

    @Test("A wrong configuration ends no session", arguments: Engine.allCases)
    func configuration(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.opened()
        _ = try await system.opened(person: "zoe")
        // The key is taken out of Apple's portal.
        let key = try #require(system.emulator.portal.teams.first?.apps.first?.keys.first?.id)
        try await system.control("/emulator/portal/keys/remove", ["id": key.rawValue])
        system.clock.advance(by: Self.day)
        await system.domain.dailyCheck.round()
        system.clock.advance(by: .seconds(2 * 3_600))
        await system.domain.dailyCheck.round()
        #expect(try await system.isLive(session))
        #expect(try await system.store.stoppedChecks().isEmpty)
    }

    @Test(
        "When too many tokens die at once the client's check stops and ends nothing, until it is resumed",
        arguments: Engine.allCases)
    func breaker(on engine: Engine) async throws {
        let people = (0..<21).map { Portal.Person(id: "p\($0)", email: "p\($0)@example.com", name: "P \($0)") }
        let system = try await TestSystem(engine, portal: Portal.twoTeams.with(people))
        var sessions: [SessionID] = []
        for person in people { sessions.append(try await system.opened(person: person.id)) }
        let before = system.questions
        for person in people.prefix(20) {
            try await system.control(
                "/emulator/grants/stop-using", ["person": person.id, "clientID": "com.example.juice"])
        }
        system.clock.advance(by: Self.day)
        await system.domain.dailyCheck.round()
        let stop = try #require(await system.store.stoppedChecks().first)
        #expect(stop.clientID == TestSystem.juice && stop.died == 20)
        for _ in 0..<3 {
            system.clock.advance(by: Self.day)
            await system.domain.dailyCheck.round()
        }
        #expect(system.questions <= before + 21)
        for session in sessions { #expect(try await system.isLive(session)) }
        #expect(
            try await system.store.resumeChecks(of: TestSystem.juice, at: Timestamp(system.clock.now), by: .operator))
        await system.domain.dailyCheck.round()
        #expect(system.questions > before + 21)
    }

    @Test("A client with many tokens doesn't delay the others", arguments: Engine.allCases)
    func turns(on engine: Engine) async throws {
        let people = (0..<45).map { Portal.Person(id: "p\($0)", email: "p\($0)@example.com", name: "P \($0)") }
        let system = try await TestSystem(engine, portal: Portal.twoTeams.with(people))
        for person in people { _ = try await system.opened(person: person.id, client: "com.example.cider") }
        _ = try await system.opened(person: "p0")
        system.clock.advance(by: Self.day)
        let apple = WatchedTransport(to: system.apple)
        try await system.domain(over: apple).dailyCheck.askAboutDue()
        #expect(apple.clients.count == 46)
        #expect(apple.clients.firstIndex(of: TestSystem.juice.rawValue) == 20)
    }

    @Test("An unusable answer of Apple's counts as the day's check", arguments: Engine.allCases)
    func unusable(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let session = try await system.opened()
        let body = #"{"access_token":"a","token_type":"Bearer","expires_in":3600,"refresh_token":"r","id_token":"x"}"#
        let answer = AppleResponse(
            status: 200, headerFields: [.contentType: "application/json"], body: Array(body.utf8))
        let apple = WatchedTransport(to: system.apple, answering: answer)
        let check = try await system.domain(over: apple).dailyCheck
        for day in 1...2 {
            system.clock.advance(by: day == 1 ? Self.day : Self.day - Self.hour * 5)
            for _ in 0..<5 {
                await check.round()
                system.clock.advance(by: Self.hour)
            }
            #expect(apple.clients.count == day)
        }
        #expect(try await system.isLive(session))
    }
}

/// Notes which client each question is from, and answers it with something else than the emulator, if told so.
private final class WatchedTransport: AppleTransport {
    let apple: EmulatorTransport
    let answer: AppleResponse?
    private let asked = Lock<[String]>([])

    init(to apple: EmulatorTransport, answering answer: AppleResponse? = nil) {
        self.apple = apple
        self.answer = answer
    }

    /// The clients of the questions to the token endpoint, in their order.
    var clients: [String] { asked.withLock { $0 } }

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        guard request.url.hasSuffix("/auth/token") else { return try await apple.send(request) }
        let fields = URLComponents(string: "?" + String(decoding: request.body, as: UTF8.self))?.queryItems
        asked.withLock { $0.append(fields?.first { $0.name == "client_id" }?.value ?? "") }
        if let answer { return answer }
        return try await apple.send(request)
    }
}

extension TestSystem {
    /// Signs somebody in on a device.
    fileprivate func opened(person: String = "johnny", client: ClientID = juice) async throws -> SessionID {
        let done = try await domain.signIn.native(device(person: person, client: client))
        return try await domain.sessions.authenticate(accessToken: done.tokens.accessToken).session.id
    }

    fileprivate func isLive(_ session: SessionID) async throws -> Bool {
        try await store.session(session)?.ended == nil
    }

    /// How often Apple's token endpoint was asked, for exchanges and checks.
    fileprivate var questions: Int { apple.count(of: "/auth/token") }

    fileprivate func control(_ path: String, _ members: [String: any Sendable]) async throws {
        var request = HTTPRequest(method: .post, scheme: "http", authority: "127.0.0.1:4010", path: path)
        request.headerFields[.contentType] = "application/json"
        let (response, body) = await emulator.respond(
            to: request, body: Array(try JSONSerialization.data(withJSONObject: members)))
        try #require((200..<300).contains(response.status.code), "\(String(decoding: body, as: UTF8.self))")
    }
}

extension Portal {
    fileprivate func with(_ people: [Person]) -> Portal {
        var portal = self
        portal.people = people
        return portal
    }
}
