import AppleIDTypes
import Foundation
import Testing

@testable import AppleID
@testable import AppleIDTransport

@Suite("Key set")
struct KeySetTests {
    static let signer = TestSigner.shared

    @Test("A key whose use and algorithm are not given, or that has more members, is taken")
    func accepted() throws {
        for overrides in [
            ["use": nil], ["alg": nil], ["use": nil, "alg": nil], ["more": "x"], ["kid": "any name/at all"],
        ] as [[String: String?]] {
            let set = try keys([Self.signer.publicKey(overrides)])
            #expect(set.count == 1)
        }
    }

    static let faults: [[String: String?]] = [
        ["kty": "EC"], ["kty": "rsa"], ["kty": nil], ["kid": nil], ["kid": ""], ["use": "enc"], ["alg": "RS512"],
        ["alg": "HS256"],
        ["n": nil], ["n": ""], ["n": "AQAB"], ["n": "not base64url!"], ["e": nil], ["e": ""], ["e": "AQ"], ["e": "Aw"],
        ["e": "AQAA"],
        ["e": "AQAAAAE"], ["e": "AQAB="],
        ["kid": String(repeating: "k", count: 256)],
        // 2047 bits: the highest bit is not set.
        ["n": TestSigner.base64URL(Data([0x7F] + [UInt8](repeating: 0xFF, count: 255)))],
        // 1024 bits, filled up with zeros.
        ["n": TestSigner.base64URL(Data([UInt8](repeating: 0, count: 128) + [UInt8](repeating: 0xFF, count: 128)))],
        ["n": TestSigner.base64URL(Data([UInt8](repeating: 0xFF, count: 1_025)))],
    ]

    @Test("A bad key is left out, and the good ones beside it stay", arguments: faults.indices)
    func bad(index: Int) throws {
        let bad = try TestSigner.other.publicKey(Self.faults[index])
        #expect(try Array(keys([bad, Self.signer.publicKey()]).keys) == ["TESTKEY001"])
        #expect(throws: KeySetError(.malformedKeySet, "")) { try keys([bad]) }
    }

    @Test("Two different keys of one name are both left out, and two equal ones count as one")
    func ambiguous() throws {
        let impostor = try TestSigner.other.publicKey(["kid": "TESTKEY001"])
        let third = try TestSigner.other.publicKey()
        #expect(try Array(keys([Self.signer.publicKey(), impostor, third]).keys) == ["TESTKEY002"])
        #expect(
            try Array(keys([Self.signer.publicKey(), impostor, Self.signer.publicKey(), third]).keys) == ["TESTKEY002"])
        #expect(try keys([Self.signer.publicKey(), Self.signer.publicKey()]).count == 1)
    }

    @Test(
        "An answer that isn't a key set is refused as malformed",
        arguments: [
            "", "{}", "[]", #"{"keys":{}}"#, #"{"keys":[]}"#, #"{"keys":[5,null,"x",{}]}"#, "<html></html>",
            #"{"keys":[],"keys":[]}"#,
        ])
    func noKeySet(text: String) {
        #expect(throws: KeySetError(.malformedKeySet, "")) {
            try KeySet<ApplePublicKey>(Array(text.utf8), fetchedAt: .now)
        }
        #expect(throws: AppleIDError(.malformedAnswer, "")) { try KeyCache(fixed: Array(text.utf8)) }
    }

    @Test("A fixed set sends no requests")
    func fixed() async throws {
        let cache = try KeyCache(fixed: Self.signer.keySetJSON())
        #expect(try await cache.key("TESTKEY001").id == "TESTKEY001")
        await #expect(throws: AppleIDError(.unknownKey, "")) { try await cache.key("TESTKEY002") }
    }

    private func keys(_ keys: [[String: String]]) throws -> [KeyID: ApplePublicKey] {
        try KeySet(TestSigner.keySetJSON(keys), fetchedAt: .now).keys
    }
}
