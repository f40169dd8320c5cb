import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Withdrawals of revocations", .eachDatabase)
struct WithdrawalTests {
    @Test("A sign-in without a token gets back the token that waited to be revoked")
    func withoutToken() async throws {
        let store = try await Engine.current.store()
        let tokens = ["com.example.juice", "com.example.juice.web"].map { AppleToken.sample(ClientID($0)) }
        _ = try await store.signIn(.sample(appleToken: tokens[1]))
        let opened = SignInRecord.sample(appleToken: tokens[0])
        let identity = try await store.signIn(opened).session.identityID
        #expect(try await store.revoke(.sample(in: opened.session.id)).count == 2)
        let back = try await store.signIn(.sample(at: .start + .hours(1)))
        #expect(back.account.appleToken == .held)
        #expect(try await store.appleTokens(of: identity).map(\.id) == tokens.map(\.id))
        #expect(try await store.appleTokens(of: identity).map(\.sealed) == tokens.map(\.sealed))
        #expect(try await store.leaseOutbox(.sample(at: .start + .hours(2))).isEmpty)
        // They can be revoked again, under the same names.
        #expect(try await store.revoke(.sample(in: back.session.id, at: .start + .hours(2))).count == 2)
    }

    @Test("A new token replaces the token of its own client only")
    func tokenOfSameClient() async throws {
        let store = try await Engine.current.store()
        let web = AppleToken.sample("com.example.juice.web")
        _ = try await store.signIn(.sample(appleToken: web))
        let opened = SignInRecord.sample(appleToken: .sample("com.example.juice"))
        let identity = try await store.signIn(opened).session.identityID
        #expect(try await store.revoke(.sample(in: opened.session.id)).count == 2)
        let new = AppleToken.sample("com.example.juice", at: .start + .hours(1))
        _ = try await store.signIn(.sample(at: .start + .hours(1), appleToken: new))
        #expect(try await store.appleTokens(of: identity).map(\.id) == [new.id, web.id])
        let old = try #require(opened.appleToken)
        #expect(try await store.outboxEntry(OutboxID(rawValue: old.id.rawValue))?.state == .withdrawn)
    }

    @Test("After a deletion, the new account gets back the waiting token if its sign-in brings none")
    func afterDeletion() async throws {
        let store = try await Engine.current.store()
        let token = AppleToken.sample("com.example.juice")
        let opened = SignInRecord.sample(appleToken: token)
        _ = try await store.signIn(opened)
        let record = DeletionRecord.sample(in: opened.session.id)
        #expect(try await store.deleteAccount(record).count == 1)
        let back = try await store.signIn(.sample(at: .start + .hours(1)))
        #expect(back.isNewAccount && back.account.appleToken == .held)
        #expect(try await store.session(back.session.id)?.account == back.account)
        #expect(try await store.appleTokens(of: back.session.identityID).map(\.id) == [token.id])
        let deletion = try #require(await store.deletion(record.handleHash))
        #expect(deletion.state == .withdrawn && deletion.asksApple)
        #expect(try await store.deleteAccount(.sample(in: back.session.id, at: .start + .hours(2))).count == 1)
    }

    @Test("A reauthentication gets back the waiting token, too")
    func reauthentication() async throws {
        let store = try await Engine.current.store()
        let token = AppleToken.sample("com.example.juice")
        let opened = SignInRecord.sample(appleToken: token)
        let identity = try await store.signIn(opened).session.identityID
        #expect(try await store.revoke(.sample(in: opened.session.id)).count == 1)
        _ = try await store.reauthenticate(.sample(of: opened.session.id, at: .start + .hours(1)))
        #expect(try await store.appleTokens(of: identity).map(\.id) == [token.id])
        #expect(try await store.leaseOutbox(.sample(at: .start + .hours(2))).isEmpty)
    }

    @Test("A proof from before a revocation withdraws nothing, unless a code was redeemed since")
    func olderProof() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample(appleToken: .sample("com.example.juice"))
        let identity = try await store.signIn(opened).session.identityID
        let ordered = Timestamp.start + .minutes(5)
        let token = try #require(opened.appleToken)
        let entry = OutboxID(rawValue: token.id.rawValue)
        #expect(try await store.revoke(.sample(in: opened.session.id, at: ordered)).count == 1)
        var old = SignInRecord.sample(at: ordered + .minutes(1))
        old.person.authorizedAt = ordered - .seconds(2)
        #expect(try await store.signIn(old).account.appleToken == AppleTokenStatus.none)
        #expect(try await store.outboxEntry(entry)?.state == .waiting)
        var redeemed = SignInRecord.sample(
            at: ordered + .minutes(2), appleToken: .sample("com.example.juice", at: ordered + .minutes(2)))
        redeemed.person.authorizedAt = old.person.authorizedAt
        #expect(try await store.signIn(redeemed).session.identityID == identity)
        #expect(try await store.outboxEntry(entry)?.state == .withdrawn)
    }

    @Test("A code that waits when the person revokes is redeemed only to be revoked")
    func waitingCode() async throws {
        let store = try await Engine.current.store()
        let (opened, code) = SignInRecord.waiting()
        let identity = try await store.signIn(opened).session.identityID
        #expect(try await store.revoke(.sample(in: opened.session.id)).count == 1)
        #expect(try await store.session(opened.session.id)?.account.appleToken == AppleTokenStatus.none)
        let token = AppleToken.sample("com.example.juice")
        try await store.redeem(code, token)
        #expect(try await store.appleTokens(of: identity).isEmpty)
        let revocation = try #require(await store.outboxEntry(OutboxID(rawValue: token.id.rawValue)))
        #expect(revocation.kind == .revocation && revocation.state == .waiting)
        #expect(revocation.personHash == code.personHash)
    }

    @Test("If the person returns without another code, the waiting code is theirs again")
    func returnsWithoutAnother() async throws {
        let store = try await Engine.current.store()
        for isDeleted in [false, true] {
            let (opened, code) = SignInRecord.waiting(.sample(Subject("person \(isDeleted)")))
            _ = try await store.signIn(opened)
            let deletion = DeletionRecord.sample(in: opened.session.id)
            if isDeleted {
                #expect(try await store.deleteAccount(deletion).count == 1)
            } else {
                #expect(try await store.revoke(.sample(in: opened.session.id)).count == 1)
            }
            let back = try await store.signIn(.sample(at: .start + .seconds(5), opened.person))
            #expect(back.isNewAccount == isDeleted && back.account.appleToken == .waiting)
            if isDeleted { #expect(try await store.deletion(deletion.handleHash)?.state == .withdrawn) }
            let token = AppleToken.sample("com.example.juice")
            try await store.redeem(code, token)
            #expect(try await store.appleTokens(of: back.session.identityID).map(\.id) == [token.id])
            #expect(try await store.outboxEntry(OutboxID(rawValue: token.id.rawValue)) == nil)
        }
    }

    @Test("If the person has returned with another code, a code that was under way revokes nothing")
    func returnsWithAnother() async throws {
        let store = try await Engine.current.store()
        let (opened, code) = SignInRecord.waiting()
        _ = try await store.signIn(opened)
        #expect(try await store.deleteAccount(.sample(in: opened.session.id)).count == 1)
        let lease = QueueLease.sample()
        #expect(try await store.leaseOutbox(lease).map(\.id) == [code.id])
        let new = AppleToken.sample("com.example.juice", at: .start + .seconds(5))
        let back = try await store.signIn(.sample(at: .start + .seconds(5), appleToken: new))
        let late = AppleToken.sample("com.example.juice", at: .start + .seconds(4))
        _ = try await store.endOutboxAttempt(code.id, owner: lease.owner, .redeemed(late), at: .start + .seconds(6))
        #expect(try await store.outboxEntry(OutboxID(rawValue: late.id.rawValue)) == nil)
        #expect(try await store.appleTokens(of: back.session.identityID).map(\.id) == [new.id])
    }

    @Test("After a revocation the credential is revoked until the person authorizes the app again")
    func credentialState() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample(appleToken: .sample("com.example.juice"))
        let outcome = try await store.signIn(opened)
        let (account, identity) = (outcome.account.id, outcome.session.identityID)
        func isEnded() async throws -> Bool? {
            let standing = try await store.appleStanding(of: account, identity: identity)
            #expect(try await store.appleStanding(of: account, subject: "001999.person") == standing)
            return standing?.accessEnded
        }
        #expect(try await isEnded() == false)
        #expect(try await store.revoke(.sample(in: opened.session.id, at: .start + .hours(1))).count == 1)
        #expect(try await isEnded() == true)
        let event = try #require(await store.accountEvents(of: account, after: 0, limit: 10).last)
        #expect(event.kind == .appleAccessRevoked && event.about == identity.rawValue)
        // Nothing is left to revoke, and nothing happens.
        #expect(try await store.revoke(.sample(in: opened.session.id, at: .start + .hours(1))).count == 0)
        #expect(try await store.accountEvents(of: account, after: event.revision, limit: 10).isEmpty)
        _ = try await store.reauthenticate(.sample(of: opened.session.id, at: .start + .hours(2)))
        #expect(try await isEnded() == false)
    }
}

extension SignInRecord {
    /// A sign-in whose code has to wait.
    fileprivate static func waiting(_ person: Person = .sample()) -> (SignInRecord, OutboxEntry) {
        let code = OutboxEntry.sample(
            kind: .code, personHash: TokenHash.person(team: person.team, subject: person.subject), identity: nil)
        var record = SignInRecord.sample(person)
        record.waitingCode = code
        return (record, code)
    }
}

extension AccountTransactions {
    /// Takes a waiting code and ends the attempt with its token.
    fileprivate func redeem(_ code: OutboxEntry, _ token: AppleToken) async throws {
        let lease = QueueLease.sample(at: .start + .seconds(10))
        #expect(try await leaseOutbox(lease).map(\.id) == [code.id])
        #expect(try await endOutboxAttempt(code.id, owner: lease.owner, .redeemed(token), at: lease.at))
    }
}
