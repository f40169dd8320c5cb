import AccountDatabase
import AccountEngines
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("Mails to a relay address that Apple doesn't forward", .eachEngine)
struct HeldMailTests {
    @Test("are held when Apple says so, are not tried meanwhile, and are sent when Apple forwards again")
    func waiting() async throws {
        let system = try await MailSystem()
        let account = try await system.signIn(.hidden(), on: "iPhone").account.id
        let relay = MailRecipient(MailSystem.relay, isRelay: true)
        let id = try await system.enqueue(to: relay, of: account)
        let other = try await system.enqueue(to: MailRecipient("zoe@example.org"), of: account)
        try await system.apply(.emailForwarding(false))
        #expect(try await system.deliver().map(\.id) == [other])
        let mail = try #require(try await system.administration.list().first)
        #expect(mail.state == .held && mail.failure == "relay_forwarding_off" && mail.nextAttemptAt == nil)
        system.clock.advance(.days(10))
        #expect(try await system.deliver().isEmpty)
        try await system.apply(.emailForwarding(true))
        #expect(try await system.deliver().map(\.id) == [id])
    }

    @Test(
        "are held when Apple says so during an attempt, unless they arrive",
        arguments: [
            MailAnswer.postponed(failure: "timed_out"), .held(failure: "relay_daily_limit"), .delivered,
        ])
    func underWay(answer: MailAnswer) async throws {
        let system = try await MailSystem()
        let account = try await system.signIn(.hidden(), on: "iPhone").account.id
        let id = try await system.enqueue(to: MailRecipient(MailSystem.relay, isRelay: true), of: account)
        let lease = QueueLease(owner: "a server", at: system.now, until: system.now + MailRules.leaseTime, limit: 4)
        let mail = try #require(try await system.store.leaseMails(lease).first)
        try await system.apply(.emailForwarding(false))
        let outcome = MailRules.outcome(of: answer, for: mail, at: system.now, random: 0)
        #expect(try await system.store.noteMail(id, owner: lease.owner, outcome, at: system.now))
        let left = try await system.administration.list()
        #expect(left.map(\.state) == (answer == .delivered ? [] : [.held]))
        system.clock.advance(.days(2))
        #expect(try await system.deliver().isEmpty)
        try await system.apply(.emailForwarding(true))
        #expect(try await system.deliver().map(\.id) == left.map(\.id))
    }

    @Test("are held and released for one identity's address, and never sent to another one instead")
    func identities() async throws {
        let system = try await MailSystem()
        let account = try await system.signIn(.hidden(), on: "iPhone").account.id
        let first = try #require(try await system.store.identities(of: account).first).id
        let second = try await system.addIdentity("second", "second@private.icloud.com", to: account)
        func enqueue(whileFirstIsOff isOff: Bool = false) async throws -> [MailID] {
            try await [
                system.enqueue(
                    to: MailRecipient(MailSystem.relay, isRelay: true, isForwardingOff: isOff, identity: first),
                    of: account),
                system.enqueue(
                    to: MailRecipient("second@private.icloud.com", isRelay: true, identity: second), of: account),
            ]
        }
        let mails = try await enqueue()
        try await system.apply(.emailForwarding(false))
        #expect(try await system.deliver().map(\.id) == [mails[1]])
        let later = try await enqueue(whileFirstIsOff: true)
        try await system.apply(.emailForwarding(false), "second")
        // A word of one address releases none to the other.
        try await system.apply(.emailForwarding(true), "second")
        #expect(try await system.deliver().map(\.id) == [later[1]])
        // Also where the person has stopped using the app with the first Apple Account.
        try await system.apply(.consentRevoked)
        #expect(try await system.deliver().isEmpty)
        try await system.signIn(.hidden(), on: "iPhone")
        try await system.apply(.emailForwarding(true))
        #expect(try await Set(system.deliver().map(\.id)) == [mails[0], later[0]])
        #expect(system.postbox.mails.count { $0.recipient == MailSystem.relay } == 2)
    }

    @Test("of an older version, without an identity, are held while Apple forwards to no address")
    func formerVersion() async throws {
        let system = try await MailSystem()
        let account = try await system.signIn(.hidden(), on: "iPhone").account.id
        _ = try await system.addIdentity("second", "second@private.icloud.com", to: account)
        let id = try await system.enqueue(to: MailRecipient(MailSystem.relay, isRelay: true), of: account)
        try await system.apply(.emailForwarding(false))
        #expect(try await system.administration.list().map(\.state) == [.waiting])
        try await system.apply(.emailForwarding(false), "second")
        #expect(try await system.administration.list().map(\.state) == [.held])
        try await system.apply(.emailForwarding(true))
        #expect(try await system.deliver().map(\.id) == [id])
    }

    @Test("do not include mails to a contact address, even one of the relay's")
    func contactAddress() async throws {
        let system = try await MailSystem()
        let account = try await system.signIn(.hidden(), on: "iPhone").account.id
        _ = try await system.store.write { connection in
            try connection.execute(
                """
                UPDATE accounts SET contact_email = 'shop@private.icloud.com', contact_email_verified_at = 1
                WHERE id = ?1
                """, [.id(account)])
        }
        let id = try await system.enqueue(to: MailRecipient(typed: "shop@private.icloud.com"), of: account)
        try await system.apply(.emailForwarding(false))
        #expect(try await system.deliver().map(\.id) == [id])
    }

    @Test("are held and released by the latest event at Apple, and not by the last notification to arrive")
    func lateWords() async throws {
        let system = try await MailSystem()
        let account = try await system.signIn(.hidden(), on: "iPhone").account.id
        let identity = try #require(try await system.store.identities(of: account).first).id
        let relay = MailRecipient(MailSystem.relay, isRelay: true, identity: identity)
        let id = try await system.enqueue(to: relay, of: account)
        let off = system.now + .seconds(1)
        // The person signs in again before the notification arrives. That says nothing about forwarding.
        system.clock.advance(.minutes(1))
        try await system.signIn(.hidden(), on: "iPhone")
        #expect(try await system.apply(false, to: MailSystem.relay, happenedAt: off) == .applied)
        #expect(try await system.deliver().isEmpty)
        #expect(try await system.apply(true, to: MailSystem.relay, happenedAt: off - .milliseconds(1)) == .outdated)
        #expect(try await system.deliver().isEmpty)
        #expect(
            try await system.apply(true, to: "X7K2M9P4QA@private.icloud.com", happenedAt: off + .seconds(1)) == .applied
        )
        #expect(try await system.deliver().map(\.id) == [id])
        #expect(try await system.apply(false, to: MailSystem.relay, happenedAt: off) == .outdated)
        _ = try await system.enqueue(to: relay, of: account)
        #expect(try await system.deliver().count == 1)
    }

    @Test("are not held or released by a notification about a former address")
    func formerAddress() async throws {
        let system = try await MailSystem()
        let account = try await system.signIn(.hidden(), on: "iPhone").account.id
        let identity = try #require(try await system.store.identities(of: account).first).id
        system.clock.advance(.minutes(1))
        var person = SignInRecord.Person.hidden()
        person.email = "new@private.icloud.com"
        try await system.signIn(person, on: "iPhone")
        let new = MailRecipient("new@private.icloud.com", isRelay: true, identity: identity)
        let first = try await system.enqueue(to: new, of: account)
        // One that names no address counts from the change of the address on.
        #expect(try await system.apply(false, to: nil, happenedAt: system.now - .seconds(1)) == .outdated)
        system.clock.advance(.minutes(1))
        #expect(try await system.apply(false, to: MailSystem.relay, happenedAt: system.now) == .outdated)
        #expect(try await system.deliver().map(\.id) == [first])
        let second = try await system.enqueue(to: new, of: account)
        #expect(try await system.apply(false, to: "new@private.icloud.com", happenedAt: system.now) == .applied)
        system.clock.advance(.minutes(1))
        #expect(try await system.apply(true, to: MailSystem.relay, happenedAt: system.now) == .outdated)
        #expect(try await system.deliver().isEmpty)
        #expect(try await system.apply(true, to: "new@private.icloud.com", happenedAt: system.now) == .applied)
        #expect(try await system.deliver().map(\.id) == [second])
    }

    @Test("leave the queue when the Apple Account is deleted, and are sent nowhere else")
    func goneAppleAccount() async throws {
        let system = try await MailSystem()
        let account = try await system.signIn(.hidden(), on: "iPhone").account.id
        let first = try #require(try await system.store.identities(of: account).first).id
        let second = try await system.addIdentity("second", "second@private.icloud.com", to: account)
        try await system.enqueue(to: MailRecipient(MailSystem.relay, isRelay: true, identity: first), of: account)
        let other = try await system.enqueue(
            to: MailRecipient("second@private.icloud.com", isRelay: true, identity: second), of: account)
        try await system.apply(.emailForwarding(false))
        try await system.apply(.accountDeleted)
        #expect(try await system.deliver().map(\.id) == [other])
        #expect(try await system.administration.list().isEmpty)
    }

    @Test("stay held when an operator retries them")
    func retried() async throws {
        let system = try await MailSystem()
        let account = try await system.signIn(.hidden(), on: "iPhone").account.id
        let id = try await system.enqueue(to: MailRecipient(MailSystem.relay, isRelay: true), of: account)
        system.postbox.answer(.refused(failure: "relay_unauthorized_sender"))
        try await system.deliver()
        system.postbox.answer(.delivered)
        try await system.apply(.emailForwarding(false))
        #expect(try await system.administration.list().map(\.state) == [.parked])
        #expect(try await system.administration.retry(id) == 1)
        #expect(try await system.deliver().isEmpty)
        try await system.apply(.emailForwarding(true))
        #expect(try await system.deliver().map(\.id) == [id])
    }
}

extension MailSystem {
    /// Takes a word of Apple's on the forwarding of one address, of a moment.
    fileprivate func apply(
        _ isOn: Bool, to address: String?, happenedAt: Timestamp
    ) async throws -> NotificationOutcome {
        var notification = AppleNotification.sample(
            .emailForwarding(isOn), happenedAt: happenedAt, receivedAt: now)
        notification.address = address
        return try await store.applyNotification(notification).outcome
    }
}
