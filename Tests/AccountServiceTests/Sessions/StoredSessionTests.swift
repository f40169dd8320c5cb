import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Sessions in the store", .eachDatabase)
struct StoredSessionTests {
    @Test("An unknown session isn't found")
    func unknown() async throws {
        let store = try await Engine.current.store()
        #expect(try await store.session(.sample()) == nil)
        #expect(try await store.endSession(.sample(), .sample(at: .start, .signedOut)) == false)
        try await store.touchSession(.sample(), usedAt: .start, expiresAt: .start + .days(1))
    }

    @Test("Expired and ended sessions are still found, with their account")
    func endedOrExpired() async throws {
        let store = try await Engine.current.store()
        let record = SignInRecord.sample(session: .sample(.browser, expiresAt: .start - .days(1)))
        let outcome = try await store.signIn(record)
        #expect(try await store.session(record.session.id)?.session == outcome.session)
        #expect(try await store.endSession(record.session.id, .sample(at: .start, .signedOut)))
        #expect(try await store.session(record.session.id)?.account == outcome.account)
    }

    @Test("A session ends once, and its first end stays")
    func firstEnd() async throws {
        let store = try await Engine.current.store()
        let id = try await store.signIn(.sample()).session.id
        #expect(try await store.endSession(id, .sample(at: .start, .refreshTokenReused)))
        #expect(try await store.endSession(id, .sample(at: .start + .days(1), .signedOut)) == false)
        let ended = try await store.session(id)?.ended
        #expect(ended == StoredSession.End(at: .start, reason: .refreshTokenReused))
    }

    @Test("If fifty requests end one session, one of them ends it")
    func endedByFifty() async throws {
        let store = try await Engine.current.store()
        let id = try await store.signIn(.sample()).session.id
        let ended = try await atOnce(50) { _ in try await store.endSession(id, .sample(at: .start, .signedOut)) }
        #expect(ended.count { $0 } == 1)
    }

    @Test("A use extends a live session, and an earlier use that is recorded later doesn't shorten it")
    func use() async throws {
        let store = try await Engine.current.store()
        let id = try await store.signIn(.sample()).session.id
        let (used, expires) = (Timestamp.start + .hours(2), Timestamp.start + .days(40))
        try await store.touchSession(id, usedAt: used, expiresAt: expires)
        var stored = try #require(await store.session(id))
        #expect(stored.session.lastUsedAt == used && stored.session.expiresAt == expires)
        try await store.touchSession(id, usedAt: used - .hours(1), expiresAt: expires - .hours(1))
        #expect(try await store.session(id) == stored)
        try await store.touchSession(id, usedAt: used + .hours(1), expiresAt: used + .hours(2))
        stored.session.lastUsedAt = used + .hours(1)
        stored.session.expiresAt = used + .hours(2)
        #expect(try await store.session(id) == stored)
    }

    @Test("A use doesn't revive an ended or expired session")
    func lateUse() async throws {
        let store = try await Engine.current.store()
        let ended = try await store.signIn(.sample()).session.id
        #expect(try await store.endSession(ended, .sample(at: .start, .signedOut)))
        let expired = try await store.signIn(.sample(session: .sample(expiresAt: .start + .days(1)))).session.id
        for id in [ended, expired] {
            let before = try await store.session(id)
            try await store.touchSession(id, usedAt: .start + .days(1), expiresAt: .start + .days(60))
            #expect(try await store.session(id) == before)
        }
    }
}

@Suite("The list of sessions", .eachDatabase)
struct SessionListTests {
    @Test("An account's live sessions are listed newest first, in pages, and no others")
    func newestFirst() async throws {
        let store = try await Engine.current.store()
        let account = try await store.signIn(.sample(at: .start)).account.id
        var opened: [Session] = []
        for minute in 1...4 {
            let moment = Timestamp.start + .minutes(Int64(minute))
            opened.append(try await store.signIn(.sample(at: moment, session: .sample(at: moment))).session)
        }
        _ = try await store.signIn(.sample(at: .start + .minutes(5), .sample("another")))
        let expired = SignInRecord.NewSession.sample(at: .start + .minutes(6), expiresAt: .start + .minutes(8))
        _ = try await store.signIn(.sample(at: .start + .minutes(6), session: expired))
        #expect(try await store.endSession(opened[1].id, .sample()))

        func list(before: SessionID? = nil, limit: Int) async throws -> [SessionID] {
            try await store.sessions(
                of: account, liveAt: .start + .minutes(8), before: before, limit: limit
            ).map(\.id)
        }
        #expect(try await list(limit: 2) == [opened[3].id, opened[2].id])
        let rest = try await list(before: opened[2].id, limit: 5)
        #expect(rest.count == 2 && rest.first == opened[0].id)
        #expect(try await list(limit: 0).isEmpty)
        let first = try await store.sessions(of: account, liveAt: .start, before: nil, limit: 9).first
        #expect(first?.id == expired.id)
    }

    @Test("A session keeps its device's name until a refresh brings another")
    func deviceName() async throws {
        let store = try await Engine.current.store()
        var session = SignInRecord.NewSession.sample()
        session.deviceName = DeviceName(cleaning: "Zoë's iPad")
        let account = try await store.signIn(.sample(session: session)).account.id
        func name() async throws -> String? {
            let page = try await store.sessions(of: account, liveAt: .start, before: nil, limit: 1)
            return page.first?.deviceName?.rawValue
        }
        #expect(try await name() == "Zoë's iPad")
        var presented = session.secretHash
        for (told, expected) in [(nil, "Zoë's iPad"), ("Zoë's new iPad", "Zoë's new iPad")] {
            var rotation = SessionRotationRecord(
                session: session.id, presented: presented, successor: .sample(), at: .start, grace: .seconds(30),
                idleLimit: .days(30), absoluteLimit: .days(180))
            rotation.deviceName = told.flatMap(DeviceName.init(cleaning:))
            _ = try await store.rotateSession(rotation)
            presented = rotation.successor
            #expect(try await name() == expected)
            #expect(try await store.session(session.id)?.session.deviceName?.rawValue == expected)
        }
    }

    @Test("The address of a sign-in is read from the audit's entry of that moment, and no other entry counts")
    func address() async throws {
        let store = try await Engine.current.store()
        var record = SignInRecord.sample(at: .start)
        record.caller = Caller(address: "203.0.113.7", device: nil)
        let mine = try await store.signIn(record).session
        let unknown = try await store.signIn(.sample(at: .start + .minutes(1), session: .sample(at: .start))).session
        var another = SignInRecord.sample(at: .start, .sample("another"))
        another.caller = Caller(address: "198.51.100.1", device: nil)
        let theirs = try await store.signIn(another).session
        #expect(unknown.accountID == mine.accountID)
        var proof = ReauthenticationRecord.sample(of: unknown.id, at: .start + .minutes(2))
        proof.caller = Caller(address: "192.0.2.1", device: nil)
        _ = try await store.reauthenticate(proof)
        #expect(try await store.signInAddresses(of: [mine, unknown]) == [mine.id: "203.0.113.7"])
        #expect(try await store.signInAddresses(of: [theirs]) == [theirs.id: "198.51.100.1"])
        #expect(try await store.signInAddresses(of: []) == [:])
        _ = try await store.sweepAudit(before: .start + .minutes(3), limit: 100)
        #expect(try await store.signInAddresses(of: [mine, unknown]) == [:])
    }

    @Test("The address of a browser's session that a proof has opened is that of the proof")
    func addressOfSuccessor() async throws {
        let store = try await Engine.current.store()
        let former = try await store.signIn(.sample(session: .sample(.browser))).session
        var proof = ReauthenticationRecord.sample(of: former.id, at: .start + .minutes(1))
        proof.successor = .sample(.browser, at: .start + .minutes(1))
        proof.caller = Caller(address: "192.0.2.1", device: nil)
        let successor = try await store.reauthenticate(proof)
        #expect(successor.id != former.id)
        #expect(try await store.signInAddresses(of: [former, successor]) == [successor.id: "192.0.2.1"])
    }

    @Test("A session can be ended by its own account only, and only while it lives")
    func endOne() async throws {
        let store = try await Engine.current.store()
        let mine = try await store.signIn(.sample()).session
        let other = try await store.signIn(.sample(.sample("another"))).session
        #expect(try await store.endSession(other.id, of: mine.accountID, .sample()) == false)
        #expect(try await store.session(other.id)?.ended == nil)
        #expect(try await store.endSession(mine.id, of: mine.accountID, .sample(at: .start + .days(31))) == false)
        #expect(try await store.endSession(mine.id, of: mine.accountID, .sample()))
        #expect(try await store.endSession(mine.id, of: mine.accountID, .sample()) == false)
    }

    @Test("All sessions of an account but one end in batches, and the audit records each")
    func endOthers() async throws {
        let store = try await Engine.current.store()
        let kept = try await store.signIn(.sample()).session
        for _ in 0..<5 { _ = try await store.signIn(.sample()) }
        let other = try await store.signIn(.sample(.sample("another"))).session
        func end(except: SessionID? = kept.id) async throws -> Int {
            try await store.endSessions(
                of: kept.accountID, except: except, .sample(at: .start, .endedElsewhere), limit: 3)
        }
        #expect(try await [end(), end(), end()] == [3, 2, 0])
        #expect(try await store.session(kept.id)?.ended == nil)
        #expect(try await store.session(other.id)?.ended == nil)
        #expect(try await end(except: nil) == 1)
        let told = try await store.auditEntries(of: kept.accountID, before: nil, limit: 50)
        #expect(told.count { $0.event == .sessionEnded && $0.detail == "ended_elsewhere" } == 6)
    }
}
