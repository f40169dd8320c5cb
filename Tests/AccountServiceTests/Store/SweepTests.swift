import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Sweeps", .eachDatabase)
struct SweepTests {
    @Test("A sweep removes expired attempts, notes of use and names, and no others")
    func attemptsNotesNames() async throws {
        let store = try await Engine.current.store()
        let moment = Timestamp.start
        let (over, fresh) = (Attempt.sample(expiresAt: moment), Attempt.sample(expiresAt: moment + .seconds(1)))
        try await store.insertAttempt(over)
        try await store.insertAttempt(fresh)
        try await store.keepPendingProfile(.sample("Over", subject: "over", expiresAt: moment))
        try await store.keepPendingProfile(.sample("Fresh", subject: "fresh", expiresAt: moment + .seconds(1)))
        let used = [
            UsedCredential.sample(expiresAt: moment), UsedCredential.sample(.nonce, expiresAt: moment + .seconds(1)),
        ]
        _ = try await store.signIn(.sample(at: moment - .minutes(1), used: used))

        #expect(try await store.sweep(at: moment, sessionsBefore: moment - .days(1), limit: 100) == 2)
        #expect(try await store.sweep(at: moment, sessionsBefore: moment - .days(1), limit: 100) == 0)
        try await store.walk(through: .spent, endedBy: moment)

        #expect(try await store.takeAttempt(over.stateHash) == nil)
        #expect(try await store.takeAttempt(fresh.stateHash) == fresh)
        let before = moment - .minutes(1)
        #expect(try await store.firstUsed(among: [used[0]], at: before) == nil)
        #expect(try await store.firstUsed(among: [used[1]], at: before) == .nonce)
        let named = try await store.signIn(.sample(at: before, .sample("fresh")))
        #expect(named.account.name?.givenName == "Fresh")
        let unnamed = try await store.signIn(.sample(at: before, .sample("over")))
        #expect(unnamed.account.name == nil)
    }

    @Test("A sweep removes sessions that ended or expired before the given time, and no others")
    func sessions() async throws {
        let store = try await Engine.current.store()
        let limit = Timestamp.start + .days(10)
        func open(expiresAt: Timestamp, endedAt: Timestamp? = nil) async throws -> SessionID {
            let record = SignInRecord.sample(session: .sample(expiresAt: expiresAt))
            _ = try await store.signIn(record)
            if let endedAt {
                #expect(try await store.endSession(record.session.id, .sample(at: endedAt, .signedOut)))
            }
            return record.session.id
        }
        let gone = try await [
            open(expiresAt: limit - .seconds(1)),
            open(expiresAt: limit + .days(9), endedAt: limit - .seconds(1)),
            open(expiresAt: limit - .seconds(2), endedAt: limit - .seconds(3)),
        ]
        let kept = try await [
            open(expiresAt: limit), open(expiresAt: limit + .days(9), endedAt: limit),
            open(expiresAt: limit + .days(9)),
        ]
        // The notes of the sign-ins are not over at the start.
        #expect(try await store.sweep(at: .start, sessionsBefore: limit, limit: 100) == 2)
        try await store.walk(through: .sessions, endedBy: limit - .seconds(1))
        for id in gone {
            #expect(try await store.session(id) == nil)
        }
        for id in kept {
            #expect(try await store.session(id) != nil)
        }
    }

    @Test("A sweep removes no more rows of each kind than its limit")
    func limit() async throws {
        let store = try await Engine.current.store()
        for _ in 0..<5 {
            try await store.insertAttempt(.sample(expiresAt: .start))
            let record = SignInRecord.sample(
                at: .start - .days(3), used: [.sample(expiresAt: .start)],
                session: .sample(expiresAt: .start - .days(2)))
            _ = try await store.signIn(record)
            _ = try await store.endSession(record.session.id, .sample(at: .start - .days(2), .signedOut))
        }
        func sweep() async throws -> Int {
            try await store.sweep(at: .start, sessionsBefore: .start - .days(1), limit: 2)
        }
        #expect(try await [sweep(), sweep(), sweep(), sweep()] == [4, 4, 2, 0])
    }

    @Test("A walk visits every row, whatever it removes on its way")
    func walk() async throws {
        let store = try await Engine.current.store()
        var over: [SignInRecord] = []
        var fresh: [SignInRecord] = []
        for index in 0..<10 {
            for (isOver, end) in [(true, Timestamp.start), (false, .start + .seconds(1))] {
                let record = SignInRecord.sample(
                    at: .start - .days(1), .sample(Subject("person \(index) \(isOver)")),
                    used: [.sample(expiresAt: end)], session: .sample(expiresAt: end))
                _ = try await store.signIn(record)
                if isOver { over.append(record) } else { fresh.append(record) }
            }
        }
        for table in KeyOrderSweep.allCases {
            // Three of the twenty rows at a time. None of the events has expired.
            #expect(try await store.walk(through: table, endedBy: .start, limit: 3) == 7)
        }
        let before = Timestamp.start - .days(1)
        for record in over {
            #expect(try await store.session(record.session.id) == nil)
            #expect(try await store.firstUsed(among: record.used, at: before) == nil)
        }
        for record in fresh {
            #expect(try await store.session(record.session.id) != nil)
            #expect(try await store.firstUsed(among: record.used, at: before) != nil)
        }
    }
}

extension AccountTransactions {
    /// - Returns: in how many steps.
    @discardableResult
    func walk(through table: KeyOrderSweep, endedBy moment: Timestamp, limit: Int = 100) async throws -> Int {
        var steps = 0
        var last: KeyOrderSweep.Row?
        repeat {
            last = try await sweep(table, after: last, endedBy: moment, limit: limit)
            steps += 1
        } while last != nil
        return steps
    }
}
