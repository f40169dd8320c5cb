import AccountDatabase
import AccountEngines
import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import TaskSignals
import Testing

@Suite("A run of a transfer, if Apple refuses or doesn't answer", .timeLimit(.minutes(5)))
struct TransferAnswerTests {
    @Test("skips a person if Apple gives no answer about them", arguments: Engine.allCases)
    func silentAboutOne(on engine: Engine) async throws {
        let app = try await MovingApp.withPeople(engine, 100)
        let silent = Set([app.formerSubject(3), app.transferSubject(3)])
        let apple = AlteredApple(app.system.apple) { $0.isAbout(silent) ? .busy : nil }
        let exported = try await app.export(over: apple)
        #expect(exported.succeeded == 99 && exported.failed == [.appleUnavailable: 1])
        #expect(try await app.export().succeeded == 1)
        try await app.accept()
        let moved = try await app.import(over: apple)
        #expect(moved.succeeded == 99 && moved.failed == [.appleUnavailable: 1])
        #expect(try await app.import().succeeded == 1)
    }

    @Test("skips them among its first people, too", arguments: Engine.allCases)
    func silentAboutFirst(on engine: Engine) async throws {
        let app = try await MovingApp.withPeople(engine, 10)
        try await app.noteSignIn(5)
        let silent = Set([app.formerSubject(5)])
        let apple = AlteredApple(app.system.apple) { $0.isAbout(silent) ? .busy : nil }
        let outcome = try await app.export(over: apple)
        #expect(outcome.succeeded == 9 && outcome.failed == [.appleUnavailable: 1])
    }

    @Test("asks again about people who were refused because the migration token had died", arguments: Engine.allCases)
    func deadToken(on engine: Engine) async throws {
        let app = try await MovingApp.withPeople(engine, 80)
        let state = Lock((token: String?.none, questions: 0))
        let apple = AlteredApple(app.system.apple) { request in
            let token = request.head.headerFields[.authorization]
            return state.withLock { state -> AppleResponse? in
                state.questions += 1
                state.token = state.token ?? token
                return state.token == token && state.questions > 30 ? .transferRefused : nil
            }
        }
        let outcome = try await app.export(over: apple)
        #expect(outcome.succeeded == 80 && outcome.failed == [:])
    }

    @Test("isn't held up by a leftover transfer of another app", arguments: Engine.allCases)
    func otherTransfer(on engine: Engine) async throws {
        let app = try await MovingApp.withPeople(engine, 10)
        // People of the other app, who come first by their ids.
        let before = Timestamp(app.system.clock.now) - .days(20)
        try await app.system.store.write { connection in
            for number in 0..<26 {
                let random = [UInt8](repeating: UInt8(number), count: 10)
                _ = try connection.execute(
                    """
                    INSERT INTO transfers (id, source, target, account_id, is_received, transfer_subject, state,
                        updated_at, moved_at)
                    VALUES (?1, 'OTHERTEAM3', ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                    """,
                    [
                        .text(TransferID(at: before, randomness: random).rawValue), .text(MovingApp.new.rawValue),
                        .text(AccountID(at: before, randomness: random).rawValue), .flag(true),
                        .text("000999.other\(number).0001"), .text(number == 25 ? "moved" : "exported"),
                        .int64(before.microseconds), number == 25 ? .int64(before.microseconds) : .null,
                    ])
            }
        }
        try await app.export()
        try await app.accept()
        let outcome = try await app.import()
        #expect(outcome.succeeded == 10 && outcome.failed == [.appleRefused: 25])
    }

    @Test("continues if the person of the trial stops using the app", arguments: Engine.allCases)
    func refusedTrial(on engine: Engine) async throws {
        let app = try await MovingApp.withPeople(engine, 60, hiddenFromApple: Set(0..<25))
        #expect(try await app.export(limit: 1).succeeded == 1)
        let trial = Set([app.formerSubject(59)])
        let apple = AlteredApple(app.system.apple) { $0.isAbout(trial) ? .transferRefused : nil }
        let outcome = try await app.export(over: apple)
        #expect(outcome.succeeded == 34 && outcome.failed == [.appleRefused: 25])
    }

    @Test("proves its first people at the new team, some of whom may be refused", arguments: Engine.allCases)
    func proof(on engine: Engine) async throws {
        let app = try await MovingApp.withPeople(engine, 20)
        try await app.accept()
        let refused = Set((18..<20).map(app.transferSubject))
        let apple = AlteredApple(app.system.apple) { $0.isAbout(refused) ? .transferRefused : nil }
        let first = try await app.export(provingOver: apple, limit: 5)
        #expect(first.succeeded == 3 && first.failed == [.appleRefused: 2])
        // Somebody is exported already: one of those is proven, before others are asked about.
        #expect(try await app.export(provingOver: apple).succeeded == 17)
    }

    @Test("ends when the new team finds nobody", arguments: Engine.allCases)
    func uselessProof(on engine: Engine) async throws {
        let app = try await MovingApp.withPeople(engine, 20)
        try await app.accept()
        let apple = AlteredApple(app.system.apple) { _ in .transferRefused }
        for limit in [1, nil] {
            await #expect(throws: TransferError.notUsableByTarget) {
                try await app.export(provingOver: apple, limit: limit)
            }
        }
        #expect(try await app.system.store.transferCounts(to: MovingApp.new).exported == 0)
    }

    @Test("moves nobody, and records nobody as failed, after the sixty days", arguments: Engine.allCases)
    func over(on engine: Engine) async throws {
        let app = try await MovingApp.withPeople(engine, 40)
        try await app.export()
        try await app.accept()
        app.system.clock.advance(by: .days(59))
        #expect(try await app.import(limit: 10).succeeded == 10)
        app.system.clock.advance(by: .days(2))
        await #expect(throws: TransferError.everybodyRefused(20)) { try await app.import() }
        let counts = try await app.system.store.transferCounts(to: MovingApp.new)
        #expect(counts.moved == 10 && counts.exported == 30 && counts.failed == [:])
    }

    @Test("ends after a day of requests for a pause, and reports each minute", arguments: [Engine.sqlite])
    func pauses(on engine: Engine) async throws {
        let app = try await MovingApp.withPeople(engine, 8)
        let told = Lock(0)
        let questions = try app.questions(
            of: MovingApp.former, over: AlteredApple(app.system.apple) { _ in .slowDown(5) },
            onPause: { _ in told.withLock { $0 += 1 } })
        let start = app.system.clock.now
        await #expect(throws: AppleIDError(.appleUnavailable, "")) {
            try await TransferExport(
                store: app.system.store, questions: questions, environment: app.system.clock.appleIDEnvironment
            ).run(from: MovingApp.former, to: MovingApp.new)
        }
        let hours = app.system.clock.now.timeIntervalSince(start) / 3_600
        #expect((24...26).contains(hours))
        #expect((1_000...2_000).contains(told.withLock { $0 }))
    }

    @Test("reports a long pause at once")
    func longPause() async throws {
        let app = try await MovingApp.withPeople(.sqlite, 1)
        let asked = Lock(0)
        let told = Lock<[Timestamp]>([])
        let apple = AlteredApple(app.system.apple) { _ in
            asked.withLock { count -> AppleResponse? in
                count += 1
                return count == 1 ? .slowDown(40) : nil
            }
        }
        let questions = try app.questions(
            of: MovingApp.former, over: apple, onPause: { until in told.withLock { $0.append(until) } })
        _ = try await TransferExport(
            store: app.system.store, questions: questions, environment: app.system.clock.appleIDEnvironment
        ).run(from: MovingApp.former, to: MovingApp.new)
        #expect(told.withLock { $0.count } == 1)
        #expect(told.withLock { $0.allSatisfy { $0 <= Timestamp(app.system.clock.now) } })
    }
}
