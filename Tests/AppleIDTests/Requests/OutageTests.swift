import AppleIDTypes
import Foundation
import HTTPTypes
import InMemoryLogging
import Logging
import Testing

@testable import AppleID

@Suite("When Apple cannot be reached")
struct OutageTests {
    let handler: InMemoryLogHandler
    let transport: TestTransport
    let clock = TestClock()
    let client: AppleIDClient

    init() throws {
        var handler = InMemoryLogHandler()
        handler.logLevel = .notice
        self.handler = handler
        transport = TestTransport(.status(200))
        client = AppleIDClient(
            clients: Array(try TestClient().client.clients.values), transport: transport, retries: .never,
            environment: clock.environment, logger: Logger(label: "test") { [handler] _ in handler })
    }

    private var lines: [String] {
        handler.entries.map { entry in
            let metadata = entry.metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return ([entry.level.rawValue, entry.message.description] + metadata).joined(separator: " ")
        }
    }

    private func ask(_ answer: TestTransport.Answer) async {
        transport.answer(answer)
        _ = await failure { () async throws(AppleIDError) in
            try await client.revoke(RefreshToken("r.private"), client: "com.example.juice")
        }
    }

    private func failing(_ cause: TransportFailure.Cause) -> TestTransport.Answer {
        .failure(TransportFailure(host: "appleid.apple.com", cause: cause, underlying: TestTransport.Lost()))
    }

    private func answer(date: String, age: String? = nil) -> TestTransport.Answer {
        .response(
            AppleResponse(
                status: 200, headerFields: age.map { [.date: date, .age: $0] } ?? [.date: date]))
    }

    @Test("the log has one line a minute for each cause, with a count, and one at the end with the duration")
    func lines() async {
        for cause in [TransportFailure.Cause.nameNotFound, .nameNotFound, .connectionRefused, .nameNotFound] {
            await ask(failing(cause))
            clock.advance(by: 10)
        }
        clock.advance(by: 20)
        await ask(failing(.nameNotFound))
        clock.advance(by: 5)
        await ask(.status(200))
        await ask(.status(200))
        let warning = "warning Apple cannot be reached."
        #expect(
            lines == [
                "\(warning) cause=name_not_found host=appleid.apple.com suppressed=0",
                "\(warning) cause=connection_refused host=appleid.apple.com suppressed=0",
                "\(warning) cause=name_not_found host=appleid.apple.com suppressed=2",
                "notice Apple can be reached again. failures=5 host=appleid.apple.com seconds=65",
            ])
    }

    @Test("a connection that fails again and again does not fill the log")
    func flapping() async {
        for _ in 0..<40 {
            await ask(failing(.closedEarly))
            await ask(.status(503))
            clock.advance(by: 1)
        }
        #expect(
            lines == [
                "warning Apple cannot be reached. cause=closed_early host=appleid.apple.com suppressed=0",
                "notice Apple can be reached again. failures=1 host=appleid.apple.com seconds=0",
            ])
    }

    @Test("an error answer and a cancelled caller are not logged as an outage")
    func answers() async {
        await ask(.status(503))
        await ask(.failure(CancellationError()))
        #expect(lines.isEmpty)
    }

    @Test(
        "a clock more than a minute off Apple's is logged once an hour, and once when it is right again",
        arguments: [(3_600.0, 3_600), (-3_600.0, -3_600), (61, 61), (-62, -62)])
    func clockDiffers(offset: Double, expected: Int) async {
        // Apple's clock goes on with this one, `offset` behind it.
        func date() -> String { Self.httpDate(clock.now.addingTimeInterval(-offset)) }
        await ask(answer(date: Self.httpDate(clock.now)))
        await ask(answer(date: date()))
        await ask(answer(date: date()))
        clock.advance(by: 3_600)
        await ask(answer(date: date()))
        await ask(answer(date: Self.httpDate(clock.now.addingTimeInterval(30))))
        let warning =
            "warning This server's clock and Apple's differ. Let an NTP service set this one. "
            + "ahead_seconds=\(expected) host=appleid.apple.com"
        #expect(
            lines == [warning, warning, "notice This server's clock and Apple's agree again. host=appleid.apple.com"])
    }

    @Test("a cached answer, and an answer without a valid date, aren't compared with the clock")
    func cached() async {
        let hourAgo = Self.httpDate(clock.now.addingTimeInterval(-3_600))
        await ask(answer(date: hourAgo, age: "3600"))
        for date in ["", "yesterday", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Foo 1994 08:49:37 GMT"] {
            await ask(answer(date: date))
        }
        await ask(.status(200))
        #expect(lines.isEmpty)
    }

    @Test("the error for a token refused for its time keeps its code and names the clock's difference as the cause")
    func refusal() async throws {
        let date = Self.httpDate(clock.now.addingTimeInterval(3_600))
        transport.answer(
            .response(
                AppleResponse(status: 200, headerFields: [.date: date], body: try TestSigner.shared.keySetJSON())))
        let token = try TestSigner.shared.token(
            .identity(["iat": "\(TestClaims.issuedAt + 3_600)", "exp": "\(TestClaims.issuedAt + 7_200)"]))
        let error = await failure { () async throws(AppleIDError) in
            _ = try await client.identityVerifier.verify(
                token, expecting: IdentityExpectation(audiences: ["com.example.juice"], nonce: nil))
        }
        #expect(error?.code == .issuedInFuture)
        #expect(error.map { "\($0)" }?.contains("issued 3,600 s in the future") == true)
        let cause = error?.cause as? ClockDifference
        #expect(cause?.description == "this server's clock is 3,600 s behind Apple's")
    }

    private static func httpDate(_ date: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: date)
    }
}
