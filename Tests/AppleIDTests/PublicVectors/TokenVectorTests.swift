import AppleIDTypes
import Crypto
import Foundation
import StrictJSON
import Testing

@testable import AccountTokens
@testable import AppleID
@testable import AppleIDTransport

/// Wycheproof's tokens carry a text, not claims, so what counts is whether the signature was found good.
@Suite("Public vectors: tokens and key sets", .enabled(if: PublicVectors.isThere, PublicVectors.whereToGetThem))
struct TokenVectorTests {
    /// Valid tokens that are refused, by why.
    enum RefusedOnPurpose: String {
        case symmetric = "an HMAC: whoever can verify it can make it, and Apple makes none"
        case otherAlgorithm = "another algorithm than RS256, the only one that Apple signs with"
        case elliptic = "an ES256 token: ours are, and there they are taken, but Apple's are not"
    }

    @Test("Of 401 JSON Web Signatures, RS256 and ES256 verify as stated, and all others are refused")
    func signatures() async throws {
        let vectors = try PublicVectors.wycheproof("json_web_signature_test")
        var reasons: [RefusedOnPurpose: Int] = [:]
        var good = 0
        var ours = 0
        for vector in vectors {
            let token = try text(vector)
            let isGood = try await isSignatureGood(token, keys: vector.group["public"].map { [$0] } ?? [])
            if isGood { good += 1 }
            if let reason = reasonToRefuse(vector) {
                #expect(!isGood, "\(vector.id) \(vector.comment)")
                if vector.result == "valid" { reasons[reason, default: 0] += 1 }
            } else {
                #expect(isGood == (vector.result == "valid"), "\(vector.id) \(vector.comment)")
            }
            let isOurs = try isOwnSignatureGood(token, keys: vector.group["public"].map { [$0] } ?? [])
            #expect(isOurs == isStatedForOurs(vector), "\(vector.id) \(vector.comment)")
            if isOurs { ours += 1 }
        }
        #expect(vectors.count == 401)
        #expect(good == 8)
        #expect(ours == 2)
        #expect(reasons == [.symmetric: 10, .otherAlgorithm: 26, .elliptic: 2])
    }

    @Test("Of 26 JSON Web Key sets, those for RS256 verify as stated, and all others are refused")
    func keySets() async throws {
        let vectors = try PublicVectors.wycheproof("json_web_key_test")
        var reasons: [RefusedOnPurpose: Int] = [:]
        for vector in vectors {
            let keys = (vector.group["public"] ?? vector.group["private"])?["keys"]?.elements.map { $0 } ?? []
            let isGood = try await isSignatureGood(try text(vector), keys: keys)
            if let reason = reasonToRefuse(vector) {
                #expect(!isGood, "\(vector.id) \(vector.comment)")
                if vector.result == "valid" { reasons[reason, default: 0] += 1 }
            } else {
                #expect(isGood == (vector.result == "valid"), "\(vector.id) \(vector.comment)")
            }
            let isOurs = try isOwnSignatureGood(try text(vector), keys: keys)
            #expect(isOurs == isStatedForOurs(vector), "\(vector.id) \(vector.comment)")
        }
        #expect(vectors.count == 26)
        #expect(reasons == [.symmetric: 4])
    }

    /// The subject of the group, by its key.
    private func algorithm(_ vector: PublicVectors.Vector) -> String? {
        let holder = vector.group["public"] ?? vector.group["private"]
        let key = holder?["keys"]?.elements.first { _ in true } ?? holder
        switch key?["kty"]?.string {
        case "oct": return "HS256"
        case "EC": return key?["crv"]?.string == "P-256" ? "ES256" : "ES512"
        default: return key?["alg"]?.string ?? "RS256"
        }
    }

    private func reasonToRefuse(_ vector: PublicVectors.Vector) -> RefusedOnPurpose? {
        switch algorithm(vector) {
        case "RS256": nil
        case "ES256": .elliptic
        case "HS256": .symmetric
        default: .otherAlgorithm
        }
    }

    /// The verdict of our own access tokens' verifier: ES256 as stated, everything else refused.
    private func isStatedForOurs(_ vector: PublicVectors.Vector) -> Bool {
        algorithm(vector) == "ES256" && vector.result == "valid"
    }

    /// The compact form; the other form of RFC 7515 as its JSON text, which is no token here.
    private func text(_ vector: PublicVectors.Vector) throws -> String {
        if let text = vector.test["jws"]?.string { return text }
        return #"{"payload":"Zm9v","signatures":[]}"#
    }

    private func isSignatureGood(_ token: String, keys: [JSONValue]) async throws -> Bool {
        let json = try JSONSerialization.data(withJSONObject: ["keys": keys.map(Self.object)])
        guard let cache = try? KeyCache(fixed: [UInt8](json)) else { return false }
        let report = await IdentityVerifier(keys: cache).examine(
            token, expecting: IdentityExpectation(audiences: ["a"], nonce: .noneSent))
        let outcomes = report.checks.prefix { $0.name != "payload" }.map(\.outcome)
        #expect(report.checks.contains { $0.name == "payload" })
        return outcomes.allSatisfy { $0 == .passed }
    }

    /// As the verifier of our own access tokens sees it, with its keys and its order, but for the header's `typ`, which
    /// no vector has.
    private func isOwnSignatureGood(_ token: String, keys: [JSONValue]) throws -> Bool {
        let json = try JSONSerialization.data(withJSONObject: ["keys": keys.map(Self.object)])
        guard let keySet = try? KeySet<AccessTokenKey>([UInt8](json), fetchedAt: .distantPast),
            let parts = try? TokenParts(Array(token.utf8)),
            let header = try? strictObject(Array(parts.bytes[parts.header]), named: "header"),
            let id = try? AccessTokenHeader.keyID(in: header), let key = keySet.keys[id]
        else { return false }
        return ES256.isValid(
            Array(parts.signature), over: Array(token.utf8.prefix(parts.signingInputLength)), by: key.publicKey)
    }

    private static func object(_ key: JSONValue) -> [String: Any] {
        var object: [String: Any] = [:]
        for name in ["kty", "kid", "use", "alg", "n", "e", "k", "x", "y", "crv", "d"] {
            object[name] = key[name]?.string
        }
        if let operations = key["key_ops"] { object["key_ops"] = operations.elements.map { $0.string ?? "" } }
        return object
    }
}
