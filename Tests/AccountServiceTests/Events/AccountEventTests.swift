import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Events of an account", .eachDatabase)
struct AccountEventTests {
    @Test("A sign-in and the end of a session are events of the account, in order")
    func order() async throws {
        let store = try await Engine.current.store()
        let first = try await store.signIn(.sample())
        let second = try await store.signIn(.sample(at: .start + .hours(1)))
        #expect(try await store.endSession(first.session.id, .sample(at: .start + .hours(2), .signedOut)))
        let events = try await store.accountEvents(of: first.account.id, after: 0, limit: 10)
        #expect(events.map(\.kind) == [.signedIn, .signedIn, .sessionEnded])
        #expect(
            events.map(\.about)
                == [first.session.id.rawValue, second.session.id.rawValue, first.session.id.rawValue])
        #expect(events.map(\.reason) == [nil, nil, SessionEndReason.signedOut.rawValue])
        #expect(events.map(\.at) == [0, 1, 2].map { Timestamp.start + .hours($0) })
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.revision < $1.revision })
    }

    @Test("Events are read after a revision, up to a limit, of one account alone")
    func pages() async throws {
        let store = try await Engine.current.store()
        let outcome = try await store.signIn(.sample())
        _ = try await store.signIn(.sample(.sample("someone.else")))
        for hour in 1...4 { _ = try await store.signIn(.sample(at: .start + .hours(Int64(hour)))) }
        let all = try await store.accountEvents(of: outcome.account.id, after: 0, limit: 10)
        #expect(all.count == 5)
        #expect(
            try await store.accountEvents(of: outcome.account.id, after: all[1].revision, limit: 2)
                == Array(all[2...3]))
        #expect(try await store.accountEvents(of: outcome.account.id, after: all[4].revision, limit: 2) == [])
        #expect(try await store.accountEvents(of: .sample(), after: 0, limit: 2) == [])
    }

    @Test("The end of a replaced session is an event of that session's account, whoever signed in")
    func replacedSession() async throws {
        let store = try await Engine.current.store()
        let browser = TokenHash.sample()
        var first = SignInRecord.NewSession.sample(.browser)
        first.browserHash = browser
        let tab = try await store.signIn(.sample(session: first))
        let former = try await store.signIn(.sample(session: .sample(.browser))).session
        var second = SignInRecord.NewSession.sample(.browser)
        second.browserHash = browser
        let other = try await store.signIn(
            .sample(
                at: .start + .hours(1), .sample("someone.else"), session: second, formerSession: former.id))
        #expect(other.replaced == [tab.account.id])
        let ends = try await store.accountEvents(of: tab.account.id, after: 0, limit: 10).filter {
            $0.kind == .sessionEnded
        }
        #expect(Set(ends.map(\.about)) == [tab.session.id.rawValue, former.id.rawValue])
        #expect(ends.allSatisfy { $0.reason == "replaced" && $0.at == .start + .hours(1) })

        var again = ReauthenticationRecord.sample(of: other.session.id, at: .start + .hours(2))
        again.person.subject = "someone.else"
        again.successor = .sample(.browser)
        _ = try await store.reauthenticate(again)
        let told = try await store.accountEvents(of: other.account.id, after: 0, limit: 10)
        #expect(told.map(\.kind) == [.signedIn, .sessionEnded])
        #expect(told.last?.about == other.session.id.rawValue && told.last?.reason == "replaced")
    }

    @Test("Sessions that end at once are an event each, with numbers one after the other", arguments: [1, 2, 7])
    func endedAtOnce(count: Int) async throws {
        let store = try await Engine.current.store()
        var sessions: [SessionID] = []
        for hour in 0...count {
            sessions.append(try await store.signIn(.sample(at: .start + .hours(Int64(hour)))).session.id)
        }
        let account = try #require(await store.session(sessions[0])).account.id
        let before = try await store.accountEvents(of: account, after: 0, limit: 20)
        let ending = SessionEnding.sample(at: .start + .days(1), .signedOut)
        #expect(try await store.endSessions(of: account, except: sessions[0], ending, limit: 100) == count)
        let ends = try await store.accountEvents(of: account, after: before.last?.revision ?? 0, limit: 20)
        #expect(ends.allSatisfy { $0.kind == .sessionEnded && $0.reason == "signed_out" && $0.at == ending.at })
        #expect(Set(ends.map(\.about)) == Set(sessions.dropFirst().map(\.rawValue)) && ends.count == count)
        let first = try #require(ends.first?.revision)
        #expect(ends.map(\.revision) == Array(first..<(first + Int64(count))))
        let audit = try await store.auditEntries(of: account, before: nil, limit: 50).filter {
            $0.event == .sessionEnded
        }
        #expect(Set(audit.map(\.subject)) == Set(ends.map(\.about)) && audit.count == count)
        // The event of a later sign-in doesn't get a number that the ended sessions have used.
        _ = try await store.signIn(.sample(at: .start + .days(2)))
        let next = try await store.accountEvents(of: account, after: ends.last?.revision ?? 0, limit: 20)
        #expect(next.map(\.kind) == [.signedIn])
    }

    @Test("A change without effect makes no event")
    func noChange() async throws {
        let store = try await Engine.current.store()
        let outcome = try await store.signIn(.sample())
        #expect(try await store.endSession(outcome.session.id, .sample(at: .start, .signedOut)))
        #expect(try await store.endSession(outcome.session.id, .sample(at: .start, .signedOut)) == false)
        #expect(try await store.endSession(.sample(), .sample(at: .start, .signedOut)) == false)
        #expect(try await store.accountEvents(of: outcome.account.id, after: 0, limit: 10).count == 2)
    }

    @Test("Concurrent events have revisions of their own, and none is lost")
    func atTheSameTime() async throws {
        let store = try await Engine.current.store()
        let account = try await store.signIn(.sample()).account.id
        let sessions = try await atOnce(20) { index in
            try await store.signIn(.sample(at: .start + .seconds(Int64(index)))).session.id
        }
        _ = try await atOnce(20) { index in
            try await store.endSession(sessions[index], .sample(at: .start + .hours(1), .signedOut))
        }
        let events = try await store.accountEvents(of: account, after: 0, limit: 100)
        #expect(events.count == 41)
        #expect(Set(events.map(\.revision)).count == 41)
        #expect(Set(events.filter { $0.kind == .sessionEnded }.map(\.about)) == Set(sessions.map(\.rawValue)))
    }

    @Test("A sweep removes events that are a month old, and no others")
    func sweep() async throws {
        let store = try await Engine.current.store()
        let account = try await store.signIn(.sample()).account.id
        _ = try await store.signIn(.sample(at: .start + .days(1)))
        let moment = Timestamp.start + AccountEvent.lifetime
        try await store.walk(through: .events, endedBy: moment)
        #expect(
            try await store.accountEvents(of: account, after: 0, limit: 10).map(\.at)
                == [Timestamp.start + .days(1)])
    }
}

@Suite("News for a session", .eachDatabase)
struct AccountNewsTests {
    @Test("A session that asks for future events gets a revision, and with it the events that follow")
    func fromNowOn() async throws {
        let store = try await Engine.current.store()
        let outcome = try await store.signIn(.sample())
        var news = try await store.accountNews(of: outcome.session, after: nil, at: .start, limit: 10)
        #expect(news.events.isEmpty && !news.isOver)
        let later = try await store.signIn(.sample(at: .start + .hours(1)))
        news = try await store.accountNews(of: outcome.session, after: news.revision, at: .start, limit: 10)
        #expect(news.events.map(\.about) == [later.session.id.rawValue] && !news.isOver)
        let last = try #require(news.events.last)
        news = try await store.accountNews(of: outcome.session, after: last.revision, at: .start, limit: 10)
        #expect(news.events.isEmpty)
    }

    @Test("An ended session gets the events up to its end, which is included, and no more")
    func endedSession() async throws {
        let store = try await Engine.current.store()
        let outcome = try await store.signIn(.sample())
        #expect(
            try await store.endSession(outcome.session.id, .sample(at: .start + .hours(1), .signedOut)))
        _ = try await store.signIn(.sample(at: .start + .hours(2)))
        let news = try await store.accountNews(of: outcome.session, after: 0, at: .start, limit: 10)
        #expect(news.events.map(\.kind) == [.signedIn, .sessionEnded])
        #expect(news.isOver)
    }

    @Test("An expired or removed session gets no more events")
    func expiredSession() async throws {
        let store = try await Engine.current.store()
        let outcome = try await store.signIn(.sample(session: .sample(expiresAt: .start + .days(1))))
        let at = Timestamp.start + .days(1)
        #expect(
            try await !store.accountNews(of: outcome.session, after: 0, at: at - .seconds(1), limit: 9).isOver)
        #expect(try await store.accountNews(of: outcome.session, after: 0, at: at, limit: 9).isOver)
        try await store.walk(through: .sessions, endedBy: at)
        #expect(try await store.session(outcome.session.id) == nil)
        #expect(try await store.accountNews(of: outcome.session, after: 0, at: .start, limit: 9).isOver)
    }

    @Test("An identity's state follows Apple's latest notification, and is found through its own account alone")
    func identityState() async throws {
        let store = try await Engine.current.store()
        let mine = try await store.signIn(.sample())
        let theirs = try await store.signIn(.sample(.sample("someone.else")))
        func standing(_ subject: Subject) async throws -> AppleStanding? {
            try await store.appleStanding(of: mine.account.id, subject: subject)
        }
        let identity = mine.session.identityID
        let granted = AppleStanding(identity: identity, team: "TEAM000001", accessEnded: false, isRemoved: false)
        #expect(try await standing("001999.person") == granted)
        #expect(try await store.appleStanding(of: mine.account.id, identity: identity) == granted)
        #expect(try await standing("someone.else") == nil)
        #expect(
            try await store.appleStanding(of: mine.account.id, identity: theirs.session.identityID) == nil)

        _ = try await store.applyNotification(.sample(.consentRevoked, happenedAt: .start + .hours(1)))
        let ended = AppleStanding(identity: identity, team: "TEAM000001", accessEnded: true, isRemoved: false)
        #expect(try await standing("001999.person") == ended)
        _ = try await store.applyNotification(.sample(.accountDeleted, happenedAt: .start + .hours(2)))
        let removed = AppleStanding(identity: identity, team: "TEAM000001", accessEnded: true, isRemoved: true)
        #expect(try await store.appleStanding(of: mine.account.id, identity: identity) == removed)
        #expect(try await standing("001999.person") == nil)
    }
}
