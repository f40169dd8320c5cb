import AccountEngines
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("Mails to a relay address that Apple doesn't forward", .eachEngine)
struct HeldMailTests {
    @Test("are held when Apple says so, are not tried in between, and go when Apple forwards again")
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
        "are held when Apple says so while they are being sent, unless they arrive",
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
