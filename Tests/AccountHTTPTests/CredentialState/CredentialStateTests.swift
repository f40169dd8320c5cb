import AccountAPI
import AccountDatabase
import AccountService
import AppleIDTypes
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("The state of a credential", .eachEngine)
struct CredentialStateTests {
    private func ask(_ client: TestClient, _ token: String, user: String? = nil) async throws -> TestResponse {
        let query = user.map { "?user=\($0)" } ?? ""
        return try await client.send(
            .get, "/v1/apple/credential-state" + query, [.authorization: "Bearer \(token)"])
    }

    private func state(_ client: TestClient, _ token: String, user: String? = nil) async throws -> String {
        let answer = try await ask(client, token, user: user)
        try #require(answer.status == .ok, "\(answer.text)")
        #expect(answer.headers[.cacheControl] == "no-store")
        return try answer.decode(CredentialStateAnswer.self).credentialState
    }

    /// Johnny's user id, as Apple's devices tell it.
    private func user(_ service: TestService) async throws -> String {
        try #require(try await service.apple.subject(of: "johnny", for: TestService.app))
    }

    @Test("The state is authorized for the caller's own id, and notFound for any other")
    func own() async throws {
        try await withService { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            #expect(try await state(client, token) == "authorized")
            #expect(try await state(client, token, user: user(service)) == "authorized")
            let nonce = UUID().uuidString
            let fields = try await service.apple.authorize([
                "person": "zoe", "clientID": TestService.app.rawValue, "native": true,
                "nonce": service.hash(nonce),
            ])
            let other = try await client.post(
                "/v1/sign-in/apple",
                json: NativeSignInRequest(
                    identityToken: fields["id_token"], authorizationCode: fields["code"], nonce: nonce))
            #expect(other.status == .ok)
            let hers = try #require(try await service.apple.subject(of: "zoe", for: TestService.app))
            for stranger in [hers, "000000.nobody", "a%20b"] {
                #expect(try await state(client, token, user: stranger) == "notFound")
            }
        }
    }

    @Test("After Apple ended a session, either token can ask for its own state for thirty days, and for nothing else")
    func afterEnd() async throws {
        try await withService { client, service in
            let session = try await service.signInNatively(client).session
            let user = try await user(service)
            service.clock.advance(by: .seconds(60))
            try await service.apple.stopUsing()
            try await service.apple.deliver(to: client)
            service.clock.advance(by: .seconds(29 * 86_400))
            for token in [session.accessToken, session.refreshToken] {
                #expect(try await state(client, token) == "revoked")
                #expect(try await state(client, token, user: user) == "revoked")
                #expect(try await state(client, token, user: "somebody") == "notFound")
            }
            try await client.send(.get, "/v1/account", [.authorization: "Bearer \(session.refreshToken)"])
                .expectError(.accessTokenInvalid, 401)
            let account = try await client.send(
                .get, "/v1/account", [.authorization: "Bearer \(session.accessToken)"])
            #expect(account.status == .unauthorized)
            try await client.post("/v1/session/refresh", json: RefreshRequest(refreshToken: session.refreshToken))
                .expectError(.refreshTokenInvalid, 401)

            service.clock.advance(by: .seconds(86_400))
            try await ask(client, session.accessToken).expectError(.sessionEnded, 401)
            try await ask(client, session.refreshToken).expectError(.accessTokenInvalid, 401)
        }
    }

    @Test("After a revocation by this service the state is revoked, with an event, until the person returns")
    func revokedHere() async throws {
        try await withService { client, service in
            let session = try await service.signInNatively(client).session
            let token = session.accessToken
            let answer = try await client.post("/v1/apple/revoke", json: "{}", token: token)
            #expect(answer.status == .accepted)
            #expect(try await state(client, token) == "revoked")
            #expect(try await state(client, token, user: user(service)) == "revoked")
            let account = try await service.domain.sessions.authenticate(accessToken: token).account.id
            let event = try await service.store.accountEvents(of: account, after: 0, limit: 10).last
            #expect(event?.kind == .appleAccessRevoked)
            let fresh = try await service.reauthenticate(client, token: token)
            #expect(try await state(client, fresh) == "authorized")
        }
    }

    @Test("After the Apple Account is deleted, the state is notFound")
    func deleted() async throws {
        try await withService { client, service in
            let session = try await service.signInNatively(client).session
            let user = try await user(service)
            try await service.apple.control("/emulator/people/delete", ["person": "johnny"])
            try await service.apple.deliver(to: client)
            #expect(try await state(client, session.refreshToken) == "notFound")
            #expect(try await state(client, session.refreshToken, user: user) == "notFound")
        }
    }

    @Test("After a lost answer, the previous refresh token is accepted too, but not an older one")
    func lostAnswer() async throws {
        try await withService { client, service in
            var tokens = [try await service.signInNatively(client).session.refreshToken]
            for _ in 0..<2 {
                let answer = try await client.post(
                    "/v1/session/refresh", json: RefreshRequest(refreshToken: tokens[0]))
                tokens.insert(try answer.decode(RefreshAnswer.self).session.refreshToken, at: 0)
            }
            service.clock.advance(by: .seconds(60))
            try await service.apple.stopUsing()
            try await service.apple.deliver(to: client)
            #expect(try await state(client, tokens[0]) == "revoked")
            #expect(try await state(client, tokens[1]) == "revoked")
            try await ask(client, tokens[2]).expectError(.accessTokenInvalid, 401)
            let forged = String(tokens[0].dropLast(3)) + "AAA"
            try await ask(client, forged).expectError(.accessTokenInvalid, 401)
        }
    }

    @Test("A live session needs a fresh access token, and a signed-out session can't ask")
    func live() async throws {
        try await withService { client, service in
            let session = try await service.signInNatively(client).session
            try await ask(client, session.refreshToken).expectError(.accessTokenInvalid, 401)
            try await client.send(.get, "/v1/apple/credential-state").expectError(.accessTokenMissing, 401)
            try await ask(client, "nonsense").expectError(.accessTokenInvalid, 401)
            try await ask(client, session.accessToken, user: "").expectError(.invalidRequest, 400, field: "user")
            try await ask(client, session.accessToken, user: String(repeating: "a", count: 256))
                .expectError(.invalidRequest, 400, field: "user")
            service.clock.advance(by: .seconds(601))
            try await ask(client, session.accessToken).expectError(.accessTokenExpired, 401)
            service.clock.advance(by: .seconds(-601))
            let end = try await client.send(
                .delete, "/v1/session", [.authorization: "Bearer \(session.accessToken)"])
            #expect(end.status == .noContent)
            try await ask(client, session.accessToken).expectError(.sessionEnded, 401)
            try await ask(client, session.refreshToken).expectError(.accessTokenInvalid, 401)
        }
    }
}
