import AccountService
import AppleIDTypes
import Testing

extension AccountStoreCheck {
    /// Tokens of Apple's that came when nobody waited for them any more.
    static let lateTokens: [Self] = [
        Self("A token that comes after its lease is kept, whether another has the code or has given it up") {
            store async throws in
            for isGivenUp in [false, true] {
                let late = try await LateCode(in: store, Subject("person \(isGivenUp)"))
                if isGivenUp { try await late.giveUp() }
                #expect(try await late.bring())
                #expect(try await store.appleTokens(of: late.identity) == [late.token])
                #expect(try await store.outboxEntry(late.code)?.state == .done)
                #expect(try await store.outboxEntry(late.code)?.sealed == nil)
                // Apple has refused the code that was sent a second time.
                #expect(try await late.settle(.expired(failure: "grant_rejected")) == false)
                #expect(try await store.session(late.session)?.account.appleToken == .held)
                #expect(try await store.leaseOutbox(.sample(at: .start + .hours(1))).isEmpty)
            }
        },
        Self("An answer that is to be verified takes the code's place, whether another has that or has given it up") {
            store async throws in
            for isGivenUp in [false, true] {
                let late = try await LateCode(in: store, Subject("person \(isGivenUp)"))
                if isGivenUp { try await late.giveUp() }
                let later = LateCode.broughtAt + .minutes(10)
                let answer = OutboxOutcome.answered(sealed: [9], verifyAt: later, failure: "exchange_outcome_unknown")
                for _ in 0..<2 {
                    #expect(
                        try await store.settleOutbox(
                            late.code, owner: late.slow.owner, answer, at: LateCode.broughtAt))
                }
                // Apple has refused the code that was sent a second time.
                #expect(try await late.settle(.expired(failure: "grant_rejected")) == false)
                let entry = try #require(try await store.outboxEntry(late.code))
                #expect(entry.state == .waiting && entry.sealed == [9] && entry.finishedAt == nil)
                #expect(try await store.leaseOutbox(.sample(at: later - .microseconds(1))).isEmpty)
                let lease = OutboxLease.sample(at: later)
                #expect(try await store.leaseOutbox(lease).map(\.id) == [late.code])
                let outcome = OutboxOutcome.redeemed(late.token, of: late.owner)
                #expect(try await store.settleOutbox(late.code, owner: lease.owner, outcome, at: later))
                #expect(try await store.appleTokens(of: late.identity) == [late.token])
            }
        },
        Self("For whoever has left meanwhile it is revoked, unless they are back") { store async throws in
            for (index, isBack) in [false, true, false, true].enumerated() {
                let late = try await LateCode(in: store, Subject("person \(index)"))
                let deletion = AccountDeletion.sample(in: late.session, at: .start + .minutes(3))
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
                    // Whoever comes back now has it again.
                    let back = try await store.signIn(.sample(at: .start + .minutes(5), late.person))
                    #expect(try await store.appleTokens(of: back.session.identityID).map(\.id) == [late.token.id])
                }
            }
        },
        Self("So it is for whoever has wanted it revoked, unless they have authorized the app since") {
            store async throws in
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
        },
        Self("A code that waits for no identity, since its sign-in was refused, is revoked with its person's tokens") {
            store async throws in
            for isBack in [true, false] {
                let opened = SignInRecord.sample(.sample(Subject("person \(isBack)")))
                let owner = TokenOwner(opened.person)
                let identity = try await store.signIn(opened).session.identityID
                let code = OutboxEntry.sample(kind: .code, personHash: owner.personHash, identity: nil)
                try await store.insertIntoOutbox(code)
                var revocation = Revocation.sample(in: opened.session.id, at: .start + .minutes(1))
                revocation.personHash = owner.personHash
                #expect(try await store.revoke(revocation).count == 1)
                #expect(try await store.revoke(revocation).count == 0)
                if isBack { _ = try await store.signIn(.sample(at: .start + .minutes(2), opened.person)) }
                let (lease, token) = (
                    OutboxLease.sample(at: .start + .minutes(3)), AppleToken.sample("com.example.juice")
                )
                #expect(try await store.leaseOutbox(lease).map(\.id) == [code.id])
                #expect(
                    try await store.settleOutbox(code.id, owner: lease.owner, .redeemed(token, of: owner), at: lease.at)
                )
                #expect(try await store.appleTokens(of: identity).isEmpty == !isBack)
                let entry = try await store.outboxEntry(OutboxID(rawValue: token.id.rawValue))
                #expect(entry?.state == (isBack ? nil : .waiting))
            }
        },
        Self("What a code brought that came alone is its person's, or is revoked where they have no account") {
            store async throws in
            for isKnown in [false, true] {
                let person = SignInRecord.Person.sample(Subject("person \(isKnown)"))
                let identity = isKnown ? try await store.signIn(.sample(person)).session.identityID : nil
                let code = OutboxEntry.sample(kind: .code, personHash: nil, identity: nil)
                try await store.insertIntoOutbox(code)
                let lease = OutboxLease.sample()
                #expect(try await store.leaseOutbox(lease).map(\.id) == [code.id])
                let token = AppleToken.sample("com.example.juice")
                let owner = TokenOwner(person)
                #expect(
                    try await store.settleOutbox(code.id, owner: lease.owner, .redeemed(token, of: owner), at: .start))
                let revocation = try await store.outboxEntry(OutboxID(rawValue: token.id.rawValue))
                if let identity {
                    #expect(try await store.appleTokens(of: identity) == [token] && revocation == nil)
                } else {
                    #expect(revocation?.state == .waiting && revocation?.personHash == owner.personHash)
                    // Nobody has wanted it, and its person may be about to sign in.
                    #expect(revocation?.nextAttemptAt == .start + OutboxEntry.unusedRest)
                }
                #expect(try await store.leaseOutbox(.sample(at: .start + .days(1))).count == (isKnown ? 0 : 1))
            }
        },
        Self("It is revoked, too, where they have wanted that while nothing said whose code it was") {
            store async throws in
            for isBack in [true, false] {
                let opened = SignInRecord.sample(.sample(Subject("person \(isBack)")))
                let owner = TokenOwner(opened.person)
                let identity = try await store.signIn(opened).session.identityID
                let code = OutboxEntry.sample(kind: .code, personHash: nil, identity: nil)
                try await store.insertIntoOutbox(code)
                let lease = OutboxLease.sample()
                #expect(try await store.leaseOutbox(lease).map(\.id) == [code.id])
                var revocation = Revocation.sample(in: opened.session.id, at: .start + .minutes(3))
                revocation.personHash = owner.personHash
                #expect(try await store.revoke(revocation).count == 0)
                if isBack { _ = try await store.signIn(.sample(at: .start + .minutes(4), opened.person)) }
                let token = AppleToken.sample("com.example.juice")
                #expect(
                    try await store.settleOutbox(
                        code.id, owner: lease.owner, .redeemed(token, of: owner), at: LateCode.broughtAt))
                #expect(try await store.appleTokens(of: identity).isEmpty == !isBack)
                let entry = try await store.outboxEntry(OutboxID(rawValue: token.id.rawValue))
                #expect(entry?.nextAttemptAt == (isBack ? nil : LateCode.broughtAt))
            }
        },
        Self("A token that no sign-in uses is its person's; whoever has no account may still come for it") {
            store async throws in
            let (person, token) = (SignInRecord.Person.sample(), AppleToken.sample("com.example.juice"))
            let later = Timestamp.start + .minutes(10)
            let isKept = try await store.keepUnused(token, of: TokenOwner(person), at: .start, revokingFrom: later)
            #expect(!isKept)
            // Nor twice, where nobody was told that it was written.
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
        },
        Self("A token of somebody else's is kept for their account, and is left where they have none") {
            store async throws in
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
        },
        Self("An entry that is written twice is there once") { store async throws in
            let entry = OutboxEntry.sample()
            for _ in 0..<2 { try await store.insertIntoOutbox(entry) }
            let lease = OutboxLease.sample()
            #expect(try await store.leaseOutbox(lease).map(\.id) == [entry.id])
            #expect(try await store.settleOutbox(entry.id, owner: lease.owner, .done, at: .start))
            try await store.insertIntoOutbox(entry)
            #expect(try await store.outboxEntry(entry.id)?.state == .done)
        },
        Self("A token that no sign-in uses is revoked in time, where its person stays away or has revoked since") {
            store async throws in
            let opened = SignInRecord.sample(.sample("person 1"), appleToken: .sample("com.example.juice"))
            let identity = try await store.signIn(opened).session.identityID
            var revocation = Revocation.sample(in: opened.session.id, at: .start + .minutes(1))
            revocation.personHash = TokenOwner(opened.person).personHash
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
        },
    ]
}
