import Crypto
import CryptoExtras
import Foundation
import Testing

/// An identity token as a relying party sees it: checked against the published keys, without the emulator's code.
struct ReceivedToken {
    let header: [String: any Sendable]
    let claims: [String: any Sendable]
    /// As sent, for what a parsed number or boolean no longer shows.
    let payload: String

    init(_ token: (any Sendable)?, from emulator: TestEmulator) async throws {
        let parts = try #require(token as? String).split(separator: ".", omittingEmptySubsequences: false).map(
            String.init)
        try #require(parts.count == 3)
        let payload = try Self.decoded(parts[1])
        self.payload = String(decoding: payload, as: UTF8.self)
        header = try #require(JSONSerialization.jsonObject(with: Self.decoded(parts[0])) as? [String: any Sendable])
        claims = try #require(JSONSerialization.jsonObject(with: payload) as? [String: any Sendable])

        let keys = try #require(await emulator.get("/auth/keys").json["keys"] as? [[String: String]])
        let key = try #require(keys.first { $0["kid"] == header["kid"] as? String })
        let publicKey = try _RSA.Signing.PublicKey(
            n: Self.decoded(#require(key["n"])), e: Self.decoded(#require(key["e"])))
        let isValid = publicKey.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: try Self.decoded(parts[2])),
            for: SHA256.hash(data: Data((parts[0] + "." + parts[1]).utf8)), padding: .insecurePKCS1v1_5)
        try #require(isValid)
    }

    subscript(_ claim: String) -> String? { claims[claim] as? String }

    func number(_ claim: String) -> Int64? { claims[claim] as? Int64 ?? (claims[claim] as? Int).map(Int64.init) }

    /// OpenID Connect Core §3.3.2.11, computed here once more.
    static func halfHash(_ text: String) -> String {
        ClientSecret.encoded(Data(Data(SHA256.hash(data: Data(text.utf8))).prefix(16)))
    }

    static func decoded(_ text: String) throws -> Data {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - plain.count % 4) % 4)
        return try #require(Data(base64Encoded: plain + padding))
    }
}
