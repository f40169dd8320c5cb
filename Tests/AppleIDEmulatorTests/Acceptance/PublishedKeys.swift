import Crypto
import CryptoExtras
import Foundation
import Testing

/// A copy of `/auth/keys` as a relying party caches it.
struct PublishedKeys {
    private let keys: [String: _RSA.Signing.PublicKey]

    init(from emulator: TestEmulator) async throws {
        let answer = try await emulator.get("/auth/keys")
        let entries = try #require(try answer.json["keys"] as? [[String: String]])
        var keys: [String: _RSA.Signing.PublicKey] = [:]
        for entry in entries {
            keys[try #require(entry["kid"])] = try _RSA.Signing.PublicKey(
                n: ReceivedToken.decoded(#require(entry["n"])), e: ReceivedToken.decoded(#require(entry["e"])))
        }
        self.keys = keys
    }

    var names: Set<String> { Set(keys.keys) }

    /// Whether the token's signature is good under the key it names; false also where there is none of that name.
    func verify(_ token: String) throws -> Bool {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try #require(parts.count == 3)
        let header = try #require(
            JSONSerialization.jsonObject(with: ReceivedToken.decoded(parts[0])) as? [String: String])
        try #require(header["alg"] == "RS256")
        guard let key = keys[try #require(header["kid"])] else { return false }
        return key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: try ReceivedToken.decoded(parts[2])),
            for: SHA256.hash(data: Data((parts[0] + "." + parts[1]).utf8)), padding: .insecurePKCS1v1_5)
    }
}
