import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Apple's tokens that come late, after a revocation was queued", .eachDatabase)
struct LateTokenRevocationTests {
    @Test("A late answer is kept or revoked according to the revocations since its code was abandoned")
    func answerInPlaceOfCode() async throws {
        let store = try await Engine.current.store()
        for (index, order) in LateOrder.all.enumerated() {
            let late = try await LateCode(in: store, Subject("person \(index)"))
            if order.isGivenUpFirst { try await late.giveUp() }
            if order.isDeletion {
                _ = try await store.deleteAccount(.sample(in: late.session, at: .start + .minutes(3)))
            } else {
                #expect(try await late.revoke() == (order.isGivenUpFirst ? 0 : 1))
            }
            if !order.isGivenUpFirst { try await late.giveUp() }
            let back = order.isBack ? try await store.signIn(.sample(at: .start + .minutes(4), late.person)) : nil
            let later = LateCode.broughtAt + .minutes(10)
            let answer = OutboxOutcome.answered(sealed: [9], verifyAt: later, failure: "exchange_outcome_unknown")
            #expect(
                try await store.endOutboxAttempt(late.code, owner: late.slow.owner, answer, at: LateCode.broughtAt))
            if !order.isDeletion {
                let account = try await store.session(late.session)?.account
                #expect(account?.appleToken == AppleTokenStatus.none)
            }
            let after = order.isBackAfter ? try await store.signIn(.sample(at: later, late.person)) : nil
            let lease = QueueLease.sample(at: later)
            #expect(try await store.leaseOutbox(lease).map(\.id) == [late.code])
            let outcome = OutboxOutcome.redeemed(late.token, of: late.owner)
            #expect(try await store.endOutboxAttempt(late.code, owner: lease.owner, outcome, at: later))
            if let identity = (back ?? after)?.session.identityID {
                #expect(try await store.appleTokens(of: identity) == [late.token])
                #expect(try await late.revocation() == nil)
            } else {
                #expect(try await store.appleTokens(of: late.identity).isEmpty)
                #expect(try await late.revocation()?.nextAttemptAt == later)
                #expect(try await late.endRevocation(at: later))
            }
        }
    }

    @Test("After a sign-in has withdrawn a revocation, tokens from before it are kept again")
    func withdrawnBySignIn() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample(appleToken: .sample("com.example.juice"))
        let identity = try await store.signIn(opened).session.identityID
        #expect(try await store.revoke(.sample(in: opened.session.id, at: .start + .seconds(10))).count == 1)
        var back = SignInRecord.sample(
            at: .start + .seconds(15), appleToken: .sample("com.example.juice", at: .start + .seconds(15)))
        back.person.authorizedAt = .start
        _ = try await store.signIn(back)
        let token = AppleToken.sample("com.example.juice.web", at: .start + .seconds(20))
        let owner = TokenOwner(opened.person, authorizedAt: .start + .seconds(5))
        let moment = Timestamp.start + .seconds(20)
        #expect(try await store.keepUnused(token, of: owner, at: moment, revokingFrom: moment))
        #expect(try await store.appleTokens(of: identity).contains(token))
    }

    @Test("If a token was held again and is to be revoked for another reason, its first deletion waits no more")
    func deletionWaitsNoMore() async throws {
        let store = try await Engine.current.store()
        for (index, (isDeletion, isDone)) in [(false, false), (true, false), (false, true)].enumerated() {
            let token = AppleToken.sample("com.example.juice")
            let opened = SignInRecord.sample(.sample(Subject("person \(index)")), appleToken: token)
            _ = try await store.signIn(opened)
            let deletion = DeletionRecord.sample(in: opened.session.id, at: .start + .minutes(1))
            #expect(try await store.deleteAccount(deletion).count == 1)
            if isDone {
                let lease = QueueLease.sample(at: .start + .minutes(1))
                let id = OutboxID(rawValue: token.id.rawValue)
                #expect(try await store.leaseOutbox(lease).map(\.id).contains(id))
                #expect(try await store.endOutboxAttempt(id, owner: lease.owner, .done, at: lease.at))
            }
            // The sign-in has a code of ours that is older than the deletion.
            var back = SignInRecord.sample(at: .start + .minutes(2), opened.person, appleToken: token)
            back.person.authorizedAt = .start
            _ = try await store.signIn(back)
            let moment = Timestamp.start + .minutes(3)
            if isDeletion {
                let second = DeletionRecord.sample(in: back.session.id, at: moment)
                #expect(try await store.deleteAccount(second).count == 1)
                #expect(try await store.deletion(second.handleHash)?.state == .waiting)
            } else {
                #expect(try await store.revoke(.sample(in: back.session.id, at: moment)).count == 1)
            }
            let first = try #require(await store.deletion(deletion.handleHash))
            #expect(first.state == (isDone ? .done : .withdrawn) && first.asksApple)
            #expect(first.finishedAt == (isDone ? .start + .minutes(1) : moment))
        }
    }

    @Test("Any sign-in gets an unused token, but after a revocation only a later sign-in gets it")
    func wantedOrNot() async throws {
        let store = try await Engine.current.store()
        for isWanted in [false, true] {
            let person = SignInRecord.Person.sample(Subject("person \(isWanted)"))
            let owner = TokenOwner(person, authorizedAt: .start + .seconds(2))
            if isWanted {
                let opened = SignInRecord.sample(person, appleToken: .sample("com.example.juice"))
                _ = try await store.signIn(opened)
                let revocation = RevocationRecord.sample(in: opened.session.id, at: .start + .seconds(5))
                #expect(try await store.revoke(revocation).count == 1)
            }
            let (token, moment) = (AppleToken.sample("com.example.juice.web"), Timestamp.start + .seconds(6))
            #expect(
                try await store.keepUnused(token, of: owner, at: moment, revokingFrom: .start + .minutes(20))
                    == false)
            // A sign-in at the same time, with a slightly older identity token.
            var record = SignInRecord.sample(at: moment, person)
            record.person.authorizedAt = .start
            let outcome = try await store.signIn(record)
            #expect(outcome.account.appleToken == (isWanted ? .none : .held))
            let entry = try await store.outboxEntry(OutboxID(rawValue: token.id.rawValue))
            #expect(entry?.state == (isWanted ? .waiting : nil))
        }
    }
}

/// A revocation while a code of the person is redeemed slowly, and whether the person returns.
private struct LateOrder {
    var isDeletion: Bool
    var isGivenUpFirst: Bool
    /// Whether the person returns before the answer.
    var isBack = false
    /// Whether the person returns while the answer waits for its verification.
    var isBackAfter = false

    static let all = [false, true].flatMap { isDeletion in
        [false, true].flatMap { isGivenUpFirst in
            [
                Self(isDeletion: isDeletion, isGivenUpFirst: isGivenUpFirst),
                Self(isDeletion: isDeletion, isGivenUpFirst: isGivenUpFirst, isBack: true),
                Self(isDeletion: isDeletion, isGivenUpFirst: isGivenUpFirst, isBackAfter: true),
            ]
        }
    }
}
