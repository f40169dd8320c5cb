import AccountDatabase
import AccountEngines
import AppleIDTypes
import TaskSignals
import Testing

@testable import AccountService

@Suite("A merge, and something else that happens to one of the accounts", .eachEngine)
struct MergeRivalTests {
    /// How often a race is run: where the two meet differs from time to time.
    private static let rounds = 10

    @Test("have one outcome in each order", arguments: MergeRival.allCases, [true, false])
    func inOrder(_ rival: MergeRival, mergesFirst: Bool) async throws {
        let scene = try await MergeScene(rival, in: PasswordSystem())
        let outcomes: MergeOutcomes
        if mergesFirst {
            let merge = try await MergeScene.outcome(scene.merge)
            outcomes = MergeOutcomes(merge, try await MergeScene.outcome(scene.act))
            #expect(outcomes == rival.afterMerge)
        } else {
            let other = try await MergeScene.outcome(scene.act)
            outcomes = MergeOutcomes(try await MergeScene.outcome(scene.merge), other)
            #expect(outcomes == rival.beforeMerge)
        }
        try await scene.check(outcomes)
    }

    @Test("have the outcome of one order if they happen at once", arguments: MergeRival.allCases)
    func together(_ rival: MergeRival) async throws {
        let system = try await PasswordSystem()
        for round in 0..<Self.rounds {
            let scene = try await MergeScene(rival, round: round, in: system)
            // Each is late in half of the rounds.
            async let merged = MergeScene.outcome {
                await yieldToOthers(round.isMultiple(of: 2) ? round * 40 : 0)
                try await scene.merge()
            }
            async let other = MergeScene.outcome {
                await yieldToOthers(round.isMultiple(of: 2) ? 0 : round * 40)
                try await scene.act()
            }
            let outcomes = try await MergeOutcomes(merged, other)
            #expect([rival.afterMerge, rival.beforeMerge].contains(outcomes), "\(rival), \(outcomes)")
            try await scene.check(outcomes)
            try await scene.clear()
        }
    }
}

#if PostgreSQL
    @Suite(
        "A merge that waits for another change, or the other way round, on PostgreSQL", .eachEngine,
        .timeLimit(.minutes(2)))
    struct MergeLockTests {
        @Test(
            "have the outcome of the order in which their transactions began", arguments: MergeRival.allCases,
            [true, false])
        func inOrder(_ rival: MergeRival, mergesFirst: Bool) async throws {
            // SQLite has one writer, so its transactions never meet.
            guard Engine.current == .postgres else { return }
            let scene = try await MergeScene(rival, in: PasswordSystem())
            // Both need the row of this session, or wait for the one that does.
            let lock = try await HeldLock(of: scene.from.session.id, in: scene.system.store)
            let first = RunningCall(mergesFirst ? scene.merge : scene.act)
            try await lock.waits(for: 1, or: first)
            let second = RunningCall(mergesFirst ? scene.act : scene.merge)
            try await lock.waits(for: first.isDone ? 1 : 2, or: second)
            try await lock.end()
            let (one, other) = (try await first.outcome(), try await second.outcome())
            let outcomes = mergesFirst ? MergeOutcomes(one, other) : MergeOutcomes(other, one)
            #expect(outcomes == (mergesFirst ? rival.afterMerge : rival.beforeMerge))
            try await scene.check(outcomes)
        }
    }

    /// A call that runs, and notes when it is done.
    private final class RunningCall: Sendable {
        private final class Mark: Sendable {
            let isSet = Lock(false)
        }

        private let mark = Mark()
        private let task: Task<String, any Error>

        init(_ work: @escaping @Sendable () async throws -> Void) {
            task = Task { [mark] in
                defer { mark.isSet.withLock { $0 = true } }
                return try await MergeScene.outcome(work)
            }
        }

        var isDone: Bool { mark.isSet.withLock { $0 } }

        func outcome() async throws -> String { try await task.value }
    }

    /// Holds the row of a session in a transaction, and counts the transactions that wait behind it.
    private final class HeldLock: Sendable {
        private final class State: Sendable {
            let waiting = Lock<Int64>(0)
            let isOver = Lock(false)
        }

        /// Counts the transactions that wait, after five milliseconds. PostgreSQL announces none, so the test asks
        /// again and again.
        private static let countWaiting: SQLStatement = """
            WITH RECURSIVE behind (pid) AS (
                SELECT pg_backend_pid()
                UNION
                SELECT l.pid FROM pg_locks l JOIN behind b ON b.pid = ANY (pg_blocking_pids(l.pid)) WHERE NOT l.granted)
            SELECT count(*) - 1 FROM behind, pg_sleep(0.005)
            """

        private let state = State()
        private let task: Task<Void, any Error>

        init(of session: SessionID, in store: AccountTransactions) async throws {
            let (held, begin) = AsyncStream.makeStream(of: Void.self)
            task = Task { [state] in
                defer { begin.finish() }
                try await store.write { connection in
                    // An UPDATE would write a new version of the row, and the waiting transactions would race for it.
                    _ = try connection.first(
                        "SELECT id FROM sessions WHERE id = ?1 FOR NO KEY UPDATE", [.id(session)]
                    ) { try $0.text() }
                    begin.yield()
                    let end = ContinuousClock.now + .seconds(60)
                    while !state.isOver.withLock({ $0 }), ContinuousClock.now < end {
                        let count = try connection.first(Self.countWaiting, []) { try $0.int64() } ?? 0
                        state.waiting.withLock { $0 = count }
                    }
                }
            }
            for await _ in held { break }
        }

        /// Returns when so many transactions wait, or the call is done.
        func waits(for count: Int64, or call: RunningCall) async throws {
            while state.waiting.withLock({ $0 }) < count, !call.isDone {
                try Task.checkCancellation()
                await Task.yield()
            }
        }

        func end() async throws {
            state.isOver.withLock { $0 = true }
            try await task.value
        }
    }
#endif
