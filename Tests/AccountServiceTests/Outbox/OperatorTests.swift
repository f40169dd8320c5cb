import AccountDatabase
import AppleID
import AppleIDTesting
import AppleIDTypes
import InMemoryLogging
import Logging
import MetricsTestKit
import Testing
import Tracing

@testable import AccountService

@Suite("The state of the outbox for an operator")
struct OperatorTests {
    let metrics = TestMetrics()
    let handler = InMemoryLogHandler()

    private func system(clients: [ClientRegistration]? = nil) async throws -> OutboxSystem {
        try await OutboxSystem(
            clients: clients, instrumentation: AppleIDInstrumentation(metrics: metrics, tracer: NoOpTracer()),
            logger: Logger(label: "service") { [handler] _ in handler })
    }

    private func counted(_ label: String, _ dimensions: [(String, String)]) throws -> Int64 {
        try metrics.expectCounter(label, dimensions).totalValue
    }

    private func lines(_ level: Logger.Level) -> [String] {
        handler.entries.filter { $0.level == level }.map { "\($0.message) \($0.metadata)" }
    }

    @Test("has a metric and a log line for a sign-in whose code could not be redeemed, without secrets")
    func waitingCode() async throws {
        let system = try await system()
        system.apple.fail("/auth/token", with: .status(503))
        let nonce = "a nonce of the operator's test"
        let answer = try await system.emulator.authorize(client: OutboxSystem.juice, nonce: nonce.sha256, native: true)
        let done = try await system.domain.signIn.native(
            NativeSignIn(identityToken: answer.identityToken, authorizationCode: answer.code, nonce: nonce),
            from: .unknown)
        #expect(done.account.appleToken == .waiting)
        let reason = ("reason", "exchange_outcome_unknown")
        let dimensions = [("client", "com.example.juice"), reason]
        #expect(try counted("accounts.sign_ins_without_apple_token", dimensions) == 1)
        let line = try #require(lines(.warning).first { $0.contains("without a token of Apple's") })
        for secret in [answer.code?.rawValue, answer.identityToken, nonce] {
            #expect(!line.contains(try #require(secret)))
        }
    }

    @Test("has a metric and a log line for an unverifiable answer of Apple's and its token, without secrets")
    func unverifiedAnswer() async throws {
        let system = try await system()
        let nonce = "a nonce of the operator's test"
        let answer = try await system.emulator.authorize(client: OutboxSystem.juice, nonce: nonce.sha256, native: true)
        // The code came alone, and with another nonce: whose it is, nobody knows.
        await #expect(throws: AppleIDError(.nonceMismatch, "")) {
            try await system.domain.signIn.native(
                NativeSignIn(
                    identityToken: nil, authorizationCode: answer.code, nonce: "another nonce of the test's",
                    clientID: OutboxSystem.juice),
                from: .unknown)
        }
        let told = [("client", "com.example.juice"), ("reason", "nonce_mismatch"), ("token", "left")]
        #expect(try counted("accounts.unverified_answers", told) == 1)
        let line = try #require(lines(.warning).first { $0.contains("could not be verified") })
        for secret in [answer.code?.rawValue, answer.identityToken, nonce, "eyJ"] {
            #expect(!line.contains(try #require(secret)))
        }
    }

    @Test("has a metric for parked and finished revocations, and a log line for a parked one")
    func parked() async throws {
        let wrong = try await system(clients: [])
        let id = try await wrong.order(RefreshToken("r.private"))
        try await wrong.outbox.drain()
        #expect(try counted("accounts.outbox", [("kind", "revocation"), ("outcome", "parked")]) == 1)
        let line = try #require(lines(.error).first { $0.contains("parked") })
        #expect(line.contains(id.rawValue) && line.contains("unknown_client") && !line.contains("private"))

        let good = try await system()
        _ = try await good.order(try await good.grant().refreshToken)
        try await good.outbox.drain()
        #expect(try counted("accounts.outbox", [("kind", "revocation"), ("outcome", "done")]) == 1)
    }
}
