import AccountDatabase
import AccountEngines
import AppleIDTypes
import Foundation
import Testing

@testable import AccountService

@Suite("Mails about a deletion", .eachEngine)
struct DeletionMailTests {
    private static let juice: ClientID = "com.example.juice"

    @Test("report its start at once, and its end once Apple has been told")
    func begunAndDone() async throws {
        let system = try await MailSystem()
        let session = try await system.signIn(appleToken: .sample(Self.juice)).session
        try await system.deleteAccount(of: session.id)
        let begun = try await system.deliver()
        #expect(begun.map(\.kind) == [.deletionBegun] && begun.map(\.recipient) == [MailSystem.address])
        #expect(begun.first?.values["happenedAt"] == system.now.date.formatted(.iso8601))
        let waiting = try await system.administration.list()
        #expect(waiting.map(\.kind) == [.deletionDone] && waiting.map(\.state) == [.held])
        #expect(waiting.first?.account == nil && waiting.first?.nextAttemptAt == nil)
        system.clock.advance(.days(4))
        #expect(try await system.deliver().isEmpty)
        try await system.finishOutbox()
        #expect(try await system.deliver().map(\.kind) == [.deletionDone])
        #expect(try await system.administration.list().isEmpty)
    }

    @Test("are a single one if nothing is left to do at Apple")
    func doneAtOnce() async throws {
        let system = try await MailSystem()
        try await system.deleteAccount(of: system.signIn().session.id)
        #expect(try await system.deliver().map(\.kind) == [.deletionDone])
    }

    @Test("report each deletion, also several of one day to one address")
    func several() async throws {
        let system = try await MailSystem()
        let sessions = try await [system.signIn(), system.signIn(.sample("someone.else"))].map(\.session.id)
        for session in sessions { try await system.deleteAccount(of: session) }
        #expect(try await system.deliver().map(\.kind) == [.deletionDone, .deletionDone])
        system.clock.advance(.hours(1))
        let session = try await system.signIn(.sample("third.person")).session.id
        try await system.deleteAccount(of: session)
        #expect(try await system.deliver().map(\.kind) == [.deletionDone])
    }

    @Test("never report the end of a deletion that its person has withdrawn")
    func withdrawn() async throws {
        let system = try await MailSystem()
        let session = try await system.signIn(appleToken: .sample(Self.juice)).session
        let deletion = try await system.deleteAccount(of: session.id)
        #expect(try await system.deliver().count == 1)
        system.clock.advance(.seconds(5))
        #expect(try await system.signIn(appleToken: .sample(Self.juice, at: system.now)).isNewAccount)
        #expect(try await system.store.deletion(deletion)?.state == .withdrawn)
        #expect(try await system.administration.list().isEmpty)
    }

    @Test("are sent after a deletion by the operator, and by the rule that an end of consent deletes the account")
    func byOthers() async throws {
        let system = try await MailSystem()
        let account = try await system.signIn().account.id
        #expect(try await system.domain.directory.delete(account) != nil)
        #expect(try await system.deliver().map(\.kind) == [.deletionDone])

        try await system.signIn(.sample("someone.else", email: "zoe@example.com"))
        system.clock.advance(.minutes(1))
        var notification = AppleNotification.sample(
            .consentRevoked, "someone.else", happenedAt: system.now, receivedAt: system.now)
        notification.deletion = .sample()
        let mails = DeletionMails(writer: system.domain.mailWriter, at: system.now)
        #expect(try await system.store.applyNotification(notification, mails: mails).outcome == .applied)
        #expect(try await system.deliver().map(\.recipient) == ["zoe@example.com"])
    }

    @Test("are not sent when Apple says that the Apple Account is deleted")
    func appleAccountDeleted() async throws {
        let system = try await MailSystem()
        try await system.signIn()
        try await system.apply(.accountDeleted)
        #expect(try await system.administration.list().isEmpty)
    }

    @Test("are the only mails of a deleted account that are left")
    func others() async throws {
        let system = try await MailSystem()
        let session = try await system.signIn(on: "iPhone").session
        try await system.signIn(on: "iPad")
        try await system.enqueue(.verifyAddress, of: session.accountID)
        let kept = try await system.enqueue(.verifyAddress, of: .sample())
        try await system.deleteAccount(of: session.id)
        let mails = try await system.administration.list()
        #expect(Set(mails.map(\.kind)) == [.deletionDone, .verifyAddress] && mails.map(\.id).contains(kept))
        #expect(mails.count == 2)
        let left = try await system.store.read { connection in
            try connection.query(
                "SELECT count(*) FROM not_me_links UNION ALL SELECT count(*) FROM mails WHERE account_id = ?1",
                [.id(session.accountID)]
            ) { try $0.int64() }
        }
        #expect(left == [0, 0])
    }

    @Test("to a relay address that refuses mail are retried without Apple's notification, as the person is forgotten")
    func relay() async throws {
        let system = try await MailSystem()
        let session = try await system.signIn(.hidden()).session
        try await system.apply(.emailForwarding(false))
        try await system.deleteAccount(of: session.id)
        system.postbox.answer(.held(failure: "relay_forwarding_off"))
        try await system.deliver()
        #expect(try await system.administration.list().map(\.state) == [.held])
        system.postbox.answer(.delivered)
        system.clock.advance(.days(1))
        #expect(try await system.deliver().map(\.kind) == [.deletionDone])
    }
}

extension MailSystem {
    /// Does what the outbox waits for, as though Apple had done it.
    fileprivate func finishOutbox() async throws {
        let lease = QueueLease.sample(at: now)
        for entry in try await store.leaseOutbox(lease) {
            #expect(try await store.endOutboxAttempt(entry.id, owner: lease.owner, .done, at: now))
        }
    }
}
