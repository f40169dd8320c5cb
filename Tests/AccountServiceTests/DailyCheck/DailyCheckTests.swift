import AccountSQL
import AppleID
import AppleIDTesting
import Foundation
import Testing

@testable import AccountService

@Suite("The daily check of many tokens", .timeLimit(.minutes(1)))
struct DailyCheckTests {
    private static let people = 45
    private static let day: Duration = .days(1)

    @Test("asks twenty questions a second at most, four at a time, and each once")
    func rate() async throws {
        let house = try await OutboxHouse()
        try await house.hold(Self.people)
        let apple = NotedApple(clock: house.clock)
        house.clock.advance(by: Self.day)
        try await house.domain(over: apple).dailyCheck.askAboutDue()
        #expect(Dictionary(grouping: apple.questions, by: \.at).values.map(\.count).sorted() == [5, 20, 20])
        #expect(apple.questions.count == Self.people && apple.byToken.count == Self.people)
        #expect((2...4).contains(apple.mostAtOnce))
    }

    @Test("goes on where a server stopped, by whichever server is next")
    func resumed() async throws {
        let house = try await OutboxHouse()
        try await house.hold(Self.people)
        let apple = NotedApple(clock: house.clock)
        let server = try await house.domain(over: apple).dailyCheck
        var stopping = house.clock.appleIDEnvironment
        stopping.sleep = { _ in throw CancellationError() }
        house.clock.advance(by: Self.day)
        await DailyCheck(
            apple: server.apple, store: server.store, tokenSeal: server.tokenSeal, bell: server.bell,
            environment: stopping, logger: server.logger
        ).askAboutDue()
        #expect(apple.questions.count == 20)
        try await house.domain(over: apple).dailyCheck.askAboutDue()
        #expect(apple.questions.count == Self.people && apple.byToken.count == Self.people)
    }

    @Test("asks about no token twice within a day, whenever a server runs")
    func onceADay() async throws {
        let house = try await OutboxHouse()
        // One becomes due every half hour or so.
        try await house.hold(Self.people, each: .minutes(31))
        let apple = NotedApple(clock: house.clock)
        let server = try await house.domain(over: apple).dailyCheck
        for away: Duration in [.days(3), .minutes(1), .hours(30), .minutes(1), .hours(5)] {
            house.clock.advance(by: away)
            let end = Timestamp(house.clock.now) + .days(2)
            while Timestamp(house.clock.now) < end {
                await server.askAboutDue()
                house.clock.advance(by: .minutes(20))
            }
        }
        #expect(apple.byToken.count == Self.people)
        for times in apple.byToken.values {
            #expect(times.count >= 6)
            #expect(zip(times, times.dropFirst()).allSatisfy { $1.timeIntervalSince($0) >= 86_400 })
        }
    }

    @Test("asks about nothing that the key ring does not open, and looks at it again a day later")
    func unopened() async throws {
        let house = try await OutboxHouse()
        try await house.hold(2, with: Seal(.appleRefreshToken, keyRing: KeyRing(parsing: KeyRingTests.two)))
        let apple = NotedApple(clock: house.clock)
        house.clock.advance(by: Self.day)
        try await house.domain(over: apple).dailyCheck.askAboutDue()
        #expect(apple.questions.isEmpty)
        func due() async throws -> Int {
            try await house.store.claimTokenChecks(
                of: OutboxHouse.juice, at: house.now, leasedUntil: house.now, limit: 9
            ).count
        }
        house.clock.advance(by: Self.day - .seconds(1))
        #expect(try await due() == 0)
        house.clock.advance(by: .seconds(1))
        #expect(try await due() == 2)
    }
}
