import AccountAPI
import AccountDatabase
import AccountService
import AppleIDTypes
import Foundation
import HummingbirdTesting
import Testing

@Suite("Apple's facts about an account", .eachEngine)
struct AppleFactsTests {
    @Test("The account shows access, last authorization and real user status, and null for what isn't known")
    func facts() async throws {
        try await withService { client, service in
            let answer = try await client.post("/v1/sign-in/apple", json: try await service.nativeCredential())
            let account = try answer.decode(SignInAnswer.self).account
            #expect(account.appleAccess == .granted && account.appleAccessEndedAt == nil)
            #expect(account.realUserStatus == 2)
            #expect(account.lastAuthorizedAt == APITime(service.clock.now))
            #expect(account.organizationID == nil && account.emailForwarding == nil)
            for member in ["appleAccessEndedAt", "organizationID", "emailForwarding"] {
                #expect(answer.text.contains("\"\(member)\":null"))
            }
            // Told once, and kept.
            service.clock.advance(by: .seconds(60))
            let again = try await service.signInNatively(client).account
            #expect(again.realUserStatus == 2)
            #expect(again.lastAuthorizedAt == APITime(service.clock.now))
        }
    }

    @Test("A managed account shows its organization")
    func organization() async throws {
        try await withService { client, service in
            let nonce = UUID().uuidString
            let fields = try await service.apple.authorize([
                "person": "ida", "clientID": TestService.app.rawValue, "native": true, "scope": "name email",
                "nonce": service.hash(nonce),
            ])
            let request = NativeSignInRequest(
                identityToken: fields["id_token"], authorizationCode: fields["code"], nonce: nonce)
            let account = try await client.post("/v1/sign-in/apple", json: request).decode(SignInAnswer.self).account
            #expect(account.organizationID == "school.example.edu")
        }
    }

    @Test("A person who revokes and returns has only the new token of Apple's, even without a notification")
    func revokeAndReturn() async throws {
        try await withService { client, service in
            func tokens() async throws -> [AppleToken] {
                let token = try await service.signInNatively(client).session.accessToken
                let session = try await service.domain.sessions.authenticate(accessToken: token)
                return try await service.store.appleTokens(of: session.session.identityID)
            }
            let dead = try await tokens()
            service.clock.advance(by: .seconds(60))
            try await service.apple.stopUsing()
            service.clock.advance(by: .seconds(60))
            let held = try await tokens()
            #expect(dead.count == 1 && held.count == 1)
            #expect(held.map(\.id) != dead.map(\.id))
        }
    }
}
