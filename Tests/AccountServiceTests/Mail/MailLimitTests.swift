import AccountDatabase
import AccountEngines
import Testing

@testable import AccountService

@Suite("Limits of mail", .eachEngine)
struct MailLimitTests {
    @Test("An address gets one announcement a day, and the next one the day after")
    func announcements() async throws {
        let system = try await MailSystem()
        let first = try await system.enqueue(.announcement)
        system.clock.advance(.seconds(1))
        let second = try await system.enqueue(.announcement)
        #expect(try await system.deliver().map(\.id) == [first])
        system.clock.advance(.seconds(1))
        let third = try await system.enqueue(.announcement)
        #expect(try await system.deliver().isEmpty)
        system.clock.advance(.days(1) - .seconds(2))
        #expect(try await system.deliver().isEmpty)
        system.clock.advance(.seconds(1))
        #expect(try await system.deliver().map(\.id) == [second])
        system.clock.advance(.days(1))
        #expect(try await system.deliver().map(\.id) == [third])
    }

    @Test("An address counts in any capitalization, and each kind of mail has its own limit")
    func addresses() async throws {
        let system = try await MailSystem()
        try await system.enqueue(.announcement)
        try await system.enqueue(.announcement, to: MailRecipient("Johnny@Example.com"))
        try await system.enqueue(.newDevice)
        let kinds = try await system.deliver().map(\.kind)
        #expect(Set(kinds) == [.announcement, .newDevice] && kinds.count == 2)
    }

    @Test("A mail that an operator has retried waits for its day like any other")
    func retried() async throws {
        let system = try await MailSystem()
        system.postbox.answer(.refused(failure: "smtp_550"))
        let parked = try await system.enqueue(.announcement)
        try await system.deliver()
        system.postbox.answer(.delivered)
        try await system.enqueue(.announcement)
        #expect(try await system.deliver().count == 1)
        #expect(try await system.administration.retry() == 1)
        #expect(try await system.deliver().isEmpty)
        system.clock.advance(.days(1))
        #expect(try await system.deliver().map(\.id) == [parked])
    }

    @Test("A mail that arrives while another is being recorded as sent waits for its day")
    func noteAtTheSameTime() async throws {
        let system = try await MailSystem()
        try await system.enqueue(.announcement)
        try await system.deliver()
        let second = try await system.enqueue(.announcement)
        // The note was not yet to be seen when the mail was written.
        _ = try await system.store.write { connection in
            try connection.execute("UPDATE mails SET next_attempt_at = created_at WHERE id = ?1", [.id(second)])
        }
        #expect(try await system.deliver().isEmpty)
        system.clock.advance(.days(1))
        #expect(try await system.deliver().map(\.id) == [second])
    }

    @Test("The days that a mail waits for its turn don't count as failures")
    func patience() async throws {
        let system = try await MailSystem()
        for _ in 0..<5 { try await system.enqueue(.announcement) }
        for _ in 0..<4 {
            #expect(try await system.deliver().count == 1)
            system.clock.advance(.days(1))
        }
        system.postbox.answer(.postponed(failure: "connection_failed"))
        #expect(try await system.deliver().count == 1)
        #expect(try await system.administration.list().map(\.state) == [.waiting])
        system.clock.advance(.days(3))
        try await system.deliver()
        #expect(try await system.administration.list().map(\.state) == [.parked])
    }

    @Test("An address gets five mails a day that ask to confirm it, whoever requests them")
    func verificationsToAddress() async throws {
        let system = try await MailSystem()
        for _ in 0..<5 {
            try await system.enqueue(.verifyAddress, of: .sample())
            try await system.deliver()
        }
        await #expect(throws: AccountError(.rateLimited, "")) {
            try await system.enqueue(.verifyAddress, of: .sample())
        }
        try await system.enqueue(.verifyAddress, to: MailRecipient("someone@example.com"), of: .sample())
        system.clock.advance(.days(1))
        try await system.enqueue(.verifyAddress, of: .sample())
    }

    @Test("An account can request five mails a day that ask to confirm an address, sent or not")
    func verificationsOfAccount() async throws {
        let system = try await MailSystem()
        let account = AccountID.sample()
        for index in 0..<5 {
            try await system.enqueue(
                .verifyAddress, to: MailRecipient("address\(index)@example.com"), of: account)
        }
        await #expect(throws: AccountError(.rateLimited, "")) {
            try await system.enqueue(.verifyAddress, to: MailRecipient("address5@example.com"), of: account)
        }
        #expect(try await system.deliver().count == 5)
        await #expect(throws: AccountError(.rateLimited, "")) {
            try await system.enqueue(.verifyAddress, to: MailRecipient("address5@example.com"), of: account)
        }
    }

    @Test("Concurrent requests for one address don't exceed the limit")
    func verificationsAtOnce() async throws {
        let system = try await MailSystem()
        let allowed = try await atOnce(10) { _ in
            do {
                try await system.enqueue(.verifyAddress, of: .sample())
                return true
            } catch let error as AccountError where error.code == .rateLimited {
                return false
            }
        }
        #expect(allowed.count { $0 } == 5)
    }

    @Test("A withdrawn mail leaves the queue, and no other does")
    func withdrawn() async throws {
        let system = try await MailSystem()
        let account = AccountID.sample()
        try await system.enqueue(.verifyAddress, of: account)
        let other = try await system.enqueue(.addressChanged, of: account)
        let now = system.now
        try await system.store.write { try $0.withdrawMails(.verifyAddress, of: account, at: now) }
        #expect(try await system.deliver().map(\.id) == [other])
    }

    @Test("A mail that is withdrawn while it is being sent counts for the limit")
    func withdrawnWhileSent() async throws {
        let system = try await MailSystem()
        let account = AccountID.sample()
        let now = system.now
        for _ in 0..<5 {
            try await system.enqueue(.verifyAddress, of: account)
            #expect(try await system.store.leaseMails(.sample(at: now)).count == 1)
            try await system.store.write { try $0.withdrawMails(.verifyAddress, of: account, at: now) }
        }
        await #expect(throws: AccountError(.rateLimited, "")) {
            try await system.enqueue(.verifyAddress, of: account)
        }
    }

    @Test("The relay gets at most a hundred mails a day for one address")
    func relay() async throws {
        let system = try await MailSystem()
        let relay = MailRecipient(MailSystem.relay, isRelay: true)
        for _ in 0..<100 { try await system.enqueue(to: relay) }
        #expect(try await system.deliver().count == 100)
        try await system.enqueue(to: relay)
        #expect(try await system.deliver().isEmpty)
        #expect(try await system.administration.list().map(\.failure) == ["relay_daily_limit"])
        system.clock.advance(.days(1))
        #expect(try await system.deliver().count == 1)
    }

    @Test("The record of a sent mail is kept for a day")
    func swept() async throws {
        let system = try await MailSystem()
        try await system.enqueue()
        try await system.deliver()
        func sweep() async throws -> Int {
            try await system.store.sweep(at: system.now, sessionsBefore: system.now, limit: 10)
        }
        #expect(try await sweep() == 0)
        system.clock.advance(.days(1))
        #expect(try await sweep() == 1)
    }
}
