import AccountDatabase
import AccountEngines
import AppleID
import AppleIDTypes
import Foundation
import MetricsTestKit
import Testing
import Tracing

@testable import AccountService

@Suite("Mails about a new device", .eachEngine)
struct NewDeviceTests {
    @Test("come after a sign-in on a device that is new to the account, and never for a new account")
    func newDevice() async throws {
        let system = try await MailSystem()
        try await system.signIn(on: "iPhone")
        try await system.signIn(on: "iPhone")
        #expect(try await system.deliver().isEmpty)
        system.clock.advance(.seconds(90))
        let outcome = try await system.signIn(on: "iPad", from: "192.0.2.7", languages: ["de-AT", "en"])
        let mail = try #require(try await system.deliver().first)
        #expect(mail.languages == ["de-AT", "en"])
        #expect(mail.kind == .newDevice && mail.recipient == MailSystem.address)
        #expect(mail.values["device"] == "iPad" && mail.values["network"] == "192.0.2.7")
        #expect(mail.values["happenedAt"] == outcome.session.createdAt.date.formatted(.iso8601))
        #expect(mail.values["link"]?.hasPrefix("https://example.com/sessions/not-me/") == true)
        // A device is known as long as one of its sessions is remembered, and those have ended or not.
        #expect(try await system.store.endSession(outcome.session.id, .sample(at: system.now)))
        system.clock.advance(.days(2))
        try await system.signIn(on: "iPad")
        #expect(try await system.deliver().isEmpty)
    }

    @Test(
        "tell devices apart by kind, client and name",
        arguments: [
            (Session.Kind.browser, "com.example.juice", "iPhone"), (.tokens, "com.example.juice.other", "iPhone"),
            (.tokens, "com.example.juice", "iPhone of Zoë"), (.tokens, "com.example.juice", nil),
        ] as [(Session.Kind, String, String?)])
    func devices(kind: Session.Kind, client: String, name: String?) async throws {
        let system = try await MailSystem()
        try await system.signIn(on: "iPhone")
        // Another account's session makes no device known.
        try await system.signIn(.sample("someone.else"), on: name, kind: kind, client: ClientID(client))
        let outcome = try await system.signIn(on: name, kind: kind, client: ClientID(client))
        #expect(try await system.deliver().map { $0.values["device"] } == [name])
        #expect(try await system.store.account(outcome.account.id) != nil)
    }

    @Test("come for a device that isn't among the account's newest 300 sessions", arguments: [299, 300])
    func newestSessions(count: Int64) async throws {
        let system = try await MailSystem()
        try await system.signIn(on: "iPhone")
        system.clock.advance(.seconds(90))
        let newer = try await system.signIn(on: "iPad").session.id
        #expect(try await system.deliver().count == 1)
        try await system.store.write { connection in
            let made = try connection.execute(
                """
                INSERT INTO sessions (id, account_id, identity_id, kind, client_id, secret_hash, generation, created_at,
                    authenticated_at, last_used_at, expires_at, device_name)
                WITH RECURSIVE numbers (number) AS (
                    SELECT ?2 UNION ALL SELECT number - 1 FROM numbers WHERE number > 1)
                SELECT s.id || '_' || number, s.account_id, s.identity_id, s.kind, s.client_id, s.secret_hash, 0,
                    s.created_at, s.authenticated_at, s.last_used_at, s.expires_at, s.device_name
                FROM sessions s CROSS JOIN numbers WHERE s.id = ?1
                """, [.id(newer), .int64(count - 1)])
            #expect(made == Int(count) - 1)
        }
        system.clock.advance(.days(2))
        try await system.signIn(on: "iPhone")
        #expect(try await system.deliver().count == (count == 300 ? 1 : 0))
    }

    @Test("have a link that ends the session without a sign-in, and can be pressed again")
    func link() async throws {
        let system = try await MailSystem()
        try await system.signIn(on: "iPhone")
        let session = try await system.signIn(on: "iPad").session
        let link = try await system.notMeLink()
        let sessions = system.domain.sessions
        let signIn = try #require(try await sessions.signIn(ofLink: link))
        #expect(signIn.session.id == session.id && signIn.state == .live)
        #expect(try await system.store.session(session.id)?.ended == nil)
        let caller = Caller(address: "192.0.2.8")
        #expect(try await sessions.end(ofLink: link, from: caller) == [session.id])
        #expect(try await system.store.session(session.id)?.ended?.reason == .notMe)
        #expect(try await sessions.signIn(ofLink: link)?.state == .disowned)
        #expect(try await sessions.end(ofLink: link, from: caller) == [])
        let entries = try await system.store.auditEntries(of: session.accountID, before: nil, limit: 9)
        let ends = entries.filter { $0.event == .sessionEnded }
        #expect(ends.map(\.detail) == ["not_me"] && ends.map(\.subject) == [session.id.rawValue])
        #expect(ends.first?.actor == .account(through: nil, from: caller))
        let events = try await system.store.accountEvents(of: session.accountID, after: 0, limit: 9)
        #expect(events.last?.kind == .sessionEnded && events.last?.reason == "not_me")
    }

    @Test("have a link that is valid for seven days, and can't be guessed")
    func linkLifetime() async throws {
        let system = try await MailSystem()
        try await system.signIn(on: "iPhone")
        let session = try await system.signIn(on: "iPad").session
        let link = try await system.notMeLink()
        let guess = try #require(LinkSecret(rawValue: String(repeating: "A", count: 43)))
        #expect(try await system.domain.sessions.end(ofLink: guess, from: .unknown) == nil)
        #expect(LinkSecret(rawValue: "") == nil && LinkSecret(rawValue: link.rawValue + "A") == nil)
        system.clock.advance(.days(7) - .seconds(1))
        #expect(try await system.domain.sessions.signIn(ofLink: link)?.session.id == session.id)
        system.clock.advance(.seconds(1))
        #expect(try await system.domain.sessions.signIn(ofLink: link) == nil)
        #expect(try await system.domain.sessions.end(ofLink: link, from: .unknown) == nil)
        #expect(try await system.store.session(session.id)?.ended == nil)
    }

    @Test("come once a day: a second new device is reported the day after, and a third one is only counted")
    func onceADay() async throws {
        let metrics = TestMetrics()
        let system = try await MailSystem(
            instrumentation: AppleIDInstrumentation(metrics: metrics, tracer: NoOpTracer()))
        for device in ["iPhone", "iPad"] { try await system.signIn(on: device) }
        #expect(try await system.deliver().map { $0.values["device"] } == ["iPad"])
        for device in ["iMac", "Mac mini"] { try await system.signIn(on: device) }
        #expect(try await system.deliver().isEmpty)
        system.clock.advance(.days(1))
        let second = try await system.deliver()
        #expect(second.map { $0.values["device"] } == ["iMac"] && second.map { $0.values["leftOut"] } == ["1"])
        let leftOut = try metrics.expectCounter("accounts.mail", [("kind", "new_device"), ("outcome", "left_out")])
        #expect(leftOut.totalValue == 1)
    }

    @Test("that are caused while another one is being sent wait for their day, and are counted")
    func whileOneIsSent() async throws {
        let system = try await MailSystem()
        for device in ["iPhone", "iPad"] { try await system.signIn(on: device) }
        let lease = QueueLease.sample(at: system.now)
        let first = try #require(try await system.store.leaseMails(lease).first)
        for device in ["iMac", "Mac mini"] { try await system.signIn(on: device) }
        #expect(try await system.store.noteMail(first.id, owner: lease.owner, .delivered, at: system.now))
        #expect(try await system.deliver().isEmpty)
        system.clock.advance(.days(1))
        let second = try #require(try await system.deliver().first)
        #expect(second.values["device"] == "iMac" && second.values["leftOut"] == "1")
        #expect(try await system.administration.list().isEmpty)
    }

    @Test("go to the account's address, and not to that of another identity that signs in")
    func otherIdentity() async throws {
        let system = try await MailSystem()
        let account = try await system.signIn(on: "iPhone").account.id
        // The first identity's address counts.
        system.clock.advance(.seconds(1))
        _ = try await system.addIdentity("another.person", MailSystem.relay, to: account)
        #expect(try await system.signIn(.hidden("another.person"), on: "iPad").account.id == account)
        let mail = try #require(try await system.deliver().first)
        #expect(mail.recipient == MailSystem.address && mail.values["device"] == "iPad")
    }

    @Test("go to the confirmed contact address, or else to Apple's if Apple has verified it")
    func recipient() async throws {
        let system = try await MailSystem()
        var unverified = SignInRecord.Person.sample()
        unverified.emailVerified = false
        try await system.signIn(unverified, on: "iPhone")
        try await system.signIn(unverified, on: "iPad")
        #expect(try await system.deliver().isEmpty)
        let account = try await system.signIn(.hidden(), on: "iMac").account.id
        let relayed = try #require(try await system.deliver().first)
        #expect(relayed.recipient == MailSystem.relay && relayed.isRelayAddress)
        _ = try await system.store.write { connection in
            try connection.execute(
                """
                UPDATE accounts SET contact_email = 'zoe@example.org', contact_email_verified_at = 1 WHERE id = ?1
                """, [.id(account)])
        }
        try await system.signIn(.hidden(), on: "Mac mini")
        let mail = try #require(try await system.deliver().first)
        #expect(mail.recipient == "zoe@example.org" && !mail.isRelayAddress)
    }

    @Test("to a relay address wait while Apple forwards nothing, and go when Apple forwards again")
    func forwarding() async throws {
        let system = try await MailSystem()
        let account = try await system.signIn(.hidden(), on: "iPhone").account.id
        try await system.apply(.emailForwarding(false))
        try await system.signIn(.hidden(), on: "iPad")
        #expect(try await system.deliver().isEmpty)
        #expect(try await system.administration.list().map(\.failure) == ["relay_forwarding_off"])
        #expect(try await system.administration.list().map(\.nextAttemptAt) == [nil])
        system.clock.advance(.days(2))
        #expect(try await system.deliver().isEmpty)
        // Another person's forwarding changes nothing.
        try await system.signIn(.hidden("someone.else"))
        try await system.apply(.emailForwarding(true), "someone.else")
        #expect(try await system.deliver().isEmpty)
        try await system.apply(.emailForwarding(true))
        #expect(try await system.deliver().map(\.recipient) == [MailSystem.relay])
        #expect(try await system.store.account(account)?.identities.first?.access.forwardsEmail == true)
    }

    @Test("that the relay has refused are sent when Apple forwards again, unless that notification is older")
    func heldByAnswer() async throws {
        let system = try await MailSystem()
        try await system.signIn(.hidden(), on: "iPhone")
        let before = system.now
        system.clock.advance(.minutes(1))
        try await system.signIn(.hidden(), on: "iPad")
        system.postbox.answer(.held(failure: "relay_forwarding_off"))
        try await system.deliver()
        system.postbox.answer(.delivered)
        #expect(try await system.deliver().isEmpty)
        _ = try await system.store.applyNotification(.sample(.emailForwarding(true), happenedAt: before))
        #expect(try await system.deliver().isEmpty)
        try await system.apply(.emailForwarding(true))
        #expect(try await system.deliver().count == 1)
    }
}

extension MailSystem {
    /// The link in the mail about a new device that is due.
    func notMeLink() async throws -> LinkSecret {
        let mail = try #require(try await deliver().last)
        let path = try #require(mail.values["link"]?.dropFirst("https://example.com".count))
        #expect(path.hasPrefix(NewDeviceMail.path))
        return try #require(LinkSecret(rawValue: String(path.dropFirst(NewDeviceMail.path.count))))
    }

    /// Takes a word of Apple's of this moment.
    func apply(_ change: AppleNotification.Change, _ subject: Subject = "001999.person") async throws {
        clock.advance(.seconds(1))
        _ = try await store.applyNotification(.sample(change, subject, happenedAt: now, receivedAt: now))
    }
}
