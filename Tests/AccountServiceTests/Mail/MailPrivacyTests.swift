import AccountDatabase
import AccountEngines
import AppleID
import InMemoryLogging
import Logging
import MetricsTestKit
import Testing
import Tracing

@testable import AccountService

@Suite("The traces of mail", .eachEngine)
struct MailPrivacyTests {
    @Test("hold no address and no content in the clear, and no hash of an address that can be guessed")
    func atRest() async throws {
        let system = try await MailSystem()
        try await system.signIn(on: "iPhone")
        try await system.signIn(on: "iPad of Zoë", from: "192.0.2.7")
        try await system.enqueue(.announcement, values: ["subject": "a secret subject"])
        let secrets = [MailSystem.address, "iPad of Zoë", "192.0.2.7", "/sessions/not-me/", "a secret subject"]
        let columns = try await columns(of: system)
        #expect(columns.count > 10)
        for secret in secrets.map({ Array($0.utf8) }) {
            #expect(!columns.contains { $0.contains(secret) })
        }
        #expect(!columns.contains(TokenHash(of: MailSystem.address).bytes))
        let mails = try await system.deliver()
        let link = try #require(mails.compactMap { $0.values["link"] }.first?.split(separator: "/").last)
        for column in try await self.columns(of: system) { #expect(!column.contains(Array(link.utf8))) }
    }

    @Test("hold no address in logs, metrics and audit, even if the sender's error has one")
    func told() async throws {
        let metrics = TestMetrics()
        let handler = InMemoryLogHandler()
        let system = try await MailSystem(
            instrumentation: AppleIDInstrumentation(metrics: metrics, tracer: NoOpTracer()),
            logger: Logger(label: "service") { _ in
                var handler = handler
                handler.logLevel = .trace
                return handler
            })
        try await system.signIn(on: "iPhone")
        try await system.signIn(on: "iPad")
        for answer: MailAnswer in [
            .postponed(failure: "451 \(MailSystem.address)"), .held(failure: "550 \(MailSystem.address)"),
            .refused(failure: "550 no \(MailSystem.address)"),
        ] {
            system.postbox.answer(answer)
            #expect(try await system.deliver().count == 1)
            system.clock.advance(.days(1))
        }
        #expect(try await system.administration.retry() == 1)
        system.postbox.answer(.delivered)
        #expect(try await system.deliver().count == 1)
        let lines = handler.entries.map { "\($0.message) \($0.metadata)" }
        #expect(lines.count >= 3 && !lines.contains { $0.contains("@") })
        #expect(lines.contains { $0.contains("A mail is parked") && $0.contains("other") })
        for outcome in ["again", "held", "parked", "delivered"] {
            let dimensions = [("kind", "new_device"), ("outcome", outcome)]
            #expect(try metrics.expectCounter("accounts.mail", dimensions).totalValue == 1)
        }
        let entries = try await system.store.auditEntries(of: nil, before: nil, limit: 99)
        #expect(entries.contains { $0.event == .mailRetried })
        #expect(!entries.contains { "\($0)".contains("@") })
        #expect("\(system.postbox.mails)".contains("@") == false)
    }

    /// Every text and every row of bytes in the tables of mail.
    private func columns(of system: MailSystem) async throws -> [[UInt8]] {
        try await system.store.read { connection in
            let texts: [SQLStatement] = [
                "SELECT id FROM mails", "SELECT kind FROM mails", "SELECT state FROM mails",
                "SELECT coalesce(account_id, '') FROM mails", "SELECT coalesce(failure, '') FROM mails",
                "SELECT kind FROM mails_sent", "SELECT session_id FROM not_me_links",
            ]
            let bytes: [SQLStatement] = [
                "SELECT sealed FROM mails", "SELECT recipient_hash FROM mails", "SELECT recipient_hash FROM mails_sent",
                "SELECT hash FROM not_me_links",
            ]
            return try texts.flatMap { try connection.query($0, []) { Array(try $0.text().utf8) } }
                + bytes.flatMap { try connection.query($0, []) { try $0.bytes() } }
        }
    }
}
