import AppleID
import AppleIDTypes
import Crypto
import Foundation
import Testing

@Suite("Nonce")
struct NonceTests {
    static let raw = "c1.an-issued-value"
    static let hash = SHA256.hash(data: Data(raw.utf8)).map { String(format: "%02x", $0) }.joined()
    static let base64Hash = Data(SHA256.hash(data: Data(raw.utf8))).base64EncodedString()

    static let cases: [(claim: String, expectation: NonceExpectation, code: AppleIDError.Code?)] = [
        (hash, .hashed(ofRaw: raw), nil),
        (hash, .issued(raw), nil),
        (raw, .issued(raw), nil),
        // The claim of a client that promised to hash must be the hash: whoever sees the token must not learn the
        // value.
        (raw, .hashed(ofRaw: raw), .nonceMismatch),
        (hash.uppercased(), .hashed(ofRaw: raw), .nonceMismatch),
        (hash.uppercased(), .issued(raw), .nonceMismatch),
        (base64Hash, .hashed(ofRaw: raw), .nonceMismatch),
        (base64Hash, .issued(raw), .nonceMismatch),
        (raw + " ", .issued(raw), .nonceMismatch),
        (String(raw.dropLast()), .issued(raw), .nonceMismatch),
        ("other", .issued(raw), .nonceMismatch),
        (hash, .issued("other"), .nonceMismatch),
        ("", .issued(raw), .nonceMismatch),
        ("", .issued(""), .nonceMismatch),
        ("", .hashed(ofRaw: ""), .nonceMismatch),
        // The SHA-256 of nothing.
        ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", .hashed(ofRaw: ""), .nonceMismatch),
        ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", .issued(""), .nonceMismatch),
    ]

    @Test(
        "The claim must be the expected value's hash, or the value itself if this server issued it",
        arguments: cases.indices)
    func comparison(index: Int) async throws {
        let (claim, expectation, code) = Self.cases[index]
        for supported in ["true", "false", "\"false\""] {
            let claims = TestClaims.identity(["nonce": "\"\(claim)\"", "nonce_supported": supported])
            #expect(try await failure(claims, nonce: expectation) == code, "case \(index)")
        }
        if code == nil {
            let token = try TestSigner.shared.token(.identity(["nonce": "\"\(claim)\""]))
            #expect(try await verify(token, nonce: expectation).nonce == .matched)
        }
    }

    @Test(
        "A token without the claim is refused, unless its platform says that it has no nonces",
        arguments: [nil, "true", #""true""#, "null", "0", #""no""#] as [String?])
    func missing(supported: String?) async throws {
        let claims = TestClaims.identity(["nonce_supported": supported])
        for expectation in [.issued(Self.raw), .hashed(ofRaw: Self.raw)] as [NonceExpectation] {
            for accepts in [false, true] {
                #expect(
                    try await failure(claims, nonce: expectation, acceptsUnsupportedNonce: accepts) == .nonceMissing)
            }
        }
    }

    @Test(
        "A token of a platform without nonces is refused, unless the caller allows it, and the result says so",
        arguments: ["false", #""false""#])
    func unsupported(text: String) async throws {
        let token = try TestSigner.shared.token(.identity(["nonce_supported": text]))
        for expectation in [.issued(Self.raw), .hashed(ofRaw: Self.raw)] as [NonceExpectation] {
            #expect(try await failure(of: token, nonce: expectation) == .nonceMissing)
            let identity = try await verify(token, nonce: expectation, acceptsUnsupportedNonce: true)
            #expect(identity.nonce == .unsupported)
        }
    }

    @Test("A caller that allows platforms without nonces still refuses another nonce")
    func otherNonce() async throws {
        let claims = TestClaims.identity(["nonce": "\"other\"", "nonce_supported": "false"])
        #expect(try await failure(claims, nonce: .issued(Self.raw), acceptsUnsupportedNonce: true) == .nonceMismatch)
    }

    @Test("An absent claim doesn't match an empty expected nonce", arguments: [nil, "true", "false"] as [String?])
    func bothMissing(supported: String?) async throws {
        let claims = TestClaims.identity(["nonce_supported": supported])
        #expect(try await failure(claims, nonce: .issued("")) == .nonceMismatch)
        #expect(try await failure(claims, nonce: .hashed(ofRaw: "")) == .nonceMismatch)
    }

    @Test("If no nonce was sent, a token that carries one is refused, whatever its platform says")
    func absent() async throws {
        for supported in [nil, "true", "false"] {
            let bare = try TestSigner.shared.token(.identity(["nonce_supported": supported]))
            #expect(try await verify(bare, nonce: .noneSent).nonce == .notExpected)
            let claims = TestClaims.identity(["nonce": #""x""#, "nonce_supported": supported])
            #expect(try await failure(claims, nonce: .noneSent) == .nonceMismatch)
        }
        #expect(try await failure(.identity(["nonce": "null"]), nonce: .noneSent) == .malformedClaim)
    }

    @Test("A claim of another type is malformed", arguments: ["5", "null", "[]"])
    func otherType(text: String) async throws {
        #expect(try await failure(.identity(["nonce": text]), nonce: .issued(Self.raw)) == .malformedClaim)
    }

    @Test("Without an expectation a nonce is read and not checked")
    func notExpected() async throws {
        let identity = try await verify(TestSigner.shared.token(.identity(["nonce": #""x""#])))
        #expect(identity.nonce == .notExpected)
        #expect(identity.claims.nonce == "x")
    }
}
