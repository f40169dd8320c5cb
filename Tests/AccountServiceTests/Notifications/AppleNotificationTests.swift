import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("Apple's notifications", .eachDatabase)
struct AppleNotificationTests {
    @Test("An end of consent ends the identity's sessions and drops its tokens, and the account stays")
    func consentRevoked() async throws {
        let store = try await Engine.current.store()
        let web = try await store.signIn(.sample(appleToken: .sample("com.example.juice.web", [1])))
        let app = try await store.signIn(
            .sample(at: .start + .hours(1), appleToken: .sample("com.example.juice", [2])))
        let other = try await store.signIn(.sample(.sample("someone.else")))
        let signedOut = try await store.signIn(.sample(at: .start + .hours(1)))
        #expect(try await store.endSession(signedOut.session.id, .sample(at: .start + .hours(1), .signedOut)))

        let (end, received) = (Timestamp.start + .hours(2), Timestamp.start + .hours(3))
        let receipt = try await store.applyNotification(
            .sample(.consentRevoked, happenedAt: end, receivedAt: received))
        #expect(
            receipt == NotificationReceipt(outcome: .applied, account: web.account.id, isRepeat: false))
        for session in [web.session.id, app.session.id] {
            let stored = try #require(await store.session(session))
            #expect(stored.ended == StoredSession.End(at: received, reason: .appleConsentRevoked))
            #expect(
                stored.account.appleAccess.ended == AppleAccess.End(at: end, reason: .appleConsentRevoked))
            #expect(stored.account.email == "johnny@example.com")
        }
        #expect(try await store.session(signedOut.session.id)?.ended?.reason == .signedOut)
        #expect(try await store.session(other.session.id)?.ended == nil)
        #expect(try await store.appleTokens(of: web.session.identityID).isEmpty)
        let event = try #require(await store.accountEvents(of: web.account.id, after: 0, limit: 10).last)
        #expect(event.kind == .appleAccessEnded && event.at == received)
        #expect(event.about == web.session.identityID.rawValue && event.reason == "apple_consent_revoked")
    }

    @Test("A deleted Apple Account removes the identity, however old the event is")
    func accountDeleted() async throws {
        let store = try await Engine.current.store()
        let outcome = try await store.signIn(.sample(at: .start + .days(1), name: try .sample()))
        try await store.keepPendingProfile(.sample())
        let receipt = try await store.applyNotification(.sample(.accountDeleted, happenedAt: .start))
        #expect(receipt.outcome == .applied && receipt.account == outcome.account.id)
        let stored = try #require(await store.session(outcome.session.id))
        #expect(stored.ended?.reason == .appleAccountDeleted)
        #expect(stored.account.email == nil && !stored.account.emailVerified)
        #expect(stored.account.name == outcome.account.name)
        #expect(stored.account.appleAccess.ended?.reason == .appleAccountDeleted)
        let kept = try #require(await store.appleNotifications(limit: 10).first)
        #expect(kept.account == outcome.account.id && kept.notification.subject != "001999.person")
        let told = try await store.auditEntries(of: outcome.account.id, before: nil, limit: 9)
        let removal = try #require(told.first { $0.event == .identityRemoved })
        #expect(removal.actor == .apple && removal.subject == outcome.session.identityID.rawValue)
        // Apple never gives the subject to anybody again; whoever has it is somebody else.
        let next = try await store.signIn(.sample(at: .start + .days(2)))
        #expect(next.isNewAccount && next.account.id != outcome.account.id && next.account.name == nil)
        let again = try await store.applyNotification(.sample(.accountDeleted, "nobody", happenedAt: .start))
        #expect(again.outcome == .unknownSubject)
    }

    @Test("A notification is applied once, however often it is delivered, even at the same time")
    func appliedOnce() async throws {
        let store = try await Engine.current.store()
        let outcome = try await store.signIn(.sample())
        let notification = AppleNotification.sample(.consentRevoked, happenedAt: .start + .hours(1))
        let receipts = try await atOnce(20) { _ in try await store.applyNotification(notification) }
        #expect(receipts.count { !$0.isRepeat } == 1)
        #expect(receipts.allSatisfy { $0.outcome == .applied })
        // The person is back; the same notification comes once more.
        _ = try await store.signIn(.sample(at: .start + .hours(2)))
        let late = try await store.applyNotification(notification)
        #expect(late == NotificationReceipt(outcome: .applied, account: nil, isRepeat: true))
        let events = try await store.accountEvents(of: outcome.account.id, after: 0, limit: 10)
        #expect(events.map(\.kind) == [.signedIn, .appleAccessEnded, .signedIn])
        #expect(try await store.appleNotifications(limit: 10).map(\.notification) == [notification])
    }

    @Test("A notification from before the last authorization changes nothing, one from the same moment does")
    func outdated() async throws {
        let store = try await Engine.current.store()
        var record = SignInRecord.sample(at: .start + .hours(2))
        record.person.authorizedAt = .start + .hours(1)
        let session = try await store.signIn(record).session.id
        for change in [AppleNotification.Change.consentRevoked, .emailForwarding(false)] {
            let old = AppleNotification.sample(change, happenedAt: .start + .hours(1) - .milliseconds(1))
            #expect(try await store.applyNotification(old).outcome == .outdated)
        }
        let stored = try #require(await store.session(session))
        #expect(stored.ended == nil && stored.account.appleAccess.forwardsEmail == nil)
        let equal = AppleNotification.sample(.consentRevoked, happenedAt: .start + .hours(1))
        #expect(try await store.applyNotification(equal).outcome == .applied)
        #expect(try await store.session(session)?.ended != nil)
    }

    @Test("The latest notification about forwarding counts, in whatever order they are delivered")
    func latestForwarding() async throws {
        let store = try await Engine.current.store()
        let outcome = try await store.signIn(.sample())
        let story: [(Bool, Int64, NotificationOutcome, Bool)] = [
            (false, 2, .applied, false), (true, 1, .outdated, false), (false, 3, .unchanged, false),
            (true, 4, .applied, true), (false, 3, .outdated, true),
        ]
        for (isOn, hour, expected, known) in story {
            let receipt = try await store.applyNotification(
                .sample(.emailForwarding(isOn), happenedAt: .start + .hours(hour)))
            #expect(receipt.outcome == expected)
            #expect(try await store.session(outcome.session.id)?.account.appleAccess.forwardsEmail == known)
        }
        let events = try await store.accountEvents(of: outcome.account.id, after: 1, limit: 10)
        #expect(events.map(\.kind) == [.emailForwardingChanged, .emailForwardingChanged])
        #expect(events.map(\.reason) == ["disabled", "enabled"])
        #expect(try await store.session(outcome.session.id)?.ended == nil)
    }

    @Test("A notification of this service's own revocation is expected for ten minutes, until the next sign-in")
    func ownRevocation() async throws {
        let store = try await Engine.current.store()
        let revoked = Timestamp.start + .hours(1)
        let story: [(Duration, NotificationOutcome)] = [
            (.seconds(-61), .applied), (.seconds(-59), .expected), (.minutes(10), .expected),
            (.minutes(10) + .milliseconds(1), .applied),
        ]
        for (delay, expected) in story {
            let subject = Subject("person \(delay)")
            let outcome = try await store.signIn(
                .sample(.sample(subject), appleToken: .sample("com.example.juice")))
            #expect(try await store.revoke(.sample(in: outcome.session.id, at: revoked)).count == 1)
            let receipt = try await store.applyNotification(
                .sample(.consentRevoked, subject, happenedAt: revoked + delay))
            #expect(receipt.outcome == expected)
            #expect(try await (store.session(outcome.session.id)?.ended == nil) == (expected == .expected))
        }
        let outcome = try await store.signIn(.sample(appleToken: .sample("com.example.juice")))
        #expect(try await store.revoke(.sample(in: outcome.session.id, at: revoked)).count == 1)
        _ = try await store.signIn(.sample(at: revoked + .minutes(1)))
        let receipt = try await store.applyNotification(
            .sample(.consentRevoked, happenedAt: revoked + .minutes(2)))
        #expect(receipt.outcome == .applied)
    }

    @Test("A second end of consent changes only the time of the end")
    func secondEnd() async throws {
        let store = try await Engine.current.store()
        let outcome = try await store.signIn(.sample())
        _ = try await store.applyNotification(.sample(.consentRevoked, happenedAt: .start + .hours(1)))
        let second = try await store.applyNotification(.sample(.consentRevoked, happenedAt: .start + .hours(2)))
        #expect(second.outcome == .unchanged)
        let stored = try #require(await store.session(outcome.session.id))
        #expect(stored.account.appleAccess.ended?.at == .start + .hours(2))
        #expect(try await store.accountEvents(of: outcome.account.id, after: 0, limit: 10).count == 2)
    }

    @Test("Notifications of unknown types and subjects are kept and change nothing")
    func unknownTypes() async throws {
        let store = try await Engine.current.store()
        let outcome = try await store.signIn(.sample())
        let type = AppleNotification.sample(.other, happenedAt: .start + .hours(1))
        let stranger = AppleNotification.sample(.consentRevoked, "nobody", happenedAt: .start + .hours(2))
        let team = AppleNotification.sample(.consentRevoked, team: "TEAM000002", happenedAt: .start + .hours(3))
        #expect(try await store.applyNotification(type).outcome == .unknownType)
        #expect(try await store.applyNotification(stranger).outcome == .unknownSubject)
        #expect(try await store.applyNotification(team).outcome == .unknownSubject)
        let kept = try await store.appleNotifications(limit: 10)
        #expect(kept.map(\.notification.id) == [team.id, stranger.id, type.id])
        #expect(kept.map(\.outcome) == [.unknownSubject, .unknownSubject, .unknownType])
        #expect(kept.last?.notification == type && kept.last?.account == outcome.account.id)
        // The subject of an unknown person is stored as a hash.
        var hashed = stranger
        hashed.subject = kept[1].notification.subject
        #expect(kept[1].notification == hashed && hashed.subject != stranger.subject)
        #expect(try await store.appleNotifications(limit: 1).map(\.notification.id) == [team.id])
        #expect(try await store.session(outcome.session.id)?.ended == nil)
    }

    @Test("A sweep removes notifications that are a month old, and no others")
    func sweep() async throws {
        let store = try await Engine.current.store()
        let old = AppleNotification.sample(.other, happenedAt: .start, receivedAt: .start)
        let new = AppleNotification.sample(.other, happenedAt: .start, receivedAt: .start + .seconds(1))
        for notification in [old, new] { _ = try await store.applyNotification(notification) }
        let moment = Timestamp.start + AppleNotification.lifetime
        #expect(try await store.sweep(at: moment, sessionsBefore: .start, limit: 100) == 1)
        #expect(try await store.appleNotifications(limit: 10).map(\.notification.id) == [new.id])
    }
}
