import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import Logging
import Synchronization
import Testing

@Suite("The daily check of Apple's refresh tokens")
struct DailyCheckTests {
    private static let day: Duration = .seconds(86_400)
    private static let hour: Duration = .seconds(3_600)

    @Test(
        "A person who stopped using the app without anybody being told is signed out a day and an hour later at most",
        arguments: Engine.allCases)
    func deadGrant(on engine: Engine) async throws {
        let house = try await House(engine)
        let session = try await house.opened()
        try await house.control("/emulator/grants/stop-using", ["person": "johnny", "clientID": "com.example.juice"])
        let before = house.questions
        await house.domain.dailyCheck.round()
        #expect(house.questions == before, "not asked before its time")
        house.clock.advance(by: Self.day)
        await house.domain.dailyCheck.round()
        #expect(house.questions == before + 1)
        #expect(try await house.isLive(session), "a death waits for an hour")
        house.clock.advance(by: Self.hour)
        await house.domain.dailyCheck.round()
        #expect(house.questions == before + 1)
        let stored = try #require(await house.store.session(session))
        #expect(stored.ended?.reason == .appleGrantDead)
        #expect(stored.account.appleAccess.ended?.reason == .appleGrantDead)
        #expect(try await house.store.appleTokens(of: stored.session.identityID).isEmpty)
        // A sign-in makes it good again.
        let back = try await house.domain.signIn.native(house.device())
        #expect(back.account.id == stored.account.id && back.account.appleAccess.ended == nil)
    }

    @Test(
        "A living token is asked about once a day, however often the server looks, and by one of two servers",
        arguments: Engine.allCases)
    func onceADay(on engine: Engine) async throws {
        let house = try await House(engine)
        let session = try await house.opened()
        let other = try await House(store: house.store, sharing: house)
        let before = house.questions
        for day in 1...3 {
            house.clock.advance(by: Self.day)
            for _ in 0..<3 {
                async let one: Void = house.domain.dailyCheck.round()
                async let two: Void = other.domain.dailyCheck.round()
                _ = await (one, two)
            }
            #expect(house.questions + other.questions == before + day)
        }
        house.clock.advance(by: Self.day - .seconds(1))
        await house.domain.dailyCheck.round()
        #expect(house.questions + other.questions == before + 3)
        #expect(try await house.isLive(session))
    }

    @Test(
        "An Apple that does not answer, or answers nonsense, ends nobody's session, and is asked again an hour later",
        arguments: [
            EmulatorTransport.Failure.unreachable, .status(500), .status(503), .status(429), .status(403),
            .status(400), .status(200),
        ], Engine.allCases)
    func outage(failure: EmulatorTransport.Failure, on engine: Engine) async throws {
        let house = try await House(engine)
        let session = try await house.opened()
        house.apple.fail("/auth/token", with: failure)
        for hour in 0..<30 {
            house.clock.advance(by: hour == 0 ? Self.day : Self.hour)
            await house.domain.dailyCheck.round()
        }
        #expect(house.questions > 30)
        #expect(try await house.isLive(session))
        house.apple.fail("/auth/token", with: nil)
        let before = house.questions
        house.clock.advance(by: Self.hour)
        await house.domain.dailyCheck.round()
        await house.domain.dailyCheck.round()
        #expect(house.questions == before + 1)
        #expect(try await house.isLive(session))
    }

    @Test("A wrong configuration ends nobody's session", arguments: Engine.allCases)
    func configuration(on engine: Engine) async throws {
        let house = try await House(engine)
        let session = try await house.opened()
        _ = try await house.opened(person: "zoe")
        // The key is taken out of Apple's portal.
        let key = try #require(house.emulator.portal.teams.first?.apps.first?.keys.first?.id)
        try await house.control("/emulator/portal/keys/remove", ["id": key.rawValue])
        house.clock.advance(by: Self.day)
        await house.domain.dailyCheck.round()
        house.clock.advance(by: .seconds(2 * 3_600))
        await house.domain.dailyCheck.round()
        #expect(try await house.isLive(session))
        #expect(try await house.store.stoppedChecks().isEmpty)
    }

    @Test(
        "When too many die at once the client's check stops and ends nothing, until it is resumed",
        arguments: Engine.allCases)
    func breaker(on engine: Engine) async throws {
        let people = (0..<21).map { Portal.Person(id: "p\($0)", email: "p\($0)@example.com", name: "P \($0)") }
        let house = try await House(engine, portal: Portal.twoTeams.with(people))
        var sessions: [SessionID] = []
        for person in people { sessions.append(try await house.opened(person: person.id)) }
        let before = house.questions
        for person in people.prefix(20) {
            try await house.control(
                "/emulator/grants/stop-using", ["person": person.id, "clientID": "com.example.juice"])
        }
        house.clock.advance(by: Self.day)
        await house.domain.dailyCheck.round()
        let stop = try #require(await house.store.stoppedChecks().first)
        #expect(stop.clientID == House.juice && stop.died == 20)
        for _ in 0..<3 {
            house.clock.advance(by: Self.day)
            await house.domain.dailyCheck.round()
        }
        #expect(house.questions <= before + 21)
        for session in sessions { #expect(try await house.isLive(session)) }
        #expect(try await house.store.resumeChecks(of: House.juice, at: Timestamp(house.clock.now), by: .operator))
        await house.domain.dailyCheck.round()
        #expect(house.questions > before + 21)
    }

    @Test("A client with many tokens keeps no other waiting", arguments: Engine.allCases)
    func turns(on engine: Engine) async throws {
        let people = (0..<45).map { Portal.Person(id: "p\($0)", email: "p\($0)@example.com", name: "P \($0)") }
        let house = try await House(engine, portal: Portal.twoTeams.with(people))
        for person in people { _ = try await house.opened(person: person.id, client: "com.example.cider") }
        _ = try await house.opened(person: "p0")
        house.clock.advance(by: Self.day)
        let apple = WatchedTransport(to: house.apple)
        try await house.domain(over: apple).dailyCheck.askAboutDue()
        #expect(apple.clients.count == 46)
        #expect(apple.clients.firstIndex(of: House.juice.rawValue) == 20)
    }

    @Test("An answer of Apple's that cannot be used counts as the day's", arguments: Engine.allCases)
    func unusable(on engine: Engine) async throws {
        let house = try await House(engine)
        let session = try await house.opened()
        let body = #"{"access_token":"a","token_type":"Bearer","expires_in":3600,"refresh_token":"r","id_token":"x"}"#
        let answer = AppleResponse(status: 200, headers: [("Content-Type", "application/json")], body: Array(body.utf8))
        let apple = WatchedTransport(to: house.apple, answering: answer)
        let check = try await house.domain(over: apple).dailyCheck
        for day in 1...2 {
            house.clock.advance(by: day == 1 ? Self.day : Self.day - Self.hour * 5)
            for _ in 0..<5 {
                await check.round()
                house.clock.advance(by: Self.hour)
            }
            #expect(apple.clients.count == day)
        }
        #expect(try await house.isLive(session))
    }
}

/// Notes which client each question is from, and answers it with something else than the emulator, if told so.
private final class WatchedTransport: AppleTransport {
    let apple: EmulatorTransport
    let answer: AppleResponse?
    private let asked = Mutex<[String]>([])

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

extension House {
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
