import AccountAPI
import AccountService
import Foundation
import HummingbirdTesting
import Testing

@Suite("The life of passwords")
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
