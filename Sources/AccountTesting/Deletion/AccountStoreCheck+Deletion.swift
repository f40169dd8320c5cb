import AccountService
import AppleIDTypes
import Testing

extension AccountStoreCheck {
    static let deletion: [Self] = [
        Self("A deletion leaves nothing of the account but what Apple must be told") { store async throws in
            let opened = SignInRecord.sample(appleToken: .sample("com.example.juice"))
            let outcome = try await store.signIn(opened)
            _ = try await store.signIn(.sample(appleToken: .sample("com.example.juice.web")))
            try await store.keepName(.sample())
            let others = try await store.signIn(
                .sample(.sample("someone.else"), appleToken: .sample("com.example.juice")))
            try await store.keepName(.sample("Else", subject: "someone.else"))

            let record = AccountDeletion.sample(in: opened.session.id)
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
        },
        Self("A deletion is done when the last of its entries is") { store async throws in
            let opened = SignInRecord.sample(appleToken: .sample("com.example.juice"))
            _ = try await store.signIn(opened)
            var record = AccountDeletion.sample(in: opened.session.id)
            record.appleToken = .sample("com.example.juice")
            #expect(try await store.deleteAccount(record).count == 2)
            var expected = Deletion(state: .waiting, requestedAt: .start, finishedAt: nil, asksApple: true)
            #expect(try await store.deletion(record.handleHash) == expected)
            #expect(try await store.deletion(.sample()) == nil)
            let lease = OutboxLease.sample()
            let entries = try await store.leaseOutbox(lease)
            _ = try await store.settleOutbox(entries[0].id, owner: lease.owner, .done, at: .start + .seconds(1))
            #expect(try await store.deletion(record.handleHash) == expected)
            _ = try await store.settleOutbox(entries[1].id, owner: lease.owner, .parked(failure: "x"), at: .start)
            expected.state = .parked
            #expect(try await store.deletion(record.handleHash) == expected)
            _ = try await store.retryParked(at: .start, by: .operator)
            let next = OutboxLease.sample()
            _ = try await store.leaseOutbox(next)
            _ = try await store.settleOutbox(entries[1].id, owner: next.owner, .done, at: .start + .seconds(2))
            expected.state = .done
            expected.finishedAt = .start + .seconds(2)
            #expect(try await store.deletion(record.handleHash) == expected)
        },
        Self("A deletion for which nothing is held is done at once") { store async throws in
            let opened = SignInRecord.sample()
            _ = try await store.signIn(opened)
            let record = AccountDeletion.sample(in: opened.session.id)
            #expect(try await store.deleteAccount(record).count == 0)
            let expected = Deletion(state: .done, requestedAt: .start, finishedAt: .start, asksApple: false)
            #expect(try await store.deletion(record.handleHash) == expected)
        },
        Self("A sign-in of the same person withdraws what the deletion waits for, and makes a clean account") {
            store async throws in
            let opened = SignInRecord.sample(name: try .sample(), appleToken: .sample("com.example.juice"))
            _ = try await store.signIn(opened)
            let record = AccountDeletion.sample(in: opened.session.id)
            _ = try await store.deleteAccount(record)
            let back = try await store.signIn(
                .sample(at: .start + .seconds(5), appleToken: .sample("com.example.juice")))
            #expect(back.isNewAccount && back.account.name == nil)
            let deletion = try await store.deletion(record.handleHash)
            #expect(deletion?.state == .withdrawn && deletion?.finishedAt == .start + .seconds(5))
            #expect(try await store.leaseOutbox(.sample(at: .start + .hours(1))).isEmpty)
            #expect(try await store.appleTokens(of: back.session.identityID).count == 1)
        },
        Self("A code that waits belongs to the deletion, and what it brings is revoked") { store async throws in
            for isRedeemed in [true, false] {
                let subject = Subject("person \(isRedeemed)")
                let person = OutboxEntry.personHash(team: "TEAM000001", subject: subject)
                let session = try await store.signIn(.sample(.sample(subject))).session
                let code = OutboxEntry.sample(kind: .code, personHash: person, identity: session.identityID)
                try await store.insertIntoOutbox(code)
                let record = AccountDeletion.sample(in: session.id)
                #expect(try await store.deleteAccount(record).count == 1)
                let lease = OutboxLease.sample()
                _ = try await store.leaseOutbox(lease)
                let token = AppleToken.sample("com.example.juice")
                let outcome = isRedeemed ? OutboxOutcome.redeemed(token) : .expired(failure: "too_old")
                _ = try await store.settleOutbox(code.id, owner: lease.owner, outcome, at: .start)
                let deletion = try await store.deletion(record.handleHash)
                #expect(deletion?.state == (isRedeemed ? .waiting : .done))
                #expect(deletion?.asksApple == isRedeemed)
                let entry = try await store.outboxEntry(OutboxID(rawValue: token.id.rawValue))
                #expect(entry?.deletionHash == (isRedeemed ? record.handleHash : nil))
                #expect(try await store.session(session.id) == nil)
            }
        },
        Self("A session that is over deletes nothing, nor does one whose credential was used before") {
            store async throws in
            let (opened, live) = (SignInRecord.sample(), SignInRecord.sample())
            let account = try await store.signIn(opened).account.id
            _ = try await store.signIn(live)
            _ = try await store.endSession(opened.session.id, .sample(at: .start, .signedOut))
            for id in [opened.session.id, .sample()] {
                await expectError(.sessionEnded) { _ = try await store.deleteAccount(.sample(in: id)) }
            }
            var record = AccountDeletion.sample(in: live.session.id)
            record.spent = live.spent
            await expectError(.alreadyUsed) { _ = try await store.deleteAccount(record) }
            #expect(try await store.deletion(record.handleHash) == nil)
            #expect(try await store.identities(of: account).count == 1)
        },
        Self("Of fifty who delete at once, one does") { store async throws in
            let opened = SignInRecord.sample(appleToken: .sample("com.example.juice"))
            _ = try await store.signIn(opened)
            let done = try await atOnce(50) { _ in
                do { return try await store.deleteAccount(.sample(in: opened.session.id)).count } catch let error
                    as AccountError where error.code == .sessionEnded
                { return 0 }
            }
            #expect(done.reduce(0, +) == 1)
        },
        Self("Sign-ins while an account is deleted find it whole or not at all") { store async throws in
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
        },
        Self("Two who finish the last entries of a deletion at once finish the deletion") { store async throws in
            for round in 0..<10 {
                let person = SignInRecord.Person.sample(Subject("person.\(round)"))
                _ = try await store.signIn(.sample(person, appleToken: .sample("com.example.juice")))
                let opened = SignInRecord.sample(person, appleToken: .sample("com.example.juice.web"))
                _ = try await store.signIn(opened)
                let record = AccountDeletion.sample(in: opened.session.id)
                #expect(try await store.deleteAccount(record).count == 2)
                let lease = OutboxLease.sample()
                let entries = try await store.leaseOutbox(lease)
                _ = try await atOnce(2) { index in
                    try await store.settleOutbox(entries[index].id, owner: lease.owner, .done, at: .start)
                }
                #expect(try await store.deletion(record.handleHash)?.state == .done)
            }
        },
        Self("A sweep takes deletions that were done thirty days ago, and never one that waits") { store async throws in
            var hashes: [TokenHash] = []
            for token in [nil, AppleToken.sample("com.example.juice")] {
                let opened = SignInRecord.sample(appleToken: token)
                _ = try await store.signIn(opened)
                let record = AccountDeletion.sample(in: opened.session.id)
                _ = try await store.deleteAccount(record)
                hashes.append(record.handleHash)
            }
            let end = Timestamp.start + Deletion.memory
            _ = try await store.sweep(at: end - .microseconds(1), sessionsBefore: .start, limit: 9)
            #expect(try await store.deletion(hashes[0]) != nil)
            _ = try await store.sweep(at: end + .days(900), sessionsBefore: .start, limit: 9)
            #expect(try await store.deletion(hashes[0]) == nil)
            #expect(try await store.deletion(hashes[1])?.state == .waiting)
        },
    ]
}

extension AccountDeletion {
    static func sample(in session: SessionID, at moment: Timestamp = .start) -> Self {
        Self(at: moment, session: session, handleHash: .sample())
    }
}
