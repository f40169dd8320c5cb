import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Notifications of this service's own revocations", .eachDatabase)
struct ExpectedNotificationTests {
    @Test("An end of consent during a revocation is expected, however long ago the revocation was queued")
    func revocationOnItsWay() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample(appleToken: .sample("com.example.juice"))
        _ = try await store.signIn(opened)
        #expect(try await store.revoke(.sample(in: opened.session.id)).count == 1)
        let asked = Timestamp.start + .days(1)
        #expect(try await store.leaseOutbox(.sample(at: asked)).count == 1)
        let story: [(Duration, NotificationOutcome)] = [
            (.seconds(5), .expected), (.minutes(10), .expected), (.minutes(10) + .milliseconds(1), .applied),
        ]
        for (delay, expected) in story {
            let receipt = try await store.applyNotification(.sample(.consentRevoked, happenedAt: asked + delay))
            #expect(receipt.outcome == expected)
            #expect(try await (store.session(opened.session.id)?.ended == nil) == (expected == .expected))
        }
    }

    @Test("A notification of a revocation that was under way when the person returned ends no session")
    func onItsWayAtReturn() async throws {
        let store = try await Engine.current.store()
        for isDeleted in [false, true] {
            let person = SignInRecord.Person.sample(Subject("person \(isDeleted)"))
            let opened = SignInRecord.sample(person, appleToken: .sample("com.example.juice"))
            _ = try await store.signIn(opened)
            if isDeleted {
                _ = try await store.deleteAccount(.sample(in: opened.session.id))
            } else {
                _ = try await store.revoke(.sample(in: opened.session.id))
            }
            let asked = Timestamp.start + .days(1)
            let lease = QueueLease.sample(at: asked)
            let entry = try #require(await store.leaseOutbox(lease).first)
            let at = asked + .seconds(2)
            let back = try await store.signIn(
                .sample(at: at, person, appleToken: .sample("com.example.juice", at: at)))
            _ = try await store.endOutboxAttempt(entry.id, owner: lease.owner, .done, at: asked + .seconds(3))
            let standing = try await store.appleStanding(
                of: back.account.id, identity: back.session.identityID)
            #expect(standing?.accessEnded == false)
            let echo = AppleNotification.sample(
                .consentRevoked, person.subject, happenedAt: asked + .seconds(4))
            #expect(try await store.applyNotification(echo).outcome == .expected)
            #expect(try await store.session(back.session.id)?.ended == nil)
            let own = AppleNotification.sample(
                .consentRevoked, person.subject, happenedAt: asked + .minutes(11))
            #expect(try await store.applyNotification(own).outcome == .applied)
        }
    }

    @Test("A revocation from before the person's return doesn't make a later notification an expected one")
    func doneBeforeReturn() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample(appleToken: .sample("com.example.juice"))
        _ = try await store.signIn(opened)
        _ = try await store.revoke(.sample(in: opened.session.id))
        let lease = QueueLease.sample(at: .start + .seconds(1))
        let entry = try #require(await store.leaseOutbox(lease).first)
        _ = try await store.endOutboxAttempt(entry.id, owner: lease.owner, .done, at: .start + .seconds(2))
        _ = try await store.signIn(.sample(at: .start + .minutes(1)))
        let receipt = try await store.applyNotification(
            .sample(.consentRevoked, happenedAt: .start + .minutes(2)))
        #expect(receipt.outcome == .applied)
    }

    @Test("After a deletion no notification holds the person's subject, neither an earlier nor a later one")
    func subjectAfterDeletion() async throws {
        let store = try await Engine.current.store()
        let before = AppleNotification.sample(.emailForwarding(true), happenedAt: .start - .hours(1))
        #expect(try await store.applyNotification(before).outcome == .unknownSubject)
        let opened = SignInRecord.sample(appleToken: .sample("com.example.juice"))
        _ = try await store.signIn(opened)
        _ = try await store.applyNotification(.sample(.emailForwarding(false), happenedAt: .start + .hours(1)))
        let other = AppleNotification.sample(.other, "someone.else", happenedAt: .start + .hours(1))
        _ = try await store.signIn(.sample(.sample("someone.else")))
        _ = try await store.applyNotification(other)
        #expect(try await store.deleteAccount(.sample(in: opened.session.id, at: .start + .hours(2))).count == 1)
        #expect(try await store.appleNotifications(limit: 10).map(\.notification) == [other])

        let asked = Timestamp.start + .days(1)
        let lease = QueueLease.sample(at: asked)
        let entry = try #require(await store.leaseOutbox(lease).first)
        _ = try await store.endOutboxAttempt(entry.id, owner: lease.owner, .done, at: asked + .seconds(1))
        let story: [(Duration, NotificationOutcome)] = [
            (.seconds(2), .expected), (.minutes(11), .unknownSubject),
        ]
        for (delay, outcome) in story {
            let echo = AppleNotification.sample(.consentRevoked, happenedAt: asked + delay)
            let receipt = try await store.applyNotification(echo)
            #expect(receipt == NotificationReceipt(outcome: outcome, account: nil, isRepeat: false))
            #expect(try await store.applyNotification(echo).isRepeat)
        }
        let kept = try await store.appleNotifications(limit: 10)
        #expect(kept.count == 3)
        #expect(!kept.contains { $0.notification.subject == "001999.person" })

        // The service's own revocation doesn't refuse an older token. The person's own does.
        var record = SignInRecord.sample(at: asked + .minutes(12))
        record.person.authorizedAt = asked + .minutes(10)
        await expectError(.tokenTooOld) { _ = try await store.signIn(record) }
        record.person.authorizedAt = asked + .minutes(11)
        #expect(try await store.signIn(record).isNewAccount)
    }

    @Test("This service's own revocation doesn't refuse tokens that were issued before it")
    func olderTokensAfterOwnRevocation() async throws {
        let store = try await Engine.current.store()
        let opened = SignInRecord.sample(appleToken: .sample("com.example.juice"))
        _ = try await store.signIn(opened)
        _ = try await store.deleteAccount(.sample(in: opened.session.id))
        let lease = QueueLease.sample(at: .start + .minutes(2))
        let entry = try #require(await store.leaseOutbox(lease).first)
        _ = try await store.endOutboxAttempt(entry.id, owner: lease.owner, .done, at: lease.at)
        let echo = AppleNotification.sample(.consentRevoked, happenedAt: lease.at + .seconds(1))
        #expect(try await store.applyNotification(echo).outcome == .expected)
        var record = SignInRecord.sample(at: .start + .minutes(3))
        record.person.authorizedAt = .start + .minutes(1)
        #expect(try await store.signIn(record).isNewAccount)
    }
}
