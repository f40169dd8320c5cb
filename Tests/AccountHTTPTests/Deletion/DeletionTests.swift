import AccountAPI
import AccountService
import AppleIDTypes
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@Suite("Deletion of an account by an app", .eachEngine) struct DeletionTests {
    private func delete(_ client: TestClient, _ token: String) async throws -> TestResponse {
        try await client.send(.delete, "/v1/account", [.authorization: "Bearer \(token)"])
    }

    @Test("is done at once here and soon at Apple, and can be watched without a session") func deletes() async throws {
        try await withService { client, service in
            let session = try await service.signInNatively(client).session
            let answer = try await delete(client, session.accessToken)
            #expect(answer.status == .accepted, "\(answer.text)")
            let receipt = try answer.decode(AccountDeletionAnswer.self)
            #expect(receipt.handle.count == 47 && receipt.handle.hasPrefix("del_"))
            #expect(answer.headers[.location] == "/v1/deletions/\(receipt.handle)")
            #expect(receipt.deletion.status == .waiting && receipt.deletion.manualRemoval == nil)

            try await client.send(.get, "/v1/account", [.authorization: "Bearer \(session.accessToken)"]).expectError(
                .sessionEnded, 401)
            try await client.post("/v1/session/refresh", json: RefreshRequest(refreshToken: session.refreshToken))
                .expectError(.refreshTokenInvalid, 401)
            let path = "/v1/deletions/\(receipt.handle)"
            let before = try await client.send(.get, path).decode(DeletionAnswer.self).deletion
            #expect(before == receipt.deletion)
            try await service.domain.outbox.drain()
            let after = try await client.send(.get, path).decode(DeletionAnswer.self).deletion
            #expect(after.status == .done && after.finishedAt != nil)
            #expect(try await service.isFirstAtApple())
            // A person who signs in again has a clean account.
            #expect(try await service.signInNatively(client).isNewAccount)
        }
    }

    @Test("needs a sign-in of the last five minutes, or a reauthentication") func recent() async throws {
        try await withService { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            service.clock.advance(by: .seconds(300))
            try await delete(client, token).expectError(.requiresRecentLogin, 403)
            let fresh = try await service.reauthenticate(client, token: token)
            #expect(try await delete(client, fresh).status == .accepted)
        }
    }

    @Test("takes a fresh credential with a challenge made for it instead, however old the sign-in is")
    func credential() async throws {
        try await withService { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            service.clock.advance(by: .seconds(400))
            let other = try await service.reauthentication(client, token: token, person: "zoe", purpose: "delete")
            try await client.post("/v1/account/delete", json: other, token: token)
                .expectError(.credentialMismatch, 403)
            let wrong = try await service.reauthentication(client, token: token)
            try await client.post("/v1/account/delete", json: wrong, token: token)
                .expectError(.challengeInvalid, 401)
            let body = try await service.reauthentication(client, token: token, purpose: "delete")
            let answer = try await client.post("/v1/account/delete", json: body, token: token)
            #expect(answer.status == .accepted, "\(answer.text)")
            #expect(try answer.decode(AccountDeletionAnswer.self).deletion.status == .waiting)
            try await service.domain.outbox.drain()
            #expect(try await service.isFirstAtApple())
        }
    }

    @Test("without a nonce in the sign-in needs a reauthentication, too") func unproven() async throws {
        try await withService { client, service in
            let fields = try await service.apple.authorize([
                "person": "johnny", "clientID": TestService.app.rawValue, "native": true,
            ])
            let signedIn = try await client.post(
                "/v1/sign-in/apple",
                json: NativeSignInRequest(
                    identityToken: nil, authorizationCode: fields["code"], nonce: nil,
                    clientID: TestService.app.rawValue))
            let token = try signedIn.decode(SignInAnswer.self).session.accessToken
            try await delete(client, token).expectError(.requiresRecentLogin, 403)
            let fresh = try await service.reauthenticate(client, token: token)
            #expect(try await delete(client, fresh).status == .accepted)
        }
    }

    @Test("without a held token says how to remove the app by hand") func byHand() async throws {
        try await withService { client, service in
            var credential = try await service.nativeCredential()
            credential.authorizationCode = nil
            let signedIn = try await client.post("/v1/sign-in/apple", json: credential)
            let answer = try await delete(client, signedIn.decode(SignInAnswer.self).session.accessToken)
            let deletion = try answer.decode(AccountDeletionAnswer.self).deletion
            #expect(deletion.status == .done && deletion.finishedAt == deletion.requestedAt)
            #expect(deletion.manualRemoval?.message.contains("Juice") == true)
        }
    }

    @Test(
        "is unknown by any other handle", arguments: ["del_", "x", "del_" + String(repeating: "A", count: 43), "..."])
    func unknown(handle: String) async throws {
        try await withService { client, _ in
            try await client.send(.get, "/v1/deletions/\(handle)").expectError(.deletionUnknown, 404)
        }
    }

    @Test("needs a session") func noSession() async throws {
        try await withService { client, _ in
            try await client.send(.delete, "/v1/account").expectError(.accessTokenMissing, 401)
        }
    }
}
