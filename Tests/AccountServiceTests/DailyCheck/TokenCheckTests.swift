import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Checks of Apple's tokens", .eachDatabase)
struct TokenCheckTests {
    @Test("A token is due a day after it was obtained and a day after each check, and one server gets it")
    func dueDaily() async throws {
        let store = try await Engine.current.store()
        let held = try await HeldToken(store)
        #expect(try await store.claim(at: .start + .days(1) - .seconds(1)).isEmpty)
        let at = Timestamp.start + .days(1)
        let claims = try await atOnce(10) { _ in try await store.claim(at: at) }
        let claimed = try #require(claims.flatMap { $0 }.first)
        #expect(claims.flatMap { $0 }.count == 1)
        #expect(
            claimed
                == TokenCheck(
                    token: held.token, identity: held.session.identityID, team: "TEAM000001", subject: "001999.person"))
        #expect(try await store.endTokenCheck(held.token, .alive(replacement: nil), at: at) == .goesOn)
        #expect(try await store.claim(at: at + .days(1) - .seconds(1)).isEmpty)
        #expect(try await store.claim(at: at + .days(1)).map(\.token) == [held.token])
        #expect(try await store.appleTokens(of: held.session.identityID) == [held.token])
    }

    @Test("A check is due again if its server died, and an hour later if Apple didn't answer")
    func lostLease() async throws {
        let store = try await Engine.current.store()
        let held = try await HeldToken(store)
        let at = Timestamp.start + .days(1)
        #expect(try await store.claim(at: at).count == 1)
        #expect(try await store.claim(at: at + CheckRules.lease - .seconds(1)).isEmpty)
        #expect(try await store.claim(at: at + CheckRules.lease).count == 1)
        #expect(try await store.endTokenCheck(held.token, .unknown, at: at) == .goesOn)
        #expect(try await store.claim(at: at + CheckRules.retry - .seconds(1)).isEmpty)
        #expect(try await store.claim(at: at + CheckRules.retry).count == 1)
    }

    @Test("A replacement token from Apple is kept")
    func replacedToken() async throws {
        let store = try await Engine.current.store()
        let held = try await HeldToken(store)
        _ = try await store.endTokenCheck(held.token, .alive(replacement: [9, 9]), at: .start)
        #expect(try await store.appleTokens(of: held.session.identityID).map(\.sealed) == [[9, 9]])
    }

    @Test("A dead token ends the sessions of its identity after the waiting time, and not before")
    func deadToken() async throws {
        let store = try await Engine.current.store()
        let held = try await HeldToken(store)
        let other = try await HeldToken(store, "someone.else")
        let found = Timestamp.start + .days(1)
        #expect(try await store.endTokenCheck(held.token, .dead, at: found) == .goesOn)
        #expect(try await store.claim(at: found + .days(9)).map(\.token) == [other.token])
        #expect(try await store.endNextDeadGrant(foundBefore: found - .seconds(1), at: found) == nil)
        #expect(try await store.session(held.session.id)?.ended == nil)
        let at = found + CheckRules.window
        #expect(
            try await store.endNextDeadGrant(foundBefore: found, at: at)
                == DeadGrant(
                    account: held.session.accountID, identity: held.session.identityID, endedAccess: true))
        #expect(try await store.endNextDeadGrant(foundBefore: found, at: at) == nil)
        let stored = try #require(await store.session(held.session.id))
        #expect(stored.ended == StoredSession.End(at: at, reason: .appleGrantDead))
        #expect(stored.account.appleAccess.ended == AppleAccess.End(at: found, reason: .appleGrantDead))
        #expect(try await store.appleTokens(of: held.session.identityID).isEmpty)
        let event = try await store.accountEvents(of: held.session.accountID, after: 0, limit: 9).last
        #expect(event?.kind == .appleAccessEnded && event?.reason == "apple_grant_dead")
        #expect(try await store.session(other.session.id)?.ended == nil)
    }

    @Test("A dead token ends nothing when the person has authorized the app again")
    func authorizedAgain() async throws {
        let store = try await Engine.current.store()
        let found = Timestamp.start + .days(1)
        // Signed in since, without a code: the dead token is still the only one.
        let since = try await HeldToken(store, "since")
        _ = try await store.endTokenCheck(since.token, .dead, at: found)
        _ = try await store.signIn(.sample(at: found + .minutes(1), .sample("since")))
        // A later token of another client lives.
        let other = try await HeldToken(store, "other")
        let web = AppleToken.sample("com.example.juice.web", [2], at: .start + .hours(1))
        _ = try await store.signIn(.sample(at: .start + .hours(1), .sample("other"), appleToken: web))
        _ = try await store.endTokenCheck(other.token, .dead, at: found)
        // The same client's token was replaced while the old one was asked about.
        let replaced = try await HeldToken(store, "replaced")
        let new = AppleToken.sample("com.example.juice", [3], at: .start + .hours(1))
        _ = try await store.signIn(.sample(at: .start + .hours(1), .sample("replaced"), appleToken: new))
        _ = try await store.endTokenCheck(replaced.token, .dead, at: found)

        var ended: [DeadGrant] = []
        while let grant = try await store.endNextDeadGrant(foundBefore: found, at: found + .hours(1)) {
            ended.append(grant)
        }
        #expect(ended.map(\.endedAccess) == [false, false])
        for session in [since.session, other.session, replaced.session] {
            #expect(try await store.session(session.id)?.ended == nil)
        }
        #expect(try await store.appleTokens(of: since.session.identityID).isEmpty)
        #expect(try await store.appleTokens(of: other.session.identityID) == [web])
        #expect(try await store.appleTokens(of: replaced.session.identityID) == [new])
    }

    @Test("Twenty dead tokens in fewer than four hundred checks an hour stop the client's checks and end nothing")
    func manyDeaths() async throws {
        let store = try await Engine.current.store()
        let held = try await HeldToken.several(21, store)
        let found = Timestamp.start + .days(1)
        for token in held.prefix(19) {
            #expect(try await store.endTokenCheck(token.token, .dead, at: found) == .goesOn)
        }
        #expect(try await store.stoppedChecks().isEmpty)
        let stop = CheckStop(clientID: "com.example.juice", at: found, checked: 20, died: 20)
        #expect(try await store.endTokenCheck(held[19].token, .dead, at: found) == .stops(stop))
        #expect(try await store.stoppedChecks() == [stop])
        #expect(try await store.claim(at: found + .days(9)).isEmpty)
        #expect(try await store.endNextDeadGrant(foundBefore: found + .days(9), at: found + .days(9)) == nil)
        for token in held {
            #expect(try await store.session(token.session.id)?.ended == nil)
            #expect(try await store.appleTokens(of: token.session.identityID) == [token.token])
        }
        #expect(try await store.resumeChecks(of: "com.example.juice", at: .start, by: .operator))
        #expect(try await store.resumeChecks(of: "com.example.juice", at: .start, by: .operator) == false)
        let told = try await store.auditEntries(of: nil, before: nil, limit: 99).filter {
            [.dailyCheckStopped, .dailyCheckResumed].contains($0.event)
        }
        #expect(Set(told.map(\.event)) == [.dailyCheckStopped, .dailyCheckResumed] && told.count == 2)
        #expect(Set(told.map(\.actor)) == [.service(), .operator])
        #expect(told.allSatisfy { $0.subject == "com.example.juice" })
        #expect(try await store.claim(at: found + .days(9)).count == 21)
    }

    @Test("A check that was under way when its client's checks stopped ends nothing, even after they go on")
    func underWayWhenStopped() async throws {
        let store = try await Engine.current.store()
        let held = try await HeldToken.several(24, store)
        let found = Timestamp.start + .days(1)
        for token in held.prefix(20) { _ = try await store.endTokenCheck(token.token, .dead, at: found) }
        #expect(try await store.stoppedChecks().count == 1)
        let late = try await atOnce(4) { try await store.endTokenCheck(held[20 + $0].token, .dead, at: found) }
        #expect(late.allSatisfy { $0 == .isStopped })
        #expect(try await store.resumeChecks(of: "com.example.juice", at: found, by: .operator))
        let later = found + .days(9)
        #expect(try await store.endNextDeadGrant(foundBefore: later, at: later) == nil)
        for token in held { #expect(try await store.session(token.session.id)?.ended == nil) }
    }

    @Test("After an answer that can't be used, the next check is a day later")
    func unusableAnswer() async throws {
        let store = try await Engine.current.store()
        let held = try await HeldToken.several(1, store)
        let at = Timestamp.start + .days(1)
        _ = try await store.endTokenCheck(held[0].token, .unusable, at: at)
        #expect(try await store.claim(at: at + .hours(23)).isEmpty)
        #expect(try await store.claim(at: at + .days(1)).count == 1)
    }

    @Test("Tokens that were checked late and together are due at different times again, a day later or more")
    func spreadAgain() async throws {
        let store = try await Engine.current.store()
        for hour in 0..<24 {
            _ = try await HeldToken(store, Subject("person \(hour)"), at: .start + .hours(Int64(hour)))
        }
        let back = Timestamp.start + .days(3) + .minutes(30)
        let late = try await store.claim(at: back)
        #expect(late.count == 24)
        for check in late {
            let result: TokenCheckResult = check.token == late[0].token ? .unusable : .alive(replacement: nil)
            _ = try await store.endTokenCheck(check.token, result, at: back)
        }
        let tomorrow = back + CheckRules.interval
        #expect(try await store.claim(at: tomorrow - .seconds(1)).isEmpty)
        for hour in 1...24 {
            let at = tomorrow + .hours(Int64(hour))
            let due = try await store.claim(at: at)
            #expect(due.count == 1, "in hour \(hour)")
            for check in due {
                _ = try await store.endTokenCheck(check.token, .alive(replacement: nil), at: at)
            }
        }
    }

    @Test("A few dead tokens, or dead tokens more than an hour apart, stop nothing")
    func fewDeaths() async throws {
        let store = try await Engine.current.store()
        let held = try await HeldToken.several(20, store)
        let found = Timestamp.start + .days(1)
        for token in held.prefix(19) { _ = try await store.endTokenCheck(token.token, .dead, at: found) }
        let later = found + CheckRules.window
        #expect(try await store.endTokenCheck(held[19].token, .dead, at: later) == .goesOn)
        #expect(try await store.stoppedChecks().isEmpty)
        #expect(CheckRules.isTooMany(died: 20, of: 399) && CheckRules.isTooMany(died: 21, of: 419))
        #expect(!CheckRules.isTooMany(died: 20, of: 401) && !CheckRules.isTooMany(died: 19, of: 19))
        #expect(!CheckRules.isTooMany(died: 20, of: 400), "more than one in twenty")
    }
}

/// A person with one session and one token.
private struct HeldToken {
    let token: AppleToken
    let session: Session

    init(
        _ store: AccountTransactions, _ subject: Subject = "001999.person", at moment: Timestamp = .start
    ) async throws {
        token = AppleToken.sample("com.example.juice", [1], at: moment)
        session = try await store.signIn(.sample(at: moment, .sample(subject), appleToken: token)).session
    }

    static func several(_ count: Int, _ store: AccountTransactions) async throws -> [Self] {
        var tokens: [Self] = []
        for number in 0..<count { tokens.append(try await Self(store, Subject("person \(number)"))) }
        return tokens
    }
}

extension AccountTransactions {
    fileprivate func claim(at moment: Timestamp) async throws -> [TokenCheck] {
        try await claimTokenChecks(
            of: "com.example.juice", at: moment, leasedUntil: moment + CheckRules.lease, limit: 50)
    }
}
