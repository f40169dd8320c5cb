import Foundation
import Testing

@testable import OpenAuthenticationServices

@Suite("Configuration of the flow", .timeLimit(.minutes(2)))
struct ConfigurationTests {
    @Test("The configuration is read from the environment if both variables are set")
    func environment() throws {
        let configuration = try #require(
            AuthenticationServicesConfiguration(environment: ["SIWA_BACKEND": "https://a.example", "SIWA_APP": "juice"])
        )
        #expect(configuration.backend.absoluteString == "https://a.example")
        #expect(configuration.app == "juice")
        #expect(configuration.flow == .automatic)
        #expect(configuration.timeout == .seconds(600))
        for environment in [
            [:], ["SIWA_BACKEND": "https://a.example"], ["SIWA_APP": "juice"],
            ["SIWA_BACKEND": "https://a.example", "SIWA_APP": ""], ["SIWA_BACKEND": "", "SIWA_APP": "juice"],
        ] {
            #expect(AuthenticationServicesConfiguration(environment: environment) == nil)
        }
    }

    @Test("A verifier has 256 random bits, and its challenge is the one of RFC 7636, appendix B")
    func proofKey() {
        #expect(
            ProofKey(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk").challenge
                == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
        let verifiers = Set((0..<100).map { _ in ProofKey().verifier })
        #expect(verifiers.count == 100)
        #expect(verifiers.allSatisfy { $0.utf8.count == 43 })
    }

    @Test(
        "The comparison in constant time compares bytes, and an empty value equals nothing",
        arguments: [
            ("", "", false), ("a", "", false), ("a", "a", true), ("a", "b", false), ("a", "ab", false),
            ("ab", "a", false), ("é", "e\u{301}", false),
        ])
    func constantTime(left: String, right: String, isEqual: Bool) {
        #expect(ConstantTime.equal(left, right) == isEqual)
    }
}
