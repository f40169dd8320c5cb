import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Apple's tokens that come late", .eachDatabase)
struct LateTokenTests {
    @Test("A token that comes after its lease is kept, even if another server has the code or has given it up")
    func afterLease() async throws {
        let store = try await Engine.current.store()
        for isGivenUp in [false, true] {
            let late = try await LateCode(in: store, Subject("person \(isGivenUp)"))
            if isGivenUp { try await late.giveUp() }
            #expect(try await late.bring())
            #expect(try await store.appleTokens(of: late.identity) == [late.token])
            #expect(try await store.outboxEntry(late.code)?.state == .done)
            #expect(try await store.outboxEntry(late.code)?.sealed == nil)
            // Apple has refused the code that was sent a second time.
            #expect(try await late.end(.expired(failure: "grant_rejected")) == false)
            #expect(try await store.session(late.session)?.account.appleToken == .held)
            #expect(try await store.leaseOutbox(.sample(at: .start + .hours(1))).isEmpty)
        }
    }

    @Test("An unverified answer takes the code's place, even if another server has the code or has given it up")
    func unverifiedAnswer() async throws {
        let store = try await Engine.current.store()
        for isGivenUp in [false, true] {
            let late = try await LateCode(in: store, Subject("person \(isGivenUp)"))
            if isGivenUp { try await late.giveUp() }
            let later = LateCode.broughtAt + .minutes(10)
            let answer = OutboxOutcome.answered(sealed: [9], verifyAt: later, failure: "exchange_outcome_unknown")
            for _ in 0..<2 {
                #expect(
                    try await store.endOutboxAttempt(
                        late.code, owner: late.slow.owner, answer, at: LateCode.broughtAt))
            }
            // Apple has refused the code that was sent a second time.
            #expect(try await late.end(.expired(failure: "grant_rejected")) == false)
            let entry = try #require(try await store.outboxEntry(late.code))
            #expect(entry.state == .waiting && entry.sealed == [9] && entry.finishedAt == nil)
            #expect(try await store.leaseOutbox(.sample(at: later - .microseconds(1))).isEmpty)
            let lease = QueueLease.sample(at: later)
            #expect(try await store.leaseOutbox(lease).map(\.id) == [late.code])
            let outcome = OutboxOutcome.redeemed(late.token, of: late.owner)
            #expect(try await store.endOutboxAttempt(late.code, owner: lease.owner, outcome, at: later))
            #expect(try await store.appleTokens(of: late.identity) == [late.token])
        }
    }

    @Test("A late token is revoked if its person has deleted the account, unless they have returned")
    func afterPersonLeft() async throws {
        let store = try await Engine.current.store()
        for (index, isBack) in [false, true, false, true].enumerated() {
            let late = try await LateCode(in: store, Subject("person \(index)"))
            let deletion = DeletionRecord.sample(in: late.session, at: .start + .minutes(3))
            if index > 1 {
                #expect(try await store.deleteAccount(deletion).count == 1)
                try await late.giveUp()
            } else {
                try await late.giveUp()
                #expect(try await store.deleteAccount(deletion).count == 0)
            }
            #expect(try await store.deletion(deletion.handleHash)?.state == .done)
            let back = isBack ? try await store.signIn(.sample(at: .start + .minutes(4), late.person)) : nil
            #expect(try await late.bring())
            #expect((try await late.revocation()?.state == .waiting) == !isBack)
            if let back {
                #expect(try await store.appleTokens(of: back.session.identityID) == [late.token])
            } else {
                #expect(try await late.revocation()?.sealed == late.token.sealed)
                #expect(try await late.revocation()?.nextAttemptAt == LateCode.broughtAt)
                // If the person returns now, the token is theirs again.
                let back = try await store.signIn(.sample(at: .start + .minutes(5), late.person))
                #expect(try await store.appleTokens(of: back.session.identityID).map(\.id) == [late.token.id])
            }
        }
    }

    @Test("A late token is revoked if its person has revoked, unless they have authorized the app since")
    func afterRevocation() async throws {
        let store = try await Engine.current.store()
        for (index, isBack) in [false, true, false, true].enumerated() {
            let late = try await LateCode(in: store, Subject("person \(index)"))
            if index > 1 {
                // Nothing is left to be redeemed for it, and a token comes all the same.
                try await late.giveUp()
                #expect(try await late.revoke() == 0)
            } else {
                #expect(try await late.revoke() == 1)
                try await late.giveUp()
            }
            if isBack { _ = try await store.signIn(.sample(at: .start + .minutes(4), late.person)) }
            #expect(try await late.bring())
            #expect(try await late.revocation()?.nextAttemptAt == (isBack ? nil : LateCode.broughtAt))
            #expect(try await store.appleTokens(of: late.identity).isEmpty == !isBack)
        }
    }

    @Test("A code without an identity, whose sign-in was refused, is revoked with its person's tokens")
    func codeWithoutIdentity() async throws {
        let store = try await Engine.current.store()
        for isBack in [true, false] {
            let opened = SignInRecord.sample(.sample(Subject("person \(isBack)")))
            let owner = TokenOwner(opened.person)
            let identity = try await store.signIn(opened).session.identityID
            let code = OutboxEntry.sample(kind: .code, personHash: owner.personHash, identity: nil)
            try await store.insertIntoOutbox(code)
            let revocation = RevocationRecord.sample(in: opened.session.id, at: .start + .minutes(1))
            #expect(try await store.revoke(revocation).count == 1)
            #expect(try await store.revoke(revocation).count == 0)
            if isBack { _ = try await store.signIn(.sample(at: .start + .minutes(2), opened.person)) }
            let (lease, token) = (
                QueueLease.sample(at: .start + .minutes(3)), AppleToken.sample("com.example.juice")
            )
            #expect(try await store.leaseOutbox(lease).map(\.id) == [code.id])
            #expect(
                try await store.endOutboxAttempt(code.id, owner: lease.owner, .redeemed(token, of: owner), at: lease.at)
            )
            #expect(try await store.appleTokens(of: identity).isEmpty == !isBack)
            let entry = try await store.outboxEntry(OutboxID(rawValue: token.id.rawValue))
            #expect(entry?.state == (isBack ? nil : .waiting))
        }
    }

    @Test(
        "The token of a code that came without an identity token is kept for its person, or revoked without an account")
    func codeThatCameAlone() async throws {
        let store = try await Engine.current.store()
        for isKnown in [false, true] {
            let person = SignInRecord.Person.sample(Subject("person \(isKnown)"))
            let identity = isKnown ? try await store.signIn(.sample(person)).session.identityID : nil
            let code = OutboxEntry.sample(kind: .code, personHash: nil, identity: nil)
            try await store.insertIntoOutbox(code)
            let lease = QueueLease.sample()
            #expect(try await store.leaseOutbox(lease).map(\.id) == [code.id])
            let token = AppleToken.sample("com.example.juice")
            let owner = TokenOwner(person)
            #expect(
                try await store.endOutboxAttempt(code.id, owner: lease.owner, .redeemed(token, of: owner), at: .start))
            let revocation = try await store.outboxEntry(OutboxID(rawValue: token.id.rawValue))
            if let identity {
                #expect(try await store.appleTokens(of: identity) == [token] && revocation == nil)
            } else {
                #expect(revocation?.state == .waiting && revocation?.personHash == owner.personHash)
                // No revocation was asked for, and the person may be about to sign in.
                #expect(revocation?.nextAttemptAt == .start + OutboxEntry.unusedTokenDelay)
            }
            #expect(try await store.leaseOutbox(.sample(at: .start + .days(1))).count == (isKnown ? 0 : 1))
        }
    }

    @Test("The token of a code that came without an identity token is revoked if its person has revoked meanwhile")
    func codeThatCameAloneAfterRevocation() async throws {
        let store = try await Engine.current.store()
        for isBack in [true, false] {
            let opened = SignInRecord.sample(.sample(Subject("person \(isBack)")))
            let owner = TokenOwner(opened.person)
            let identity = try await store.signIn(opened).session.identityID
            let code = OutboxEntry.sample(kind: .code, personHash: nil, identity: nil)
            try await store.insertIntoOutbox(code)
            let lease = QueueLease.sample()
            #expect(try await store.leaseOutbox(lease).map(\.id) == [code.id])
            #expect(try await store.revoke(.sample(in: opened.session.id, at: .start + .minutes(3))).count == 0)
            if isBack { _ = try await store.signIn(.sample(at: .start + .minutes(4), opened.person)) }
            let token = AppleToken.sample("com.example.juice")
            #expect(
                try await store.endOutboxAttempt(
                    code.id, owner: lease.owner, .redeemed(token, of: owner), at: LateCode.broughtAt))
            #expect(try await store.appleTokens(of: identity).isEmpty == !isBack)
            let entry = try await store.outboxEntry(OutboxID(rawValue: token.id.rawValue))
            #expect(entry?.nextAttemptAt == (isBack ? nil : LateCode.broughtAt))
        }
    }

    @Test("An unused token is kept for its person, who may still sign in for the first time")
    func unusedToken() async throws {
        let store = try await Engine.current.store()
        let (person, token) = (SignInRecord.Person.sample(), AppleToken.sample("com.example.juice"))
        let later = Timestamp.start + .minutes(10)
        let isKept = try await store.keepUnused(token, of: TokenOwner(person), at: .start, revokingFrom: later)
        #expect(!isKept)
        // A second call, as after a lost answer, doesn't queue it again.
        let again = try await store.keepUnused(token, of: TokenOwner(person), at: .start, revokingFrom: .start)
        #expect(!again)
        #expect(try await store.leaseOutbox(.sample(at: later - .microseconds(1))).isEmpty)
        let back = try await store.signIn(.sample(at: .start + .minutes(1), person))
        #expect(back.isNewAccount && back.account.appleToken == .held)
        #expect(try await store.leaseOutbox(.sample(at: later)).isEmpty)
        let new = AppleToken.sample("com.example.juice", at: .start + .minutes(2))
        let owner = TokenOwner(person, authorizedAt: .start + .minutes(2))
        #expect(try await store.keepUnused(new, of: owner, at: .start + .minutes(2), revokingFrom: later))
        #expect(try await store.appleTokens(of: back.session.identityID) == [new])
    }

    @Test("Another person's token is kept for their account, or left alone if they have none")
    func somebodyElses() async throws {
        let store = try await Engine.current.store()
        for isKnown in [false, true] {
            let (person, token) = (
                SignInRecord.Person.sample(Subject("person \(isKnown)")), AppleToken.sample("com.example.juice")
            )
            let identity = isKnown ? try await store.signIn(.sample(person)).session.identityID : nil
            let isKept = try await store.keepUnused(token, of: TokenOwner(person), at: .start, revokingFrom: nil)
            #expect(isKept == isKnown)
            if let identity { #expect(try await store.appleTokens(of: identity) == [token]) }
            #expect(try await store.leaseOutbox(.sample(at: .start + .days(1))).isEmpty)
        }
    }

    @Test("An entry that is written twice is stored once")
    func writtenTwice() async throws {
        let store = try await Engine.current.store()
        let entry = OutboxEntry.sample()
        for _ in 0..<2 { try await store.insertIntoOutbox(entry) }
        let lease = QueueLease.sample()
        #expect(try await store.leaseOutbox(lease).map(\.id) == [entry.id])
        #expect(try await store.endOutboxAttempt(entry.id, owner: lease.owner, .done, at: .start))
        try await store.insertIntoOutbox(entry)
        #expect(try await store.outboxEntry(entry.id)?.state == .done)
    }

    @Test("An unused token is revoked in time if its person stays away or has revoked since")
    func unusedTokenRevoked() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample(.sample("person 1"), appleToken: .sample("com.example.juice"))
        let identity = try await store.signIn(opened).session.identityID
        let revocation = RevocationRecord.sample(in: opened.session.id, at: .start + .minutes(1))
        #expect(try await store.revoke(revocation).count == 1)
        let moment = Timestamp.start + .minutes(2)
        let tokens = [opened.person, .sample("person 2")].map { ($0, AppleToken.sample("com.example.juice")) }
        for (person, token) in tokens {
            #expect(
                try await store.keepUnused(token, of: TokenOwner(person), at: moment, revokingFrom: moment)
                    == false)
        }
        #expect(try await store.appleTokens(of: identity).isEmpty)
        let taken = try await store.leaseOutbox(.sample(at: moment))
        #expect(Set(taken.map(\.id.rawValue)).isSuperset(of: tokens.map(\.1.id.rawValue)))
        #expect(taken.allSatisfy { $0.kind == .revocation })
    }
}
