import AccountEngines
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("The mail queue for an operator", .eachEngine)
struct MailAdministrationTests {
    @Test("lists mails in order, by state, and shows addresses only on request")
    func list() async throws {
        let system = try await MailSystem()
        let account = AccountID.sample()
        let parked = try await system.enqueue(.verifyAddress, of: account)
        system.postbox.answer(.refused(failure: "smtp_550"))
        try await system.deliver()
        system.clock.advance(.seconds(1))
        let waiting = try await system.enqueue(to: MailRecipient(MailSystem.relay, isRelay: true))
        let all = try await system.administration.list()
        #expect(all.map(\.id) == [parked, waiting] && all.map(\.state) == [.parked, .waiting])
        #expect(all.map(\.attempts) == [1, 0] && all.map(\.failure) == ["smtp_550", nil])
        #expect(all.map(\.account) == [account, nil] && all.map(\.isRelayAddress) == [false, true])
        #expect(all.map(\.nextAttemptAt) == [nil, system.now] && all.map(\.recipient) == [nil, nil])
        #expect(all.map(\.expiresAt) == [system.now - .seconds(1) + .days(1), system.now + .days(30)])
        #expect(try await system.administration.list(.parked).map(\.id) == [parked])
        #expect(try await system.administration.list(.held).isEmpty)
        #expect(try await system.administration.list(after: parked).map(\.id) == [waiting])
        let shown = try await system.administration.list(showsRecipients: true)
        #expect(shown.map(\.recipient) == [MailSystem.address, MailSystem.relay])
    }

    @Test("retries one parked mail, or all, and appends each to the audit")
    func retry() async throws {
        let system = try await MailSystem()
        system.postbox.answer(.refused(failure: "smtp_550"))
        var ids: [MailID] = []
        for index in 0..<3 { ids.append(try await system.enqueue(to: MailRecipient("person\(index)@example.com"))) }
        try await system.deliver()
        let waiting = try await system.enqueue()
        #expect(try await system.administration.retry(waiting) == 0)
        #expect(try await system.administration.retry(ids[1]) == 1)
        #expect(try await system.administration.retry(ids[1]) == 0)
        #expect(try await system.administration.retry() == 2)
        let entries = try await system.store.auditEntries(of: nil, before: nil, limit: 9)
        let retried = entries.filter { $0.event == .mailRetried }
        #expect(Set(retried.compactMap(\.subject)) == Set(ids.map(\.rawValue)))
        #expect(retried.count == 3 && retried.allSatisfy { $0.actor == .operator })
        system.postbox.answer(.delivered)
        #expect(try await system.deliver().count == 4)
    }

    @Test("retries parked mails in batches, each once")
    func retryInBatches() async throws {
        let system = try await MailSystem()
        system.postbox.answer(.refused(failure: "smtp_550"))
        for index in 0..<7 {
            try await system.enqueue(to: MailRecipient("person\(index)@example.com"))
            system.clock.advance(.milliseconds(1))
        }
        try await system.deliver()
        var administration = system.administration
        administration.retriesAtOnce = 3
        #expect(try await administration.retry() == 7)
        let entries = try await system.store.auditEntries(of: nil, before: nil, limit: 99)
        #expect(entries.count { $0.event == .mailRetried } == 7)
        #expect(try await administration.retry() == 0)
        system.postbox.answer(.delivered)
        #expect(try await system.deliver().count == 7)
    }

    @Test("keeps a retried mail as long as a new one, but not after its link has ended")
    func retriedLate() async throws {
        let system = try await MailSystem()
        system.postbox.answer(.refused(failure: "smtp_550"))
        let plain = try await system.enqueue()
        let linked = try await system.enqueue(.addressChanged)
        try await system.deliver()
        system.clock.advance(.days(6))
        let ends = system.now + .days(1)
        #expect(try await system.administration.retry() == 2)
        let expiry = try await system.administration.list().map { ($0.id, $0.expiresAt) }
        #expect(Dictionary(uniqueKeysWithValues: expiry) == [plain: system.now + .days(30), linked: ends])
        try await system.deliver()
        system.clock.advance(.days(1))
        #expect(try await system.administration.retry(linked) == 0)
        #expect(try await system.administration.retry(plain) == 1)
    }

    @Test("removes a waiting mail, and appends that to the audit")
    func remove() async throws {
        let system = try await MailSystem()
        let id = try await system.enqueue()
        #expect(try await system.administration.remove(id))
        #expect(try await !system.administration.remove(id))
        #expect(try await system.deliver().isEmpty)
        let entry = try await system.store.auditEntries(of: nil, before: nil, limit: 1).first
        #expect(entry?.event == .mailRemoved && entry?.subject == id.rawValue && entry?.actor == .operator)
    }

    @Test("announces to every account once, with subject and text, and counts in a dry run without a trace")
    func announceToAll() async throws {
        let system = try await MailSystem()
        let told = try await system.signIn().account.id
        try await system.signIn(.sample("no.address", email: nil))
        let disabled = try await system.signIn(.sample("disabled", email: "off@example.com")).account.id
        #expect(try await system.domain.directory.disable(disabled) != nil)
        let announcement = try Self.announcement()

        let expected = AnnouncementOutcome(queued: 1, withoutAddress: 1, disabled: 1)
        #expect(try await system.administration.announce(announcement, isDryRun: true) == expected)
        #expect(try await system.administration.list().isEmpty)
        #expect(try await system.administration.announce(announcement) == expected)
        let mail = try #require(try await system.deliver().first)
        #expect(mail.kind == .announcement && mail.recipient == MailSystem.address && mail.languages == ["en"])
        #expect(mail.values["subject"] == "New terms" && mail.values["text"] == "We have new terms.")

        system.clock.advance(.seconds(1))
        // Somebody has come since, and the rest of an interrupted run is like that.
        try await system.signIn(.sample("new", email: "new@example.com"))
        let again = AnnouncementOutcome(queued: 1, toldBefore: 1, withoutAddress: 1, disabled: 1)
        #expect(try await system.administration.announce(announcement, isDryRun: true) == again)
        #expect(try await system.administration.announce(announcement) == again)
        #expect(try await system.deliver().map(\.recipient) == ["new@example.com"])
        #expect(
            try await system.administration.announce(announcement, to: told) == AnnouncementOutcome(toldBefore: 1))
        let entries = try await system.store.auditEntries(of: nil, before: nil, limit: 99)
        #expect(entries.count { $0.event == .announced && $0.subject == "2027-terms" } == 3)
    }

    @Test("announces to one account, and says so if there is none")
    func announceToOne() async throws {
        let system = try await MailSystem()
        let account = try await system.signIn().account.id
        try await system.signIn(.sample("someone.else", email: "zoe@example.com"))
        let outcome = try await system.administration.announce(Self.announcement(), to: account)
        #expect(outcome == AnnouncementOutcome(queued: 1))
        #expect(try await system.deliver().map(\.recipient) == [MailSystem.address])
        await #expect(throws: AccountError(.requestInvalid, "")) {
            try await system.administration.announce(Self.announcement(), to: .sample())
        }
    }

    @Test("announces to accounts page by page")
    func pages() async throws {
        let system = try await MailSystem()
        for index in 0..<450 {
            try await system.signIn(.sample(Subject("person.\(index)"), email: "person\(index)@example.com"))
        }
        var steps: [Int] = []
        let outcome = try await system.administration.announce(Self.announcement()) { done, _ in steps.append(done) }
        #expect(outcome == AnnouncementOutcome(queued: 450) && steps == Array(stride(from: 50, through: 450, by: 50)))
        #expect(Set(try await system.deliver().map(\.recipient)).count == 450)
    }

    @Test("appends an announcement to the audit with its first accounts, even if the run is interrupted")
    func interrupted() async throws {
        let system = try await MailSystem()
        for index in 0..<60 {
            try await system.signIn(.sample(Subject("person.\(index)"), email: "person\(index)@example.com"))
        }
        // Entries of one moment have no order.
        system.clock.advance(.seconds(1))
        let administration = system.administration
        let run = Task {
            try await administration.announce(Self.announcement()) { _, _ in
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await run.value }
        let entries = try await system.store.auditEntries(of: nil, before: nil, limit: 9)
        #expect(entries.count { $0.event == .announced && $0.actor == .operator } == 1)
        #expect(try await system.deliver().count == 50)
        // The rest of the run gets it, and nobody gets it twice.
        system.clock.advance(.days(1))
        #expect(try await administration.announce(Self.announcement()).queued == 10)
        #expect(try await system.deliver().count == 10)
        #expect(Set(system.postbox.mails.map(\.recipient)).count == 60)
    }

    @Test("announces to each account once if three operators announce at the same time")
    func announceAtOnce() async throws {
        let system = try await MailSystem()
        for index in 0..<120 {
            try await system.signIn(.sample(Subject("person.\(index)"), email: "person\(index)@example.com"))
        }
        let administration = system.administration
        let outcomes = try await atOnce(3) { _ in try await administration.announce(Self.announcement()) }
        #expect(outcomes.reduce(0) { $0 + $1.queued } == 120)
        #expect(outcomes.reduce(0) { $0 + $1.toldBefore } == 240)
        #expect(try await system.deliver().count == 120)
    }

    @Test("leaves no mail for an account that is deleted during an announcement")
    func announceAndDelete() async throws {
        let system = try await MailSystem()
        for round in 0..<10 {
            let outcome = try await system.signIn(.sample(Subject("person.\(round)"), email: "p\(round)@example.com"))
            let session = outcome.session.id
            let administration = system.administration
            let announcement = try Self.announcement()
            async let deleted = system.store.deleteAccount(.sample(in: session, at: system.now))
            _ = try await administration.announce(announcement)
            _ = try await deleted
            #expect(try await system.administration.list().isEmpty)
            let noted = try await system.store.read { try $0.announcements(to: outcome.account.id) }
            #expect(noted.isEmpty)
        }
    }

    @Test("exports the sent mails and their valid links, without secrets, and forgets them in time")
    func exportSent() async throws {
        let system = try await MailSystem()
        let account = try await system.signIn(on: "iPhone").account.id
        let session = try await system.signIn(on: "iPad").session.id
        try await system.signIn(.sample("someone.else", email: "zoe@example.com"), on: "iPhone")
        try await system.signIn(.sample("someone.else", email: "zoe@example.com"), on: "iPad")
        let sentAt = system.now
        #expect(try await system.deliver().count == 2)
        let export = try #require(try await system.store.exportAccount(account))
        #expect(export.sentMails == [AccountExport.SentMail(kind: .newDevice, sentAt: sentAt)])
        let link = AccountExport.OpenLink(
            kind: .newDevice, session: session, device: "iPad", expiresAt: sentAt + .days(7))
        #expect(export.openLinks == [link] && export.mails.isEmpty && export.cut.isEmpty)
        system.clock.advance(.days(7))
        await system.domain.sweeper.sweep()
        let later = try #require(try await system.store.exportAccount(account))
        #expect(later.sentMails.isEmpty && later.openLinks.isEmpty)
    }

    @Test("exports the waiting mails of a person, without their content")
    func export() async throws {
        let system = try await MailSystem()
        let account = try await system.signIn(on: "iPhone").account.id
        try await system.signIn(on: "iPad")
        try await system.enqueue(.verifyAddress, of: .sample())
        let export = try #require(try await system.store.exportAccount(account))
        #expect(export.mails.map(\.kind) == [.newDevice] && export.mails.map(\.createdAt) == [system.now])
        #expect(export.mails.map(\.recipient) == [nil])
    }

    @Test(
        "refuses a name of an announcement that is empty or too long, or has a space or a capital letter",
        arguments: ["", "Terms", "a b", String(repeating: "a", count: 41)])
    func names(_ name: String) {
        #expect(Announcement.Name(rawValue: name) == nil)
    }

    private static func announcement() throws -> Announcement {
        Announcement(
            name: try #require(Announcement.Name(rawValue: "2027-terms")), subject: "New terms",
            text: "We have new terms.", language: "en")
    }
}
