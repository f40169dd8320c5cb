import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Deletions of accounts", .eachDatabase)
struct DeletionTests {
    @Test("A deletion removes all of the account and leaves only the entries for Apple")
    func leavesNothing() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample(appleToken: .sample("com.example.juice"))
        let outcome = try await store.signIn(opened)
        _ = try await store.signIn(.sample(appleToken: .sample("com.example.juice.web")))
        try await store.keepPendingProfile(.sample())
        let others = try await store.signIn(
            .sample(.sample("someone.else"), appleToken: .sample("com.example.juice")))
        try await store.keepPendingProfile(.sample("Else", subject: "someone.else"))

        let record = DeletionRecord.sample(in: opened.session.id)
        #expect(try await store.deleteAccount(record).count == 2)
        let export = try await store.exportAccount(outcome.account.id)
        #expect(export == nil)
        #expect(try await store.identities(of: outcome.account.id).isEmpty)
        #expect(try await store.session(opened.session.id) == nil)
        #expect(try await store.appleTokens(of: outcome.session.identityID).isEmpty)
        let entries = try await store.leaseOutbox(.sample())
        #expect(Set(entries.compactMap(\.clientID)) == ["com.example.juice", "com.example.juice.web"])
        #expect(entries.allSatisfy { $0.deletionHash == record.handleHash && $0.sealed != nil })

        #expect(try await store.session(others.session.id)?.ended == nil)
        #expect(try await store.appleTokens(of: others.session.identityID).count == 1)
        let named = try await store.signIn(.sample(.sample("someone.else")))
        #expect(named.account.name?.givenName == "Else")

        let again = try await store.signIn(.sample())
        #expect(again.isNewAccount && again.account.name == nil && again.account.id != outcome.account.id)
    }

    @Test("A deletion is done when the last of its entries is done")
    func done() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample(appleToken: .sample("com.example.juice"))
        _ = try await store.signIn(opened)
        var record = DeletionRecord.sample(in: opened.session.id)
        record.appleToken = .sample("com.example.juice")
        #expect(try await store.deleteAccount(record).count == 2)
        var expected = Deletion(state: .waiting, requestedAt: .start, finishedAt: nil, asksApple: true)
        #expect(try await store.deletion(record.handleHash) == expected)
        #expect(try await store.deletion(.sample()) == nil)
        let lease = QueueLease.sample()
        let entries = try await store.leaseOutbox(lease)
        _ = try await store.endOutboxAttempt(entries[0].id, owner: lease.owner, .done, at: .start + .seconds(1))
        #expect(try await store.deletion(record.handleHash) == expected)
        _ = try await store.endOutboxAttempt(entries[1].id, owner: lease.owner, .parked(failure: "x"), at: .start)
        expected.state = .parked
        #expect(try await store.deletion(record.handleHash) == expected)
        _ = try await store.retryParked(at: .start, by: .operator)
        let next = QueueLease.sample()
        _ = try await store.leaseOutbox(next)
        _ = try await store.endOutboxAttempt(entries[1].id, owner: next.owner, .done, at: .start + .seconds(2))
        expected.state = .done
        expected.finishedAt = .start + .seconds(2)
        #expect(try await store.deletion(record.handleHash) == expected)
    }

    @Test("A deletion without a held token is done at once")
    func doneAtOnce() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample()
        _ = try await store.signIn(opened)
        let record = DeletionRecord.sample(in: opened.session.id)
        #expect(try await store.deleteAccount(record).count == 0)
        let expected = Deletion(state: .done, requestedAt: .start, finishedAt: .start, asksApple: false)
        #expect(try await store.deletion(record.handleHash) == expected)
    }

    @Test("A deletion that another provider's credential proves leaves nothing to remove by hand at Apple")
    func provenElsewhere() async throws {
        let store = try await Engine.current.store()
        for provider in ["apple", "example"] {
            var person = SignInRecord.Person.sample(Subject(provider))
            person.provider = IdentityProvider(rawValue: provider)
            let opened = SignInRecord.sample(person)
            _ = try await store.signIn(opened)
            var record = DeletionRecord.sample(in: opened.session.id)
            record.used = [.sample()]
            let isApple = provider == "apple"
            let work = try await store.deleteAccount(record)
            #expect(work == RevocationWork(count: 0, needsManualRemoval: isApple, hasApple: isApple))
        }
    }

    @Test("If the person signs in again, the deletion's waiting entries are withdrawn and the account is new")
    func samePersonReturns() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample(name: try .sample(), appleToken: .sample("com.example.juice"))
        _ = try await store.signIn(opened)
        let record = DeletionRecord.sample(in: opened.session.id)
        _ = try await store.deleteAccount(record)
        let back = try await store.signIn(
            .sample(at: .start + .seconds(5), appleToken: .sample("com.example.juice")))
        #expect(back.isNewAccount && back.account.name == nil)
        let deletion = try await store.deletion(record.handleHash)
        #expect(deletion?.state == .withdrawn && deletion?.finishedAt == .start + .seconds(5))
        #expect(try await store.leaseOutbox(.sample(at: .start + .hours(1))).isEmpty)
        #expect(try await store.appleTokens(of: back.session.identityID).count == 1)
    }

    @Test("A waiting code belongs to the deletion, and the token it brings is revoked")
    func waitingCode() async throws {
        let store = try await Engine.current.store()
        for isRedeemed in [true, false] {
            let subject = Subject("person \(isRedeemed)")
            let person = TokenHash.person(team: "TEAM000001", subject: subject)
            let session = try await store.signIn(.sample(.sample(subject))).session
            let code = OutboxEntry.sample(kind: .code, personHash: person, identity: session.identityID)
            try await store.insertIntoOutbox(code)
            let record = DeletionRecord.sample(in: session.id)
            #expect(try await store.deleteAccount(record).count == 1)
            let lease = QueueLease.sample()
            _ = try await store.leaseOutbox(lease)
            let token = AppleToken.sample("com.example.juice")
            let outcome = isRedeemed ? OutboxOutcome.redeemed(token) : .expired(failure: "too_old")
            _ = try await store.endOutboxAttempt(code.id, owner: lease.owner, outcome, at: .start)
            let deletion = try await store.deletion(record.handleHash)
            #expect(deletion?.state == (isRedeemed ? .waiting : .done))
            #expect(deletion?.asksApple == isRedeemed)
            let entry = try await store.outboxEntry(OutboxID(rawValue: token.id.rawValue))
            #expect(entry?.deletionHash == (isRedeemed ? record.handleHash : nil))
            #expect(try await store.session(session.id) == nil)
        }
    }

    @Test("An ended session deletes nothing, nor does a credential that was used before")
    func refused() async throws {
        let store = try await Engine.current.store()
        let (opened, live) = (SignInRecord.sample(), SignInRecord.sample())
        let account = try await store.signIn(opened).account.id
        _ = try await store.signIn(live)
        _ = try await store.endSession(opened.session.id, .sample(at: .start, .signedOut))
        for id in [opened.session.id, .sample()] {
            await expectError(.sessionEnded) { _ = try await store.deleteAccount(.sample(in: id)) }
        }
        var record = DeletionRecord.sample(in: live.session.id)
        record.used = live.used
        await expectError(.alreadyUsed) { _ = try await store.deleteAccount(record) }
        #expect(try await store.deletion(record.handleHash) == nil)
        #expect(try await store.identities(of: account).count == 1)
    }

    @Test("If fifty requests delete one account, one succeeds")
    func fiftyAtOnce() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample(appleToken: .sample("com.example.juice"))
        _ = try await store.signIn(opened)
        let done = try await atOnce(50) { _ in
            do { return try await store.deleteAccount(.sample(in: opened.session.id)).count } catch let error
                as AccountError where error.code == .sessionEnded
            { return 0 }
        }
        #expect(done.reduce(0, +) == 1)
    }

    @Test("A sign-in during a deletion finds the whole account or none")
    func signInsMeanwhile() async throws {
        let store = try await Engine.current.store()
        for round in 0..<10 {
            let person = SignInRecord.Person.sample(Subject("person.\(round)"))
            let opened = SignInRecord.sample(person, appleToken: .sample("com.example.juice"))
            let first = try await store.signIn(opened).account.id
            async let deleted = store.deleteAccount(.sample(in: opened.session.id))
            async let again = store.signIn(.sample(person, appleToken: .sample("com.example.juice")))
            let (outcome, _) = try await (again, deleted)
            #expect(try await store.identities(of: first).isEmpty)
            let isThere = try await store.session(outcome.session.id) != nil
            #expect(isThere == outcome.isNewAccount)
            #expect((outcome.account.id == first) == !outcome.isNewAccount)
        }
    }

    @Test("If two servers finish the last entries of a deletion at once, the deletion is done")
    func lastEntriesAtOnce() async throws {
        let store = try await Engine.current.store()
        for round in 0..<10 {
            let person = SignInRecord.Person.sample(Subject("person.\(round)"))
            _ = try await store.signIn(.sample(person, appleToken: .sample("com.example.juice")))
            let opened = SignInRecord.sample(person, appleToken: .sample("com.example.juice.web"))
            _ = try await store.signIn(opened)
            let record = DeletionRecord.sample(in: opened.session.id)
            #expect(try await store.deleteAccount(record).count == 2)
            let lease = QueueLease.sample()
            let entries = try await store.leaseOutbox(lease)
            _ = try await atOnce(2) { index in
                try await store.endOutboxAttempt(entries[index].id, owner: lease.owner, .done, at: .start)
            }
            #expect(try await store.deletion(record.handleHash)?.state == .done)
        }
    }

    @Test("A sweep removes deletions that were done thirty days ago, and never one that waits")
    func sweep() async throws {
        let store = try await Engine.current.store()
        var hashes: [TokenHash] = []
        for token in [nil, AppleToken.sample("com.example.juice")] {
            let opened = SignInRecord.sample(appleToken: token)
            _ = try await store.signIn(opened)
            let record = DeletionRecord.sample(in: opened.session.id)
            _ = try await store.deleteAccount(record)
            hashes.append(record.handleHash)
        }
        let end = Timestamp.start + Deletion.retention
        _ = try await store.sweep(at: end - .microseconds(1), sessionsBefore: .start, limit: 9)
        #expect(try await store.deletion(hashes[0]) != nil)
        _ = try await store.sweep(at: end + .days(900), sessionsBefore: .start, limit: 9)
        #expect(try await store.deletion(hashes[0]) == nil)
        #expect(try await store.deletion(hashes[1])?.state == .waiting)
    }
}

@Suite("Deletions by an operator or by Apple", .eachDatabase)
struct RemovalTests {
    @Test("An operator's deletion removes as much as the person's own and leaves only the entries for Apple")
    func byOperator() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample(name: try .sample(), appleToken: .sample("com.example.juice"))
        let outcome = try await store.signIn(opened)
        let other = try await store.signIn(.sample(.sample("someone.else")))
        let purge = PurgeRecord.sample(of: outcome.account.id)
        #expect(try await store.purgeAccount(purge)?.count == 1)
        #expect(try await store.purgeAccount(.sample(of: outcome.account.id)) == nil)
        #expect(try await store.purgeAccount(.sample(of: .sample())) == nil)
        #expect(try await store.exportAccount(outcome.account.id) == nil)
        #expect(try await store.session(opened.session.id) == nil)
        #expect(try await store.session(other.session.id)?.ended == nil)
        #expect(try await store.deletion(purge.handleHash)?.state == .waiting)
        let entries = try await store.leaseOutbox(.sample())
        #expect(entries.map(\.deletionHash) == [purge.handleHash] && entries.map(\.kind) == [.revocation])
        let entry = try #require(
            await store.auditEntries(of: outcome.account.id, before: nil, limit: 10)
                .first { $0.event == .accountDeleted })
        #expect(entry.actor.kind == .operator && entry.detail == "operator")
        let event = try #require(await store.accountEvents(of: outcome.account.id, after: 0, limit: 10).last)
        #expect(event.kind == .accountDeleted && event.reason == "operator")
        let again = try await store.signIn(.sample(at: .start + .hours(1)))
        #expect(again.isNewAccount && again.account.name == nil)
    }

    @Test("If the person and the operator delete at once, one of them deletes")
    func personAndOperatorAtOnce() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample(appleToken: .sample("com.example.juice"))
        let account = try await store.signIn(opened).account.id
        let deleted = try await atOnce(20) { index in
            if index.isMultiple(of: 2) { return try await store.purgeAccount(.sample(of: account)) != nil }
            do {
                _ = try await store.deleteAccount(.sample(in: opened.session.id))
                return true
            } catch let error as AccountError where error.code == .sessionEnded {
                return false
            }
        }
        #expect(deleted.count { $0 } == 1)
        #expect(try await store.leaseOutbox(.sample()).count == 1)
    }

    @Test("An end of consent deletes the account once, and only if the notification says so")
    func consentRevoked() async throws {
        let store = try await Engine.current.store()
        let moment = Timestamp.start + .hours(1)
        let (kept, gone) = try await (
            store.signIn(.sample(.sample("kept"))),
            store.signIn(.sample(.sample("gone"), appleToken: .sample("com.example.juice")))
        )
        _ = try await store.applyNotification(.sample(.consentRevoked, "kept", happenedAt: moment))
        #expect(try await store.account(kept.account.id) != nil)

        var notification = AppleNotification.sample(.consentRevoked, "gone", happenedAt: moment)
        let handle = TokenHash.sample()
        notification.deletion = handle
        let receipt = try await store.applyNotification(notification)
        #expect(receipt == NotificationReceipt(outcome: .applied, account: gone.account.id, isRepeat: false))
        #expect(try await store.account(gone.account.id) == nil)
        // Apple has ended the authorization itself.
        #expect(try await store.leaseOutbox(.sample(at: moment)).isEmpty)
        #expect(try await store.deletion(handle)?.state == .done)
        // It names nobody any more.
        let all = try await store.appleNotifications(limit: 10)
        let told = try #require(all.first { $0.notification.id == notification.id })
        #expect(told.outcome == .applied && told.account == nil && told.notification.subject != "gone")
        // A token from before the end makes no account anew.
        await expectError(.tokenTooOld) {
            _ = try await store.signIn(.sample(at: moment - .minutes(1), .sample("gone")))
        }
        let back = try await store.signIn(.sample(at: moment + .hours(1), .sample("gone")))
        #expect(back.isNewAccount)
        #expect(try await store.applyNotification(notification).isRepeat)
        #expect(try await store.account(back.account.id) != nil)
    }

    @Test("Other notifications delete nothing, whatever they carry")
    func otherNotifications() async throws {
        let store = try await Engine.current.store()
        let account = try await store.signIn(.sample()).account.id
        for change in [AppleNotification.Change.emailForwarding(false), .accountDeleted, .other] {
            var notification = AppleNotification.sample(change, happenedAt: .start + .hours(1))
            notification.deletion = .sample()
            _ = try await store.applyNotification(notification)
        }
        #expect(try await store.account(account) != nil)
    }
}
