import AccountAPI
import Crypto
import Foundation
import Hummingbird
import HummingbirdTesting
import Testing

@Suite("The key set")
struct KeySetTests {
    @Test("It verifies this service's access tokens")
    func verifies() async throws {
        try await withService { client, service in
            let answer = try await client.send(.get, "/.well-known/jwks.json")
            #expect(answer.status == .ok)
            #expect(answer.headers[.cacheControl] == "public, max-age=300")
            let token = try await service.signInNatively(client).session.accessToken
            let parts = token.split(separator: ".")
            struct Header: Decodable { let kid: String }
            let header = try JSONDecoder().decode(Header.self, from: #require(Data(base64URL: parts[0])))
            let key = try #require(try answer.decode(KeySetAnswer.self).keys.first { $0.kid == header.kid })
            #expect([key.kty, key.crv, key.alg, key.use] == ["EC", "P-256", "ES256", "sig"])
            let publicKey = try P256.Signing.PublicKey(
                rawRepresentation: #require(Data(base64URL: key.x)) + #require(Data(base64URL: key.y)))
            let signature = try P256.Signing.ECDSASignature(rawRepresentation: #require(Data(base64URL: parts[2])))
            #expect(publicKey.isValidSignature(signature, for: Data((parts[0] + "." + parts[1]).utf8)))
        }
    }
}

extension Data {
    init?(base64URL text: some StringProtocol) {
        let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
        self.init(
            base64Encoded: text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
                + padding)
    }
}
