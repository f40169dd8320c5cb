import AppleIDTypes
import Crypto
import CryptoExtras
import Foundation
import Testing

@testable import AppleID

@Suite("Client key and client secret")
struct ClientKeyTests {
    let key = P256.Signing.PrivateKey()

    func client(_ id: ClientID = "com.example.juice") throws -> AppleClient {
        try AppleClient(
            id: id, kind: .app, key: AppleClientKey(id: "KEY1234567", team: "TEAM123456", pem: key.pemRepresentation))
    }

    @Test("The portal's file is read, with line breaks of any kind")
    func forms() throws {
        let pem = key.pemRepresentation
        #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----"))
        for form in [
            pem, pem + "\n", "\n  " + pem, pem.replacing("\n", with: "\r\n"), pem.replacing("\n", with: "\\n"),
        ] {
            let read = try AppleClientKey(id: "K", team: "T", pem: form)
            #expect(read.privateKey.rawRepresentation == key.rawRepresentation)
        }
    }

    @Test("What is no P-256 private key is refused, and the refusal does not quote it")
    func refused() throws {
        let pem = key.pemRepresentation
        let others = [
            "", "secret-text", key.publicKey.pemRepresentation, P384.Signing.PrivateKey().pemRepresentation,
            TestSigner.shared.key.pkcs8PEMRepresentation, String(pem.dropLast(40)), pem.replacing("A", with: "?"),
        ]
        for other in others {
            do throws(AppleIDError) {
                _ = try AppleClientKey(id: "K", team: "T", pem: other)
                Issue.record("accepted")
            } catch {
                #expect(error.code == .invalidPrivateKey)
                #expect(error.kind == .configuration)
                #expect(!String(reflecting: error).contains("secret-text"))
            }
        }
        #expect(throws: AppleIDError(.invalidPrivateKey, "")) { try AppleClientKey(id: "", team: "T", pem: pem) }
        #expect(throws: AppleIDError(.invalidPrivateKey, "")) { try AppleClientKey(id: "K", team: "", pem: pem) }
    }

    @Test("A secret is what Apple asks for, and its signature is R and S side by side")
    func secret() throws {
        let secret = try ClientSecret(for: client(), at: 1_700_000_000)
        let parts = secret.rawValue.split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        let header = try object(parts[0])
        #expect(header == ["alg": "ES256", "kid": "KEY1234567"])
        let payload = try object(parts[1])
        #expect(
            payload == [
                "iss": "TEAM123456", "iat": "1699999970", "exp": "1700000600", "aud": "https://appleid.apple.com",
                "sub": "com.example.juice",
            ])
        let signature = try #require(Base64URL.decode(parts[2]))
        #expect(signature.count == 64)
        #expect(
            key.publicKey.isValidSignature(
                try P256.Signing.ECDSASignature(rawRepresentation: signature), for: Data("\(parts[0]).\(parts[1])".utf8)
            ))
    }

    @Test("Odd identifiers make no odd JSON")
    func quoting() throws {
        let odd: ClientID = "a\"b\\c\u{1}é"
        let secret = try ClientSecret(for: client(odd), at: 0)
        #expect(try object(String(secret.rawValue.split(separator: ".")[1]))["sub"] == odd.rawValue)
    }

    @Test("One secret serves until shortly before it expires, a client each")
    func cache() throws {
        let secrets = ClientSecrets()
        let (juice, web) = (try client(), try client("com.example.juice.web"))
        let first = try secrets.secret(for: juice, at: 1_000).rawValue
        #expect(try secrets.secret(for: juice, at: 1_480).rawValue == first)
        #expect(try secrets.secret(for: web, at: 1_480).rawValue != first)
        #expect(try secrets.secret(for: juice, at: 1_480).rawValue == first)
        let second = try secrets.secret(for: juice, at: 1_481)
        #expect(second.rawValue != first)
        #expect(second.expiresAt == 2_081)
        // A clock that was put back: the kept one is from the future.
        #expect(try secrets.secret(for: juice, at: 900).expiresAt == 1_500)
    }

    @Test("Nothing printed holds the key or the secret")
    func printing() throws {
        let client = try client()
        let secret = try ClientSecret(for: client, at: 0)
        var dumped = ""
        for value in [client, client.key, secret, AccessToken("private-a"), RefreshToken("private-r"), [client]]
            as [Any]
        {
            dump(value, to: &dumped)
            dumped += "\(value)" + String(reflecting: value)
        }
        #expect(dumped.contains("KEY1234567"))
        #expect(!dumped.contains("private-"))
        #expect(!dumped.contains("BEGIN"))
        #expect(!dumped.contains("P256"))
        #expect(!dumped.contains(secret.rawValue.split(separator: ".")[2]))
    }

    /// Numbers as text, for one comparison.
    private func object(_ part: String) throws -> [String: String] {
        let bytes = try #require(Base64URL.decode(part))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        return object.mapValues { "\($0)" }
    }
}
