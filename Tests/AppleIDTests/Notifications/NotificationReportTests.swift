import AppleIDTypes
import Testing

@testable import AppleID

@Suite("Report on a notification")
struct NotificationReportTests {
    private let expectation = NotificationExpectation(audiences: [TestClaims.audience])

    private func examine(_ claims: TestClaims, by signer: TestSigner = .shared) async throws -> NotificationReport {
        let keys = try KeyCache(
            fixed: TestSigner.keySetJSON([TestSigner.shared.publicKey(), TestSigner.other.publicKey()]))
        return await NotificationVerifier(keys: keys, environment: TestClock().environment).examine(
            try signer.token(claims), expecting: expectation)
    }

    @Test("A good notification passes every rule that applies, and is in the report")
    func good() async throws {
        let report = try await examine(.notification())
        #expect(report.isVerified)
        #expect(report.failure == nil)
        #expect(report.notification?.change == .consentRevoked)
        #expect(
            report.checks.map(\.name) == [
                "size", "form", "header", "algorithm", "key", "signature", "payload", "kind", "issuer", "audience",
                "expiry", "issued at", "age", "identifier", "event",
            ])
        #expect(report.checks.filter { $0.outcome != .passed }.map(\.name) == ["age"], "it has an exp")
    }

    @Test(
        "The report has every fault, and a verification throws the first one",
        arguments: [
            (["iss": "\"x\"", "jti": nil], ["issuer", "identifier"]), (["events": "5"], ["event"]),
            (["exp": "1", "aud": "\"x\""], ["audience", "expiry"]),
            (["events": nil, "sub": "\"s\""], ["kind", "event"]),
        ] as [([String: String?], [String])])
    func faults(changes: [String: String?], failed: [String]) async throws {
        let report = try await examine(.notification(changes))
        let failures = report.checks.filter { if case .failed = $0.outcome { true } else { false } }
        #expect(failures.map(\.name) == failed)
        #expect(report.notification == nil && !report.isVerified)
        let token = try TestSigner.shared.token(.notification(changes))
        let verifier = NotificationVerifier(
            keys: try KeyCache(fixed: TestSigner.shared.keySetJSON()), environment: TestClock().environment)
        let error = await failure { () async throws(AppleIDError) in
            _ = try await verifier.verify(token, expecting: expectation)
        }
        #expect(error?.code == report.failure)
    }
}
