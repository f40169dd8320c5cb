import AppleIDTypes
import Foundation
import Testing

@testable import AppleID

@Suite("Verification report")
struct ReportTests {
    let names = [
        "size", "form", "header", "algorithm", "key", "signature", "payload", "kind", "issuer", "audience", "expiry",
        "issued at", "subject", "nonce", "code hash", "access token hash",
    ]

    @Test("A good token passes every rule, and rules without an expectation are skipped with the reason")
    func good() async throws {
        let report = try await examine(TestSigner.shared.token(.identity()))
        #expect(report.isVerified)
        #expect(report.failure == nil)
        #expect(report.checks.map(\.name) == names)
        #expect(
            report.checks.filter { $0.outcome == .skipped }.map(\.name) == ["nonce", "code hash", "access token hash"])
        #expect(report.checks.allSatisfy { !$0.explanation.isEmpty })
        #expect(explanation("expiry", in: report) == "valid for another 86,400 s, until 2023-11-15T22:13:20Z")
        #expect(report.identity?.subject == "001234.abc.5678")
    }

    @Test("Every claim is checked even if the signature is wrong and the token expired")
    func goesOn() async throws {
        let token = try TestSigner.other.token(
            header: #"{"alg":"RS256","kid":"TESTKEY001"}"#, payload: TestClaims.identity(["sub": nil]).json)
        let report = try await examine(token, audiences: ["com.example.b", "com.example.a"], at: 90_000)
        #expect(!report.isVerified)
        #expect(report.identity == nil)
        #expect(report.failure == .signatureInvalid)
        #expect(outcome("signature", in: report) == .failed(.signatureInvalid))
        #expect(outcome("issuer", in: report) == .passed)
        #expect(outcome("audience", in: report) == .failed(.audienceMismatch))
        #expect(
            explanation("audience", in: report)
                == "the audience is com.example.juice, expected one of com.example.a, com.example.b")
        #expect(explanation("expiry", in: report) == "expired 3,600 s ago, at 2023-11-15T22:13:20Z")
        #expect(outcome("subject", in: report) == .failed(.subjectMissing))
    }

    @Test("Claims are checked even if the key is unknown")
    func unknownKey() async throws {
        let report = try await examine(
            TestSigner.other.token(.identity()), audiences: [TestClaims.audience])
        #expect(report.failure == .unknownKey)
        #expect(outcome("signature", in: report) == .skipped)
        #expect(explanation("signature", in: report) == "there is no key to check it with")
        #expect(outcome("audience", in: report) == .passed)
        #expect(report.claims?.subject == "001234.abc.5678")
        #expect(!report.isVerified)
    }

    @Test("Checks that depend on a failed one are skipped")
    func unreachable() async throws {
        let report = try await examine("nonsense")
        #expect(report.checks.map(\.name) == names)
        #expect(report.failure == .malformedToken)
        #expect(report.checks.count { $0.outcome == .skipped } == names.count - 2)
        #expect(!report.isVerified)
    }

    @Test("The report cleans values from a token of characters that disturb a terminal")
    func quoting() async throws {
        let report = try await examine(
            TestSigner.shared.token(.identity(["iss": #""\u001b[2Jé\#(String(repeating: "x", count: 200))""#])))
        let text = try #require(explanation("issuer", in: report))
        #expect(text.hasPrefix("the issuer is ?[2J?xxx"))
        #expect(text.utf8.count < 200)
    }

    @Test("The report cleans key names and expected audiences of such characters, too", arguments: [true, false])
    func quotingNames(isSigned: Bool) async throws {
        let signer = TestSigner(keyID: "K\u{1B}[2J\u{202E}")
        let token = try (isSigned ? signer : .other).token(
            header: #"{"alg":"RS256","kid":"K\u001b[2J\u202e"}"#,
            payload: TestClaims.identity(["aud": #""a\u001b[2J\u202e""#]).json)
        let report = await IdentityVerifier(keys: try KeyCache(fixed: signer.keySetJSON())).examine(
            token,
            expecting: IdentityExpectation(
                audiences: ["a\u{1B}[2J\u{202E}"], nonce: nil,
                time: Date(timeIntervalSince1970: Double(TestClaims.issuedAt))))
        #expect(report.isVerified == isSigned)
        #expect(explanation("audience", in: report) == "it is for a?[2J?")
        #expect(explanation("key", in: report) == "Apple's key K?[2J? with 2048 bits")
        #expect(explanation("signature", in: report)?.contains("key K?[2J?") == true)
    }

    @Test(
        "Report and verification agree on every token",
        arguments: [
            ["nonce": "\"x\""], ["sub": nil], ["sub": "5"], ["aud": "[]"], ["exp": "1"], ["iat": "1800000000"],
            ["iss": "\"x\""],
            ["events": "{}"], ["c_hash": "\"x\""], ["c_hash": nil], ["at_hash": "5"], ["nonce_supported": "false"],
        ] as [[String: String?]])
    func agreement(changes: [String: String?]) async throws {
        let token = try TestSigner.shared.token(.identity(changes))
        let expectation = IdentityExpectation(
            audiences: [TestClaims.audience], nonce: .issued("raw"), authorizationCode: .required("code"),
            accessToken: .ifPresent("token"), time: Date(timeIntervalSince1970: Double(TestClaims.issuedAt)))
        let verifier = IdentityVerifier(keys: try KeyCache(fixed: TestSigner.shared.keySetJSON()))
        let report = await verifier.examine(token, expecting: expectation)
        let error = await #expect(throws: AppleIDError.self) {
            try await verifier.verify(token, expecting: expectation)
        }
        #expect(report.failure == error?.code)
    }

    private func examine(
        _ token: String, audiences: Set<ClientID> = [TestClaims.audience], at offset: TimeInterval = 0
    ) async throws -> VerificationReport {
        await IdentityVerifier(keys: try KeyCache(fixed: TestSigner.shared.keySetJSON())).examine(
            token,
            expecting: IdentityExpectation(
                audiences: audiences, nonce: nil,
                time: Date(timeIntervalSince1970: Double(TestClaims.issuedAt) + offset)))
    }

    private func outcome(_ name: String, in report: VerificationReport) -> CheckResult.Outcome? {
        report.checks.first { $0.name == name }?.outcome
    }

    private func explanation(_ name: String, in report: VerificationReport) -> String? {
        report.checks.first { $0.name == name }?.explanation
    }
}
