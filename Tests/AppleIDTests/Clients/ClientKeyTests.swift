import AppleIDTypes
import Crypto
import CryptoExtras
import Foundation
import Logging
import Testing

@testable import AppleID

@Suite("Client key and client secret")
struct ClientKeyTests {
    let key = P256.Signing.PrivateKey()

    func client(_ id: ClientID = "com.example.juice") throws -> ClientRegistration {
        try ClientRegistration(
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

    @Test("A text that isn't a P-256 private key is refused, and the error doesn't quote it")
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

    @Test("A key that replaces another signs the next secret of each client of its team")
    func replacement() async throws {
        let setup = try TestClient()
        setup.transport.answer(.status(200))
        for (id, team) in [("K", "TEAM000001"), ("K2", "TEAM000001"), ("K3", "TEAM000009")] {
            if id != "K" {
                setup.client.replaceKey(
                    with: try AppleClientKey(id: KeyID(id), team: TeamID(team), pem: key.pemRepresentation))
            }
            try await setup.client.revoke(RefreshToken("r"), client: "com.example.juice")
            try await setup.client.revoke(RefreshToken("r"), client: "com.example.juice.web")
        }
        let keys = try (0..<6).map { index in
            let field = try #require(setup.fields(index).first { $0.hasPrefix("client_secret=") })
            let secret = field.dropFirst("client_secret=".count)
            return try object(String(secret.prefix { $0 != "." }))["kid"]
        }
        #expect(keys == ["K", "K", "K2", "K2", "K2", "K2"])
        #expect(setup.client.clients.values.allSatisfy { $0.key.id == "K2" })
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

    @Test("An identifier with special characters is escaped in the JSON of the secret")
    func quoting() throws {
        let odd: ClientID = "a\"b\\c\u{1}é"
        let secret = try ClientSecret(for: client(odd), at: 0)
        #expect(try object(String(secret.rawValue.split(separator: ".")[1]))["sub"] == odd.rawValue)
    }

    @Test("A client uses one secret until shortly before it expires, and no other client uses it")
    func cache() throws {
        let secrets = ClientRegistry([:])
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
        let request = AuthorizationRequest(
            client: client.id, redirectURI: "https://example.com/", scopes: [], state: "private-s", nonce: "private-n",
            codeChallenge: "private-c")
        let expectation = IdentityExpectation(
            audiences: [client.id], nonce: .hashed(ofRaw: "private-n"), authorizationCode: .required("private-c"),
            accessToken: .ifPresent("private-a"))
        let values: [Any] = [
            client, client.key, secret, AccessToken("private-a"), RefreshToken("private-r"), [client],
            AuthorizationCode("private-c"), Optional(AuthorizationCode("private-c")) as Any, CodeVerifier("private-v"),
            NonceExpectation.issued("private-n"), NonceExpectation.hashed(ofRaw: "private-n"),
            ExchangeNonce.issued("private-n"), ExchangeNonce.hashed(ofRaw: "private-n"),
            BindingExpectation.required("private-c"), BindingExpectation.ifPresent("private-c"), expectation, request,
            try AuthorizationResponse(form: [("code", "private-c"), ("state", "private-s"), ("id_token", "private-t")]),
        ]
        for value in values {
            dump(value, to: &dumped)
            dumped += "\(value)" + String(reflecting: value)
        }
        #expect(dumped.contains("KEY1234567"))
        #expect(!dumped.contains("private-"))
        #expect(!dumped.contains("BEGIN"))
        #expect(!dumped.contains("P256"))
        #expect(!dumped.contains(secret.rawValue.split(separator: ".")[2]))
    }

    @Test("The error for an unknown client cleans and shortens the client id that it quotes")
    func unknown() async throws {
        let setup = try TestClient()
        let error = try #require(
            await failure { () async throws(AppleIDError) in
                _ = try setup.client.client(ClientID("a\u{1B}[2Jb\n" + String(repeating: "c", count: 200)))
            })
        #expect(error.code == .unknownClient)
        #expect(error.reason.contains("a?[2Jb?ccc"))
        #expect(error.reason.utf8.allSatisfy { $0 != 0x1B && $0 != 0x0A })
        #expect(error.reason.count < 150)
    }

    @Test("Two different clients with one identifier are both left out; two equal ones count as one")
    func twins() async throws {
        let other = ClientRegistration(
            id: "com.example.juice", kind: .app,
            key: try AppleClientKey(
                id: "KEY1234567", team: "TEAM123456", pem: P256.Signing.PrivateKey().pemRepresentation))
        for (twin, isKnown) in [(try client(), true), (other, false)] {
            let apple = AppleIDClient(
                clients: [try client(), try client("com.example.juice.web"), twin],
                transport: TestTransport(.status(500)), logger: Logger(label: "test"))
            #expect(apple.clients.count == (isKnown ? 2 : 1))
            let error = await failure { () async throws(AppleIDError) in _ = try apple.client("com.example.juice") }
            #expect((error == nil) == isKnown)
            if let error {
                #expect(error.code == .unknownClient)
                #expect(error.reason.contains("different clients"))
            }
        }
    }

    /// Numbers as text, for one comparison.
    private func object(_ part: String) throws -> [String: String] {
        let bytes = try #require(Base64URL.decode(part))
        let object = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        return object.mapValues { "\($0)" }
    }
}
