import AccountAPI
import AccountDatabase
import AccountService
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("The life of passwords", .eachEngine)
struct PasswordLifetimeTests {
    @Test("A password of ten years ago still signs in: none expires")
    func age() async throws {
        try await withPasswords { client, service in
            _ = try await service.signUpByApp(client)
            service.clock.advance(by: .seconds(3_650 * 86_400))
            let answer = try await client.post(
                "/v1/sign-in/password",
                json: try service.json(["email": TestService.ann, "password": TestPassword.good]))
            #expect(answer.status == .ok, "\(answer.text)")
        }
    }

    @Test("An operator takes away a password that others know: it no longer signs in, and a link sets a new one")
    func removed() async throws {
        try await withPasswords { client, service in
            let account = AccountID(rawValue: try await service.signUpByApp(client).account.id)
            #expect(try await service.domain.directory.removePassword(of: account))
            let body = try service.json(["email": TestService.ann, "password": TestPassword.good])
            let refused = try await client.post("/v1/sign-in/password", json: body)
            #expect(refused.status == .unauthorized)

            _ = try await client.post("/v1/password/forgotten", json: try service.json(["email": TestService.ann]))
            let reset = try await client.post(
                "/v1/password/reset",
                json: try service.json([
                    "link": try await service.secret(.passwordReset), "password": TestPassword.other,
                ]))
            #expect(reset.status == .ok, "\(reset.text)")
            let answer = try await client.post(
                "/v1/sign-in/password",
                json: try service.json(["email": TestService.ann, "password": TestPassword.other]))
            #expect(answer.status == .ok, "\(answer.text)")
        }
    }

    @Test("The hash of a password is sealed with the key ring, as it is while a sign-up waits for its link")
    func sealed() async throws {
        try await withPasswords { client, service in
            func sealed(_ statement: SQLStatement) async throws -> [UInt8] {
                let all = try await service.store.database.read { try $0.query(statement, []) { try $0.bytes() } }
                #expect(all.count == 1)
                return try #require(all.first)
            }
            let body = try service.json(["email": TestService.ann, "password": TestPassword.good])
            #expect(try await client.post("/v1/sign-up", json: body).status == .accepted)
            let secret = try await service.secret(.signUp)
            let waiting = try await sealed("SELECT sealed FROM email_links")
            let finish = try service.json(["link": secret, "password": TestPassword.good])
            #expect(try await client.post("/v1/sign-up/finish", json: finish).status == .ok)
            for bytes in [waiting, try await sealed("SELECT sealed FROM passwords")] {
                let text = String(decoding: bytes, as: UTF8.self)
                #expect(bytes.count > 32 && !text.contains("scrypt") && !text.contains(TestPassword.good))
            }
        }
    }

    @Test("A new service has no account, and an address that asks for links or is guessed at makes none")
    func noDefaults() async throws {
        try await withPasswords { client, service in
            func count() async throws -> Int {
                var count = 0
                try await service.domain.directory.forEach { _ in count += 1 }
                return count
            }
            #expect(try await count() == 0)
            let ann = TestService.ann
            for (path, body) in [
                ("/v1/sign-up", ["email": ann, "password": TestPassword.good]), ("/v1/sign-in/link", ["email": ann]),
                ("/v1/password/forgotten", ["email": ann]),
            ] {
                #expect(try await client.post(path, json: try service.json(body)).status == .accepted, "\(path)")
            }
            for name in ["admin", "root", "sa", ann] {
                let answer = try await client.post(
                    "/v1/sign-in/password",
                    json: try service.json([
                        "email": name.contains("@") ? name : name + "@example.com", "password": name,
                    ]))
                #expect(answer.status == .unauthorized, "\(name)")
            }
            #expect(try await count() == 0)
        }
    }
}
