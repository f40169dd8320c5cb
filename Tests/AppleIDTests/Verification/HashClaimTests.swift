import AppleID
import AppleIDTypes
import Testing

@Suite("Code hash and access token hash")
struct HashClaimTests {
    /// The example of OpenID Connect Core 1.0, appendix A.4: this code, and this c_hash.
    static let code = "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk"
    static let codeHash = "LDktKdoQak3Pk0cnXxCltA"
    /// The example of appendix A.3.
    static let accessToken = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"
    static let accessTokenHash = "77QmUPtjPfzWtF2AnpK9RQ"

    @Test("The published examples match")
    func examples() async throws {
        let claims = TestClaims.identity(["c_hash": "\"\(Self.codeHash)\"", "at_hash": "\"\(Self.accessTokenHash)\""])
        #expect(
            try await failure(claims, code: .required(Self.code), accessToken: .required(Self.accessToken)) == nil)
        #expect(
            try await failure(claims, code: .ifPresent(Self.code), accessToken: .ifPresent(Self.accessToken)) == nil)
    }

    @Test("Another code or access token does not match")
    func mismatch() async throws {
        let claims = TestClaims.identity(["c_hash": "\"\(Self.codeHash)\"", "at_hash": "\"\(Self.accessTokenHash)\""])
        for other in ["other", "", Self.code + "x"] {
            #expect(try await failure(claims, code: .required(other)) == .codeHashMismatch)
            #expect(try await failure(claims, code: .ifPresent(other)) == .codeHashMismatch)
            #expect(try await failure(claims, accessToken: .required(other)) == .accessTokenHashMismatch)
            #expect(try await failure(claims, accessToken: .ifPresent(other)) == .accessTokenHashMismatch)
        }
    }

    @Test(
        "A claim that is longer, shorter, padded or empty does not match",
        arguments: ["", "LDktKdoQak3Pk0cnXxCltA==", "LDktKdoQak3Pk0cnXxCltAA", "LDktKdoQak3Pk0cnXxClt"])
    func otherForms(claim: String) async throws {
        #expect(
            try await failure(.identity(["c_hash": "\"\(claim)\""]), code: .required(Self.code)) == .codeHashMismatch)
    }

    @Test("A required claim must be present, and an absent one never matches an empty value")
    func missing() async throws {
        #expect(try await failure(.identity(), code: .required(Self.code)) == .codeHashMissing)
        #expect(try await failure(.identity(), code: .required("")) == .codeHashMissing)
        #expect(try await failure(.identity(), accessToken: .required(Self.accessToken)) == .accessTokenHashMissing)
        #expect(try await failure(.identity(), code: .ifPresent(Self.code)) == nil)
        #expect(try await failure(.identity(), accessToken: .ifPresent(Self.accessToken)) == nil)
    }

    @Test("A claim of another type is malformed if there is a value to compare it with")
    func otherType() async throws {
        #expect(try await failure(.identity(["c_hash": "5"]), code: .ifPresent(Self.code)) == .malformedClaim)
        #expect(
            try await failure(.identity(["at_hash": "null"]), accessToken: .ifPresent(Self.accessToken))
                == .malformedClaim)
        #expect(try await failure(.identity(["c_hash": "5"])) == nil)
    }
}
