import AppleIDTypes
import Crypto
import Foundation
import Testing

@testable import SiwaDoctor

@Suite("The examination of a client secret")
struct SecretExaminationTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let code: String?
        let change: @Sendable (inout HandmadeSecret) -> Void
        var testDescription: String { code ?? "nothing" }

        init(_ code: String?, _ change: @escaping @Sendable (inout HandmadeSecret) -> Void) {
            self.code = code
            self.change = change
        }
    }

    static let now: Int64 = 1_767_225_600

    @Test(
        "finds each mistake, and only that",
        arguments: [
            Case(nil) { _ in },
            Case(nil) { $0.claims["aud"] = ["https://appleid.apple.com"] },
            Case(nil) { $0.claims["exp"] = now + 15_777_000 },
            Case("secret_algorithm") { $0.header["alg"] = "es256" },
            Case("secret_algorithm") { $0.header["alg"] = nil },
            Case("secret_key_id_missing") { $0.header["kid"] = nil },
            Case("secret_wrong_key_id") { $0.header["kid"] = "OTHERKEY01" },
            Case("secret_issuer_missing") { $0.claims["iss"] = nil },
            Case("secret_wrong_team") { $0.claims["iss"] = "OTHERTEAM1" },
            Case("secret_subject_missing") { $0.claims["sub"] = "" },
            Case("secret_subject_has_team") { $0.claims["sub"] = "ABCDE12345.com.example.juice" },
            Case("secret_wrong_client") { $0.claims["sub"] = "com.example.cider" },
            Case("secret_audience") { $0.claims["aud"] = "https://appleid.apple.com/" },
            Case("secret_audience") { $0.claims["aud"] = ["https://appleid.apple.com", "x"] },
            Case("secret_audience") { $0.claims["aud"] = nil },
            Case("secret_expiry_missing") { $0.claims["exp"] = nil },
            Case("secret_expiry_missing") { $0.claims["exp"] = "soon" },
            Case("secret_expired") { $0.claims["exp"] = now },
            Case("secret_expires_too_late") { $0.claims["exp"] = now + 15_777_001 },
            Case("secret_expires_too_late") { $0.claims["exp"] = Int64.max },
            Case("secret_expires_soon") {
                $0.claims["iat"] = now - 15_000_000
                $0.claims["exp"] = now + 600_000
            },
            Case("secret_issued_at_missing") { $0.claims["iat"] = nil },
            Case("secret_from_the_future") { $0.claims["iat"] = now + 61 },
            Case("secret_from_the_future") { $0.claims["iat"] = Int64.max },
            Case("secret_signature_der") { $0.isDER = true },
            Case("secret_signature_length") { $0.otherSignature = Data(repeating: 1, count: 63) },
            Case("secret_signature_length") { $0.otherSignature = Data(repeating: 1, count: 65) },
            Case("secret_signature_wrong") { $0.key = P256.Signing.PrivateKey() },
        ])
    func mistakes(_ example: Case) throws {
        let key = P256.Signing.PrivateKey()
        var secret = HandmadeSecret(team: "ABCDE12345", client: "com.example.juice", key: key, now: Self.now)
        example.change(&secret)
        let findings = SecretExamination(
            token: try DecodedToken(try secret.text()),
            expectation: SecretExamination.Expectation(
                team: "ABCDE12345", keyID: "FGHIJ67890", clients: ["com.example.juice"], publicKey: key.publicKey),
            now: Self.now
        ).findings()
        #expect(findings.compactMap(\.code) == (example.code.map { [$0] } ?? []))
        #expect(findings.allSatisfy { $0.outcome == .passed || !$0.hints.isEmpty })
    }

    @Test(
        "warns of an issuer that isn't a Team ID if no team is configured",
        arguments: [
            ("ABCDE12345", nil), ("abcde12345", "secret_issuer_form"), ("ABCDE1234", "secret_issuer_form"),
            ("com.example.juice", "secret_issuer_form"),
        ] as [(String, String?)])
    func issuerForm(team: String, code: String?) throws {
        let key = P256.Signing.PrivateKey()
        let findings = SecretExamination(
            token: try DecodedToken(
                try HandmadeSecret(team: team, client: "com.example.cider", key: key, now: Self.now).text()),
            expectation: SecretExamination.Expectation(
                team: nil, keyID: "FGHIJ67890", clients: ["com.example.cider"], publicKey: key.publicKey),
            now: Self.now
        ).findings()
        #expect(findings.compactMap(\.code) == (code.map { [$0] } ?? []))
        #expect(findings.first { $0.code != nil }?.outcome == (code == nil ? nil : .warned))
    }
}
