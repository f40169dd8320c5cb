import AccountDatabase
import AppleID
import AppleIDTesting
import Foundation
import Testing

@testable import AccountService

@Suite("The daily check of many tokens", .timeLimit(.minutes(1)))
struct DailyCheckTests {
    private static let people = 45
    private static let day: Duration = .days(1)

    @Test("sends twenty requests a second at most, four at a time, and each once")
    func rate() async throws {
        let system = try await OutboxSystem()
        try await system.hold(Self.people)
        let apple = NotedApple(clock: system.clock)
        system.clock.advance(by: Self.day)
        try await system.domain(over: apple).dailyCheck.askAboutDue()
        #expect(Dictionary(grouping: apple.questions, by: \.at).values.map(\.count).sorted() == [5, 20, 20])
        #expect(apple.questions.count == Self.people && apple.byToken.count == Self.people)
        #expect((2...4).contains(apple.mostAtOnce))
    }

    @Test("continues on another server where one stopped")
    func resumed() async throws {
        let system = try await OutboxSystem()
        try await system.hold(Self.people)
        let apple = NotedApple(clock: system.clock)
        let server = try await system.domain(over: apple).dailyCheck
        var stopping = system.clock.appleIDEnvironment
        stopping.sleep = { _ in throw CancellationError() }
        system.clock.advance(by: Self.day)
        await DailyCheck(
            apple: server.apple, store: server.store, tokenSeal: server.tokenSeal, bell: server.bell,
            environment: stopping, logger: server.logger
        ).askAboutDue()
        #expect(apple.questions.count == 20)
        try await system.domain(over: apple).dailyCheck.askAboutDue()
        #expect(apple.questions.count == Self.people && apple.byToken.count == Self.people)
    }

    @Test("checks no token twice within a day, whenever a server runs")
    func onceADay() async throws {
        let system = try await OutboxSystem()
        // One becomes due every half hour or so.
        try await system.hold(Self.people, each: .minutes(31))
        let apple = NotedApple(clock: system.clock)
        let server = try await system.domain(over: apple).dailyCheck
        for away: Duration in [.days(3), .minutes(1), .hours(30), .minutes(1), .hours(5)] {
            system.clock.advance(by: away)
            let end = Timestamp(system.clock.now) + .days(2)
            while Timestamp(system.clock.now) < end {
                await server.askAboutDue()
                system.clock.advance(by: .minutes(20))
            }
        }
        #expect(apple.byToken.count == Self.people)
        for times in apple.byToken.values {
            #expect(times.count >= 6)
            #expect(zip(times, times.dropFirst()).allSatisfy { $1.timeIntervalSince($0) >= 86_400 })
        }
    }

    @Test("skips tokens that the key ring does not open, and tries them again a day later")
    func unopened() async throws {
        let system = try await OutboxSystem()
        try await system.hold(2, with: Seal(.appleRefreshToken, keyRing: KeyRing(parsing: KeyRingTests.two)))
        let apple = NotedApple(clock: system.clock)
        system.clock.advance(by: Self.day)
        try await system.domain(over: apple).dailyCheck.askAboutDue()
        #expect(apple.questions.isEmpty)
        func due() async throws -> Int {
            try await system.store.claimTokenChecks(
                of: OutboxSystem.juice, at: system.now, leasedUntil: system.now, limit: 9
            ).count
        }
        system.clock.advance(by: Self.day - .seconds(1))
        #expect(try await due() == 0)
        system.clock.advance(by: .seconds(1))
        #expect(try await due() == 2)
    }
}
