import AccountDatabase
import AccountEngines
import AppleID
import InMemoryLogging
import Logging
import MetricsTestKit
import ServiceLifecycle
import TaskSignals
import Testing
import Tracing

@testable import AccountService

@Suite("The delivery of mails", .eachEngine)
struct MailDeliveryTests {
    @Test("sends a mail once, in the service's name, and then deletes it")
    func once() async throws {
        let system = try await MailSystem()
        let recipient = MailRecipient(MailSystem.address, languages: ["de", "fr"])
        let id = try await system.enqueue(.verifyAddress, to: recipient, values: ["link": "https://example.com/x"])
        let mail = try #require(try await system.deliver().first)
        #expect(mail.id == id && mail.kind == .verifyAddress && mail.recipient == MailSystem.address)
        #expect(mail.languages == ["de", "fr"] && !mail.isRelayAddress && mail.createdAt == system.now)
        #expect(
            mail.values == [
                "link": "https://example.com/x", "serviceName": "Juice", "serviceURL": "https://example.com",
            ])
        #expect(try await system.deliver().isEmpty)
        #expect(try await system.administration.list().isEmpty)
    }

    @Test("sends mails that a person waits for before announcements that have waited longer")
    func priority() async throws {
        let system = try await MailSystem()
        for index in 0..<12 { try await system.enqueue(.announcement, to: MailRecipient("person\(index)@example.com")) }
        system.clock.advance(.hours(1))
        try await system.enqueue(.verifyAddress, of: .sample())
        try await system.enqueue(.newDevice)
        let mails = try await system.store.leaseMails(.sample(at: system.now, limit: 3))
        #expect(mails.count == 3 && Set(mails.map(\.kind)) == [.verifyAddress, .newDevice, .announcement])
    }

    @Test("puts nothing into the queue if mail is not configured")
    func unconfigured() async throws {
        let system = try await MailSystem(sendsMail: false)
        try await system.enqueue()
        try await system.signIn(on: "iPhone")
        let session = try await system.signIn(on: "iPad").session.id
        try await system.deleteAccount(of: session)
        #expect(try await system.administration.list().isEmpty)
        #expect(try await system.deliver().isEmpty)
    }

    @Test("retries a failing mail at growing intervals, with one identifier, and parks it after three days")
    func failing() async throws {
        let system = try await MailSystem()
        let id = try await system.enqueue()
        system.postbox.answer(.postponed(failure: "connection_failed"))
        let begun = system.now
        var attempts: [Timestamp] = []
        while try await system.administration.list(.parked).isEmpty {
            if try await !system.deliver().isEmpty { attempts.append(system.now) }
            system.clock.advance(attempts.count < 4 ? .seconds(10) : .minutes(10))
        }
        let rests = zip(attempts.dropFirst(), attempts).map { $0 - $1 }
        #expect(rests[0] <= .seconds(70) && rests.allSatisfy { $0 <= .minutes(250) })
        #expect(rests.suffix(3).allSatisfy { $0 >= .hours(2) })
        #expect(Set(system.postbox.mails.map(\.id)) == [id])
        let last = try #require(attempts.last)
        #expect(last - begun >= .days(3) && last - begun < .days(3) + .hours(5))
        #expect(try await system.administration.list().map(\.failure) == ["connection_failed"])
        system.clock.advance(.days(5))
        #expect(try await system.deliver().isEmpty)
    }

    @Test("parks a refused mail until an operator retries it")
    func refused() async throws {
        let system = try await MailSystem()
        let id = try await system.enqueue()
        system.postbox.answer(.refused(failure: "smtp_550_5.1.1"))
        try await system.deliver()
        system.clock.advance(.days(1))
        #expect(try await system.deliver().isEmpty)
        #expect(try await system.administration.list().map(\.state) == [.parked])
        system.postbox.answer(.delivered)
        #expect(try await system.administration.retry() == 1)
        #expect(try await system.deliver().map(\.id) == [id])
    }

    @Test("retries a held mail once a day, doesn't count that as a failure, and drops it after 30 days")
    func held() async throws {
        let metrics = TestMetrics()
        let system = try await MailSystem(
            instrumentation: AppleIDInstrumentation(metrics: metrics, tracer: NoOpTracer()))
        try await system.enqueue(.test, to: MailRecipient(MailSystem.relay, isRelay: true))
        system.postbox.answer(.held(failure: "relay_forwarding_off"))
        try await system.deliver()
        #expect(try await system.administration.list().map(\.state) == [.held])
        system.clock.advance(.hours(23))
        #expect(try await system.deliver().isEmpty)
        for _ in 0..<10 {
            system.clock.advance(.days(1))
            #expect(try await system.deliver().count == 1)
        }
        // It is tried like a new one.
        system.clock.advance(.days(1))
        system.postbox.answer(.postponed(failure: "timed_out"))
        try await system.deliver()
        #expect(try await system.administration.list().map(\.state) == [.waiting])
        system.clock.advance(.days(2))
        try await system.deliver()
        #expect(try await system.administration.list().map(\.state) == [.waiting])
        system.postbox.answer(.held(failure: "relay_forwarding_off"))
        system.clock.advance(.hours(5))
        try await system.deliver()
        system.clock.advance(.days(15))
        await system.domain.sweeper.sweep()
        #expect(try await system.administration.list().map(\.state) == [.held])
        system.clock.advance(.days(2))
        await system.domain.sweeper.sweep()
        #expect(try await system.administration.list().isEmpty)
        let expired = try metrics.expectCounter("accounts.mail", [("kind", "test"), ("outcome", "expired")])
        #expect(expired.totalValue == 1)
        let holds = try metrics.expectCounter("accounts.mail", [("kind", "test"), ("outcome", "held")])
        #expect(holds.totalValue == 12)
    }

    @Test(
        "sends no mail whose link is too old",
        arguments: [
            (.verifyAddress, 1), (.addressChanged, 7), (.newDevice, 7), (.announcement, 30),
        ] as [(Mail.Kind, Int64)])
    func expired(kind: Mail.Kind, days: Int64) async throws {
        let system = try await MailSystem()
        let first = try await system.enqueue(kind)
        system.clock.advance(.seconds(1))
        try await system.enqueue(kind, to: MailRecipient("zoe@example.com"), of: .sample())
        system.clock.advance(.days(days) - .seconds(2))
        let lease = QueueLease.sample(at: system.now, limit: 1)
        #expect(try await system.store.leaseMails(lease).map(\.id) == [first])
        system.clock.advance(.minutes(3))
        #expect(try await system.deliver().isEmpty)
        await system.domain.sweeper.sweep()
        #expect(try await system.administration.list().isEmpty)
    }

    @Test("sends each mail once when two servers send at the same time")
    func twoServers() async throws {
        let system = try await MailSystem()
        let other = try await MailSystem(sharing: system)
        for index in 0..<20 {
            try await system.enqueue(.announcement, to: MailRecipient("person\(index % 15)@example.com"))
        }
        let (one, two) = (system.delivery, other.delivery)
        async let first: Void = one.drain()
        async let second: Void = two.drain()
        _ = try await (first, second)
        // Five addresses have had theirs for today.
        #expect(system.postbox.mails.count == 15)
        #expect(Set(system.postbox.mails.map(\.recipient)).count == 15)
        system.clock.advance(.days(1))
        async let third: Void = one.drain()
        async let fourth: Void = two.drain()
        _ = try await (third, fourth)
        #expect(Set(system.postbox.mails.map(\.id)).count == 20 && system.postbox.mails.count == 20)
    }

    @Test("sends a mail again, with the same identifier, if a server dies between the answer and recording it")
    func killed() async throws {
        let system = try await MailSystem()
        let id = try await system.enqueue()
        let lease = QueueLease(
            owner: "a server that dies", at: system.now, until: system.now + MailRules.leaseTime, limit: 4)
        #expect(try await system.store.leaseMails(lease).map(\.id) == [id])
        #expect(try await system.deliver().isEmpty)
        system.clock.advance(MailRules.leaseTime)
        #expect(try await system.deliver().map(\.id) == [id])
        #expect(try await system.administration.list().isEmpty)
        // It was slow, and not dead: its word comes too late to change anything.
        let late = MailRules.Outcome.again(at: system.now, failure: "timed_out")
        #expect(try await !system.store.noteMail(id, owner: lease.owner, late, at: system.now))
    }

    @Test("sends a mail once if the database fails when the delivery is recorded")
    func databaseFails() async throws {
        let system = try await MailSystem()
        try await system.enqueue()
        let database = FailingDatabase(system.store.database)
        let sender = FailureBringer(postbox: system.postbox, database: database)
        var environment = system.clock.environment
        environment.sleep = { _ in }
        let delivery = MailDelivery(
            settings: MailSettings(sender: sender, serviceName: "Juice"), publicURL: system.delivery.publicURL,
            store: try await AccountTransactions(on: database),
            keyRing: KeyRingInUse(try KeyRing(parsing: KeyRingTests.one)), environment: environment,
            instrumentation: .system, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await delivery.drain()
        #expect(try await system.administration.list().isEmpty)
        system.clock.advance(MailRules.leaseTime)
        #expect(try await system.deliver().isEmpty)
        #expect(system.postbox.mails.count == 1)
    }

    @Test("continues with other mails, and with sign-ins, while a mail server is slow")
    func slow() async throws {
        let system = try await MailSystem()
        system.postbox.close(to: "slow@example.com")
        try await system.enqueue(to: MailRecipient("slow@example.com"))
        let delivery = system.delivery
        let services = ServiceGroup(services: [delivery], logger: Logger(label: "test"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            var heard = system.postbox.heard.stream.makeAsyncIterator()
            #expect(await heard.next()?.recipient == "slow@example.com")
            for index in 0..<2 {
                try await system.enqueue(to: MailRecipient("person\(index)@example.com"))
                #expect(await heard.next()?.recipient == "person\(index)@example.com")
            }
            #expect(try await system.signIn().isNewAccount)
            system.postbox.open(to: "slow@example.com")
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
        #expect(try await system.administration.list().isEmpty)
    }

    @Test("ends an attempt that takes too long, or that a shutdown interrupts", arguments: [true, false])
    func timeLimit(atShutdown: Bool) async throws {
        let system = try await MailSystem()
        system.postbox.close(to: MailSystem.address)
        try await system.enqueue()
        var hurried = system.delivery
        if atShutdown { hurried.shutdownLimit = .milliseconds(50) } else { hurried.timeLimit = .milliseconds(50) }
        let delivery = hurried
        if atShutdown {
            let services = ServiceGroup(services: [delivery], logger: Logger(label: "test"))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await services.run() }
                for await _ in system.postbox.heard.stream { break }
                await services.triggerGracefulShutdown()
                try await group.waitForAll()
            }
        } else {
            try await delivery.drain()
        }
        #expect(try await system.administration.list().map(\.failure) == [atShutdown ? "interrupted" : "timed_out"])
    }

    @Test("parks a mail that no key opens, and sends it once the key ring has the key")
    func unopened() async throws {
        let system = try await MailSystem()
        let id = try await system.enqueue()
        let stranger = KeyRing.newText(id: "other", randomness: Array(repeating: 9, count: 32))
        system.domain.replaceKeyRing(with: try KeyRing(parsing: stranger))
        #expect(try await system.deliver().isEmpty)
        #expect(try await system.administration.list(showsRecipients: true).map(\.failure) == ["configuration"])
        system.domain.replaceKeyRing(with: try KeyRing(parsing: "\(stranger),\(KeyRingTests.one)"))
        #expect(try await system.administration.retry(id) == 1)
        #expect(try await system.deliver().map(\.id) == [id])
    }

    @Test("sends mails of every kind that it knows")
    func everyKind() async throws {
        let system = try await MailSystem()
        for kind in Mail.Kind.all { try await system.enqueue(kind, to: MailRecipient("\(kind.rawValue)@example.com")) }
        let kinds = try await system.deliver().map(\.kind)
        #expect(kinds.count == Mail.Kind.all.count && Set(kinds) == Set(Mail.Kind.all))
    }

    @Test("leaves mails of an unknown kind to a newer version, and says so if none takes them")
    func unknownKind() async throws {
        let handler = InMemoryLogHandler()
        let system = try await MailSystem(logger: Logger(label: "service") { _ in handler })
        let id = try await system.enqueue(Mail.Kind(rawValue: "birthday"))
        try await system.enqueue(.test)
        #expect(try await system.deliver().map(\.kind) == [.test])
        let left = try await system.administration.list()
        #expect(left.map(\.id) == [id] && left.map(\.state) == [.waiting] && left.map(\.attempts) == [0])
        func warnings() async throws -> [Logger.Metadata] {
            try await system.delivery.reportUnknownKinds()
            return handler.entries.filter { "\($0.message)".contains("a newer version") }.map(\.metadata)
        }
        #expect(try await warnings().isEmpty)
        system.clock.advance(MailDelivery.unknownKindsPatience)
        #expect(try await warnings() == [["kind": "birthday", "mails": "1"]])
    }

    @Test("reseals its mails with the ring's first key")
    func resealed() async throws {
        let system = try await MailSystem()
        let id = try await system.enqueue()
        let new = KeyRing.newText(id: "new", randomness: Array(repeating: 7, count: 32))
        let resealing = Resealing(
            store: system.store, keyRing: try KeyRing(parsing: "\(new),\(KeyRingTests.one)"),
            environment: system.clock.environment)
        #expect(try await resealing.run().unopened == 0)
        system.domain.replaceKeyRing(with: try KeyRing(parsing: new))
        #expect(try await system.deliver().map(\.id) == [id])
    }
}

@Suite("The rules of mail")
struct MailRulesTests {
    @Test(
        "store a failure that is a short word in lower case, and any other one as other",
        arguments: [
            ("smtp_550_5.1.1", "smtp_550_5.1.1"), ("timed_out", "timed_out"), ("", "other"),
            ("550 no such user johnny@example.com", "other"), ("Timed_out", "other"),
            (String(repeating: "a", count: 41), "other"),
        ])
    func words(failure: String, stored: String) {
        #expect(MailRules.word(failure) == stored)
    }
}

/// A mail server that takes each mail. The database fails twice after each.
private struct FailureBringer: MailSender {
    let postbox: Postbox
    let database: FailingDatabase

    func send(_ mail: Mail) async -> MailAnswer {
        database.failNextWrites(2)
        return await postbox.send(mail)
    }
}

/// A database that can't be written for a while.
private final class FailingDatabase: SQLDatabase {
    private let base: any SQLDatabase
    private let failures = Lock(0)

    init(_ base: any SQLDatabase) { self.base = base }

    func failNextWrites(_ count: Int) { failures.withLock { $0 = count } }

    var dialect: SQLDialect { base.dialect }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await base.read(body)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        let fails = failures.withLock { left in
            left -= 1
            return left >= 0
        }
        guard !fails else { throw SQLDatabaseError(.unavailable, "the database is away") }
        return try await base.write(body)
    }

    func writeAlone<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await base.writeAlone(body)
    }

    func close() async throws { try await base.close() }
}
