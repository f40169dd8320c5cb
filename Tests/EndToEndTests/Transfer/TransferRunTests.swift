import AccountDatabase
import AccountEngines
import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import TaskSignals
import Testing

@testable import AppleIDEmulator

@Suite("A run of a transfer", .timeLimit(.minutes(10)))
struct TransferRunTests {
    private func app(
        _ engine: Engine, people count: Int, hiddenFromApple: Range<Int> = 0..<0
    ) async throws -> MovingApp {
        try await .withPeople(engine, count, hiddenFromApple: Set(hiddenFromApple))
    }

    /// - Parameter left: people whom Apple refuses.
    private func expectAllMoved(_ app: MovingApp, _ people: [Portal.Person], left: Int = 0) async throws {
        let teams = try await app.system.store.read { connection in
            try connection.query(
                """
                SELECT team, count(*) FROM identities WHERE provider = 'apple' AND removed_at IS NULL
                GROUP BY team ORDER BY count(*) DESC, team
                """, []
            ) { try (team: TeamID($0.text()), people: Int($0.int64())) }
        }
        #expect(teams.first?.team == MovingApp.new && teams.first?.people == people.count)
        #expect(teams.dropFirst().reduce(0) { $0 + $1.people } == left)
        #expect(try await app.system.store.accountCount() == people.count + left)
        let counts = try await app.system.store.transferCounts(to: MovingApp.new)
        #expect(counts.moved == people.count && counts.exported == 0 && counts.waiting == 0)
        #expect(counts.failed == (left == 0 ? [:] : [.appleRefused: left]))
        let subjects = Set(people.map { PairwiseIdentity(person: $0, team: MovingApp.new).subject.rawValue })
        let stored = try await app.system.store.read { connection in
            try connection.query("SELECT subject FROM identities WHERE team = ?1", [.text(MovingApp.new)]) {
                try $0.text()
            }
        }
        #expect(stored.count == people.count && Set(stored) == subjects)
    }

    private func expectAllMoved(_ app: MovingApp, _ count: Int) async throws {
        #expect(app.people.count == count)
        try await expectAllMoved(app, app.people)
    }

    /// Cancels a task of its own in the middle, as a kill does: what is not committed is lost.
    private func killed<Value: Sendable>(
        after count: Int,
        _ work: @escaping @Sendable (@escaping @Sendable (TransferProgress) -> Void) async throws -> Value
    ) async {
        let task = Lock<Task<Value, any Error>?>(nil)
        let running = Task {
            try await work { progress in
                if progress.done >= count { _ = task.withLock { $0?.cancel() } }
            }
        }
        task.withLock { $0 = running }
        _ = await running.result
    }

    /// Ten thousand people on SQLite. On PostgreSQL, where it takes longer, a quarter of them is enough for many batches.
    @Test("of thousands of people that is killed three times loses and duplicates nobody", arguments: Engine.allCases)
    func thousands(on engine: Engine) async throws {
        let hundredth = engine == .sqlite ? 100 : 25
        let count = 100 * hundredth
        let app = try await MovingApp(engine)
        let people = (0..<count).map(MovingApp.person)
        try await app.insert(people)
        // The lowest byte comes first in the ids that the test gives, so these people come first.
        func isRefused(_ number: Int) -> Bool { number % 256 < 8 }
        let answered = people.enumerated().filter { !isRefused($0.offset) }.map(\.element)
        let refused = count - answered.count
        let apple = UnreliableApple(TableApple(answered), clock: app.system.clock)
        for share in [15, 20, 10] {
            await killed(after: share * hundredth) { progress in try await app.export(over: apple, progress: progress) }
        }
        let asked = try await app.system.store.transferCounts(to: MovingApp.new)
        #expect(asked.exported >= 40 * hundredth && asked.exported < answered.count)
        let rest = try await app.export(over: apple)
        #expect(rest.succeeded == answered.count - asked.exported && rest.failed == [.appleRefused: refused])
        // The receiving team has no client before.
        try await app.accept()
        for share in [25, 5, 30] {
            await killed(after: share * hundredth) { progress in try await app.import(over: apple, progress: progress) }
        }
        let moved = try await app.system.store.transferCounts(to: MovingApp.new).moved
        #expect(moved >= 60 * hundredth && moved < answered.count)
        #expect(try await app.import(over: apple).succeeded == answered.count - moved)
        try await expectAllMoved(app, answered, left: refused)
    }

    @Test("that is killed three times on each side is complete at the emulator, too", arguments: Engine.allCases)
    func threeHundred(on engine: Engine) async throws {
        let count = 300
        let app = try await app(engine, people: count)
        try await app.accept()
        for share in [45, 60, 30] {
            await killed(after: share) { progress in try await app.export(progress: progress) }
        }
        let asked = try await app.system.store.transferCounts(to: MovingApp.new)
        #expect(asked.exported >= 135 && asked.exported < count)
        #expect(try await app.export().succeeded == count - asked.exported)
        for share in [75, 15, 90] {
            await killed(after: share) { progress in try await app.import(progress: progress) }
        }
        let moved = try await app.system.store.transferCounts(to: MovingApp.new).moved
        #expect(moved >= 180 && moved < count)
        #expect(try await app.import().succeeded == count - moved)
        try await expectAllMoved(app, count)
    }

    @Test(
        "is complete even if Apple is slow, loses half its answers, and asks for fewer requests",
        arguments: Engine.allCases)
    func unreliable(on engine: Engine) async throws {
        let app = try await app(engine, people: 60)
        try await app.accept()
        let apple = UnreliableApple(app.system.apple, clock: app.system.clock)
        #expect(try await app.export(over: apple).succeeded == 60)
        #expect(try await app.import(over: apple).succeeded == 60)
        try await expectAllMoved(app, 60)
    }

    @Test("records the people for whom it failed, and asks about them again", arguments: Engine.allCases)
    func failing(on engine: Engine) async throws {
        let app = try await app(engine, people: 30, hiddenFromApple: 27..<30)
        let outcome = try await app.export()
        #expect(outcome.succeeded == 27 && outcome.failed == [.appleRefused: 3])
        let store = app.system.store
        #expect(
            try await store.peopleLeft(to: MovingApp.new, after: nil, limit: 100).count { $0.failure == .appleRefused }
                == 3)
        #expect(try await store.countToExport(from: MovingApp.former, to: MovingApp.new) == 3)
        for number in 27..<30 {
            _ = try await app.system.emulator.authorize(
                person: "person\(number)", client: TestSystem.juice, hidesEmail: true, native: true)
        }
        #expect(try await app.export().succeeded == 3)
        try await app.accept()
        #expect(try await app.import().succeeded == 30)
        try await expectAllMoved(app, 30)
    }

    @Test("ends after the first people if a team is wrong", arguments: Engine.allCases)
    func wrongTeam(on engine: Engine) async throws {
        let app = try await app(engine, people: 20)
        try await app.accept()
        await #expect(throws: TransferError.firstPeopleRefused(5)) { try await app.export(to: "NOSUCHTEAM") }
        await #expect(throws: AppleIDError(.invalidTransfer, "")) { try await app.export(to: MovingApp.former) }
        #expect(try await app.export(proving: true, limit: 1).left == 19)
        app.system.clock.advance(by: .days(61))
        // A team that was right before is not taken for a wrong one.
        #expect(try await app.export().failed == [.appleRefused: 19])
    }

    @Test("gets past the people whom Apple refuses, however often it is begun", arguments: Engine.allCases)
    func refusedFirst(on engine: Engine) async throws {
        let app = try await app(engine, people: 60, hiddenFromApple: 0..<7)
        let store = app.system.store
        await killed(after: 20) { progress in try await app.export(progress: progress) }
        let asked = try await store.transferCounts(to: MovingApp.new)
        #expect(asked.exported > 0 && asked.exported < 53)
        let rest = try await app.export()
        #expect(rest.succeeded == 53 - asked.exported && rest.failed == [.appleRefused: 7])
        // Now only refused people are left, and each is asked about again.
        #expect(try await app.export().failed == [.appleRefused: 7])

        try await app.accept()
        try await store.write { connection in
            _ = try connection.execute(
                """
                UPDATE transfers SET state = 'failed', failure = 'apple_refused'
                WHERE transfer_subject IS NOT NULL
                    AND id IN (SELECT id FROM transfers WHERE transfer_subject IS NOT NULL ORDER BY id LIMIT 6)
                """, [])
        }
        for _ in 0..<2 { #expect(try await app.import(limit: 1).succeeded == 1) }
        #expect(try await store.transferCounts(to: MovingApp.new).failed == [.appleRefused: 13])
        #expect(try await app.import().succeeded == 51)
        #expect(try await store.transferCounts(to: MovingApp.new).moved == 53)
    }

    @Test("gets past a long row of refused people, and ends when Apple refuses everybody", arguments: Engine.allCases)
    func row(on engine: Engine) async throws {
        let app = try await app(engine, people: 80, hiddenFromApple: 0..<45)
        let store = app.system.store
        // The likeliest are asked about first, so the refused ones come in a row behind them.
        #expect(try await app.export(limit: 60).failed == [.appleRefused: 45])
        let before = try await store.transferCounts(to: MovingApp.new)
        #expect(before.exported == 15 && before.failed == [.appleRefused: 45])
        try await app.accept()
        #expect(try await app.import(limit: 5).succeeded == 5)
        app.system.clock.advance(by: .days(61))
        // Nobody is noted whom Apple refuses because the time is over.
        await #expect(throws: TransferError.everybodyRefused(20)) { try await app.export() }
        #expect(try await store.transferCounts(to: MovingApp.new).failed == before.failed)
    }

    @Test("begins with the people who signed in last", arguments: Engine.allCases)
    func trial(on engine: Engine) async throws {
        // Neither the first nor the last by their id.
        let others = Set(0..<20).subtracting([10])
        let app = try await MovingApp.withPeople(engine, 20, hiddenFromApple: others)
        try await app.noteSignIn(10)
        #expect(try await app.export(limit: 1).succeeded == 1)
        #expect(try await app.export().failed == [.appleRefused: 19])
    }

    @Test("begins with the people who signed in last on the other side, too", arguments: Engine.allCases)
    func importTrial(on engine: Engine) async throws {
        let app = try await MovingApp.withPeople(engine, 20)
        try await app.export()
        try await app.accept()
        try await app.noteSignIn(10)
        let others = Set((0..<20).filter { $0 != 10 }.map(app.transferSubject))
        let apple = AlteredApple(app.system.apple) { $0.isAbout(others) ? .transferRefused : nil }
        #expect(try await app.import(limit: 1, over: apple).succeeded == 1)
        #expect(try await app.import(over: apple).failed == [.appleRefused: 19])
    }

    @Test("ends when Apple gives no answer, and goes on later", arguments: Engine.allCases)
    func outage(on engine: Engine) async throws {
        let app = try await app(engine, people: 10)
        try await app.export(limit: 4)
        app.system.apple.fail("/auth/usermigrationinfo", with: .status(503))
        let start = app.system.clock.now
        await #expect(throws: AppleIDError(.appleUnavailable, "")) { try await app.export() }
        #expect(app.system.clock.now.timeIntervalSince(start) >= 600, "an outage of minutes ends no run")
        app.system.apple.fail("/auth/usermigrationinfo", with: nil)
        #expect(try await app.export().succeeded == 6)
    }

    @Test("keeps to its rate", arguments: [Engine.sqlite])
    func rate(on engine: Engine) async throws {
        let app = try await app(engine, people: 50)
        let start = app.system.clock.now
        _ = try await TransferExport(
            store: app.system.store, questions: app.questions(of: MovingApp.former, rate: 5),
            environment: app.system.clock.appleIDEnvironment
        ).run(from: MovingApp.former, to: MovingApp.new)
        let seconds = app.system.clock.now.timeIntervalSince(start)
        #expect((9.0...80).contains(seconds), "fifty people and a token take ten seconds at least")
    }
}
