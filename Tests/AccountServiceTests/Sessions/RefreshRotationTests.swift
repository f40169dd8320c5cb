import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Exchanges of refresh tokens", .eachDatabase)
struct RefreshRotationTests {
    @Test("The current refresh token is exchanged, and the session's idle time starts again")
    func exchange() async throws {
        let store = try await Engine.current.store()
        let opened = try await store.openSession()
        let exchange = opened.rotation(at: .start + .hours(1))
        var expected = try #require(await store.session(opened.id))
        expected.secretHash = exchange.successor
        expected.generation = 1
        expected.session.lastUsedAt = exchange.at
        expected.session.expiresAt = exchange.at + exchange.idleLimit
        #expect(try await store.rotateSession(exchange) == .rotated(expected))
        #expect(try await store.session(opened.id) == expected)
    }

    @Test("An exchange never moves the expiry past the absolute limit")
    func absoluteLimit() async throws {
        let store = try await Engine.current.store()
        let opened = try await store.openSession()
        var exchange = opened.rotation(at: .start + .hours(1))
        exchange.absoluteLimit = .hours(1) + .minutes(1)
        guard case .rotated(let stored) = try await store.rotateSession(exchange) else {
            Issue.record("the token was current")
            return
        }
        let limit = Timestamp.start + exchange.absoluteLimit
        #expect(stored.session.expiresAt == limit)
    }

    @Test("A repeat within the grace period gets the same answer and changes nothing")
    func withinGrace() async throws {
        let store = try await Engine.current.store()
        let opened = try await store.openSession()
        let exchange = opened.rotation(at: .start)
        _ = try await store.rotateSession(exchange)
        let before = try #require(await store.session(opened.id))
        for delay in [Duration.zero, .seconds(29), exchange.grace] {
            var again = exchange
            again.at = exchange.at + delay
            #expect(try await store.rotateSession(again) == .repeated(before))
        }
        #expect(try await store.session(opened.id) == before)
    }

    @Test("A repeat after the grace period is reported as such")
    func afterGrace() async throws {
        let store = try await Engine.current.store()
        let opened = try await store.openSession()
        var exchange = opened.rotation(at: .start)
        _ = try await store.rotateSession(exchange)
        let before = try #require(await store.session(opened.id))
        exchange.at = exchange.at + exchange.grace + .microseconds(1)
        #expect(try await store.rotateSession(exchange) == .reused(before))
        #expect(try await store.session(opened.id) == before)
    }

    @Test("A repeat after the first use of the successor is a mismatch")
    func afterFirstUse() async throws {
        let store = try await Engine.current.store()
        let opened = try await store.openSession()
        let first = opened.rotation(at: .start)
        _ = try await store.rotateSession(first)
        var second = first
        (second.presented, second.successor) = (first.successor, .sample())
        _ = try await store.rotateSession(second)
        let before = try #require(await store.session(opened.id))
        #expect(before.generation == 2)
        #expect(try await store.rotateSession(first) == .mismatch(before, hasSignedToken: true))
        #expect(try await store.rotateSession(second) == .repeated(before))
    }

    @Test("A repeat gets the successor that a server of the previous version gave")
    func successorOfPreviousVersion() async throws {
        let store = try await Engine.current.store()
        let opened = try await store.openSession()
        let exchange = opened.rotation(at: .start)
        _ = try await store.rotateSession(exchange)
        let before = try #require(await store.session(opened.id))
        var again = exchange
        (again.successor, again.formerSuccessor) = (.sample(), exchange.successor)
        #expect(try await store.rotateSession(again) == .repeated(before))
    }

    @Test("A repeat that would get another successor is reported as a late one")
    func otherSuccessor() async throws {
        let store = try await Engine.current.store()
        let opened = try await store.openSession()
        var exchange = opened.rotation(at: .start)
        _ = try await store.rotateSession(exchange)
        let before = try #require(await store.session(opened.id))
        exchange.successor = .sample()
        #expect(try await store.rotateSession(exchange) == .reused(before))
    }

    @Test("A token that never was the session's is a mismatch")
    func unknownToken() async throws {
        let store = try await Engine.current.store()
        let opened = try await store.openSession()
        let before = try #require(await store.session(opened.id))
        var exchange = opened.rotation(at: .start)
        exchange.presented = .sample()
        #expect(try await store.rotateSession(exchange) == .mismatch(before, hasSignedToken: true))
        #expect(try await store.session(opened.id) == before)
    }

    @Test("Unknown, ended and expired sessions and browsers' sessions have no refresh token")
    func withoutRefreshToken() async throws {
        let store = try await Engine.current.store()
        let unknown = OpenedSession(id: .sample(), secretHash: .sample())
        #expect(try await store.rotateSession(unknown.rotation(at: .start)) == .gone)

        let ended = try await store.openSession()
        _ = try await store.endSession(ended.id, .sample(at: .start, .signedOut))
        let expired = try await store.openSession(expiresAt: .start + .hours(1))
        let browser = try await store.openSession(.browser)
        for opened in [ended, expired, browser] {
            let before = try await store.session(opened.id)
            #expect(try await store.rotateSession(opened.rotation(at: .start + .hours(1))) == .gone)
            #expect(try await store.session(opened.id) == before)
        }
    }
}

@Suite("Exchanges of refresh tokens, many at once", .eachDatabase)
struct RefreshRaceTests {
    @Test("If fifty requests exchange one refresh token, one rotates and all get the same successor")
    func fiftyAtOnce() async throws {
        let store = try await Engine.current.store()
        let opened = try await store.openSession()
        let exchange = opened.rotation(at: .start)
        let outcomes = try await atOnce(50) { _ in try await store.rotateSession(exchange) }
        let stored = try #require(await store.session(opened.id))
        #expect(stored.secretHash == exchange.successor && stored.generation == 1)
        #expect(outcomes.count { $0 == .rotated(stored) } == 1)
        #expect(outcomes.count { $0 == .repeated(stored) } == 49)
    }

    @Test("If fifty requests exchange one refresh token for different successors, one rotates and the others reuse it")
    func fiftyDifferentSuccessors() async throws {
        let store = try await Engine.current.store()
        let opened = try await store.openSession()
        let outcomes = try await atOnce(50) { _ in try await store.rotateSession(opened.rotation(at: .start)) }
        let stored = try #require(await store.session(opened.id))
        #expect(outcomes.count { $0 == .rotated(stored) } == 1)
        #expect(outcomes.count { $0 == .reused(stored) } == 49)
    }

    @Test("A session that is ended while it rotates stays ended")
    func endedMeanwhile() async throws {
        let store = try await Engine.current.store()
        for _ in 0..<20 {
            let opened = try await store.openSession()
            async let rotated = store.rotateSession(opened.rotation(at: .start))
            async let ended = store.endSession(opened.id, .sample(at: .start, .signedOut))
            _ = try await (rotated, ended)
            #expect(try await ended)
            #expect(try await store.session(opened.id)?.ended?.reason == .signedOut)
            #expect(try await store.rotateSession(opened.rotation(at: .start)) == .gone)
        }
    }
}

@Suite("Late repeats of an exchange", .eachDatabase)
struct LateRepeatTests {
    @Test("A late repeat with the same attempt gets the same answer until a use of it is recorded")
    func sameAttempt() async throws {
        let store = try await Engine.current.store()
        let opened = try await store.openSession()
        let exchange = opened.rotation(at: .start, attempt: .sample())
        _ = try await store.rotateSession(exchange)
        var late = exchange
        for delay in [Duration.seconds(31), .hours(1), .days(29)] {
            late.at = .start + delay
            let before = try #require(await store.session(opened.id))
            #expect(try await store.rotateSession(late) == .repeated(before))
            // An access token of before the exchange says nothing about the answer's.
            try await store.noteUse(of: opened.id, generation: 0)
        }
        try await store.noteUse(of: opened.id, generation: 1)
        let used = try #require(await store.session(opened.id))
        #expect(used.usedGeneration == 1)
        #expect(try await store.rotateSession(late) == .reused(used))
        try await store.noteUse(of: opened.id, generation: 0)
        #expect(try await store.session(opened.id) == used)
        // Within the grace a use changes nothing.
        #expect(try await store.rotateSession(exchange) == .repeated(used))
    }

    @Test("A late repeat without an attempt or with another is reported as such")
    func otherAttempt() async throws {
        let store = try await Engine.current.store()
        for (first, second) in [(nil, nil), (nil, .sample()), (.sample(), nil), (.sample(), .sample())]
            as [(TokenHash?, TokenHash?)]
        {
            let opened = try await store.openSession()
            var exchange = opened.rotation(at: .start, attempt: first)
            _ = try await store.rotateSession(exchange)
            let before = try #require(await store.session(opened.id))
            exchange.attemptHash = second
            exchange.at = .start + exchange.grace
            #expect(try await store.rotateSession(exchange) == .repeated(before))
            exchange.at = exchange.at + .microseconds(1)
            #expect(try await store.rotateSession(exchange) == .reused(before))
        }
    }

    @Test("An attempt works for its own refresh token only, until the successor is exchanged")
    func attemptOfParent() async throws {
        let store = try await Engine.current.store()
        let opened = try await store.openSession()
        let first = opened.rotation(at: .start, attempt: .sample())
        _ = try await store.rotateSession(first)
        var second = first
        (second.presented, second.successor, second.attemptHash) = (first.successor, .sample(), nil)
        _ = try await store.rotateSession(second)
        let before = try #require(await store.session(opened.id))
        #expect(try await store.rotateSession(first) == .mismatch(before, hasSignedToken: true))
        second.attemptHash = first.attemptHash
        second.at = .start + .hours(1)
        #expect(try await store.rotateSession(second) == .reused(before))
    }

    @Test("The audit records repeats, and marks late ones")
    func audit() async throws {
        let store = try await Engine.current.store()
        let opened = try await store.openSession()
        var exchange = opened.rotation(at: .start, attempt: .sample())
        exchange.caller = Caller(address: "192.0.2.7")
        _ = try await store.rotateSession(exchange)
        for delay in [Duration.seconds(1), .hours(1)] {
            exchange.at = .start + delay
            _ = try await store.rotateSession(exchange)
        }
        let account = try #require(await store.session(opened.id)).account.id
        let told = try await store.auditEntries(of: account, before: nil, limit: 50)
            .filter { $0.event == .refreshRepeated }
        #expect(told.map(\.detail) == ["late", nil])
        #expect(told.allSatisfy { $0.subject == opened.id.rawValue && $0.actor.caller.address == "192.0.2.7" })
    }

    @Test("If a use and a late repeat happen at once, the repeat comes before the use or is too late")
    func useAndRepeatAtOnce() async throws {
        let store = try await Engine.current.store()
        for _ in 0..<30 {
            let opened = try await store.openSession()
            var late = opened.rotation(at: .start, attempt: .sample())
            _ = try await store.rotateSession(late)
            let before = try #require(await store.session(opened.id))
            late.at = .start + .hours(1)
            let again = late
            async let noted: Void = store.noteUse(of: opened.id, generation: 1)
            async let repeated = store.rotateSession(again)
            let outcome = try await repeated
            _ = try await noted
            var used = before
            used.usedGeneration = 1
            #expect(outcome == .repeated(before) || outcome == .reused(used))
            #expect(try await store.rotateSession(again) == .reused(used))
        }
    }

    @Test("If fifty late repeats have one attempt, all get the same successor")
    func fiftyLateRepeats() async throws {
        let store = try await Engine.current.store()
        let opened = try await store.openSession()
        var late = opened.rotation(at: .start, attempt: .sample())
        _ = try await store.rotateSession(late)
        let before = try #require(await store.session(opened.id))
        late.at = .start + .hours(1)
        let outcomes = try await atOnce(50) { [late] _ in try await store.rotateSession(late) }
        #expect(outcomes.allSatisfy { $0 == .repeated(before) })
    }
}

/// A session with the hash of the secret that is current.
private struct OpenedSession: Sendable {
    var id: SessionID
    var secretHash: TokenHash

    /// An exchange of the current secret for a fresh one.
    func rotation(at moment: Timestamp, attempt: TokenHash? = nil) -> SessionRotationRecord {
        var rotation = SessionRotationRecord(
            session: id, presented: secretHash, successor: .sample(), at: moment, grace: .seconds(30),
            idleLimit: .days(30), absoluteLimit: .days(365))
        rotation.attemptHash = attempt
        return rotation
    }
}

extension AccountTransactions {
    fileprivate func openSession(
        _ kind: Session.Kind = .tokens, expiresAt: Timestamp = .start + .days(30)
    ) async throws -> OpenedSession {
        let record = SignInRecord.sample(session: .sample(kind, expiresAt: expiresAt))
        _ = try await signIn(record)
        return OpenedSession(id: record.session.id, secretHash: record.session.secretHash)
    }
}
