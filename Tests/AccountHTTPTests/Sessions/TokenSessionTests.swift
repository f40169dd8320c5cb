import AccountAPI
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@Suite("Sessions of apps", .eachEngine)
struct TokenSessionTests {
    @Test("A refresh brings the next tokens, and a late repeat ends the session")
    func refresh() async throws {
        try await withService { client, service in
            let first = try await service.signInNatively(client).session
            let answer = try await client.post(
                "/v1/session/refresh", json: RefreshRequest(refreshToken: first.refreshToken))
            #expect(answer.status == .ok)
            #expect(answer.headers[.cacheControl] == "no-store")
            let second = try answer.decode(RefreshAnswer.self).session
            #expect(second.tokenType == "Bearer" && second.expiresIn == 600)
            #expect(second.refreshToken != first.refreshToken)
            #expect(try await account(client, second.accessToken).status == .ok)

            service.clock.advance(by: .seconds(31))
            try await client.post("/v1/session/refresh", json: RefreshRequest(refreshToken: first.refreshToken))
                .expectError(.refreshTokenReused, 401)
            try await account(client, second.accessToken).expectError(.sessionEnded, 401)
            try await client.post("/v1/session/refresh", json: RefreshRequest(refreshToken: second.refreshToken))
                .expectError(.refreshTokenInvalid, 401)
        }
    }

    @Test("A refresh whose answer was lost is repeated with its attempt, until the answer is used")
    func attempt() async throws {
        try await withService { client, service in
            let first = try await service.signInNatively(client).session
            let request = RefreshRequest(refreshToken: first.refreshToken, attempt: "AAECAwQFBgcICQoLDA0ODw")
            let second = try await client.post("/v1/session/refresh", json: request).decode(RefreshAnswer.self).session
            service.clock.advance(by: .seconds(3_600))
            let again = try await client.post("/v1/session/refresh", json: request).decode(RefreshAnswer.self).session
            #expect(again.refreshToken == second.refreshToken)
            #expect(try await account(client, again.accessToken).status == .ok)
            try await client.post("/v1/session/refresh", json: request).expectError(.refreshTokenReused, 401)
            try await account(client, again.accessToken).expectError(.sessionEnded, 401)
        }
    }

    @Test(
        "An invalid attempt is refused",
        arguments: ["", "AAECAwQFBgcICQoLDA0ODw==", "AAECAwQFBgcICQoLDA0O", "AAECAwQFBgcICQoLDA0ODx"])
    func invalidAttempt(text: String) async throws {
        try await withService { client, service in
            let session = try await service.signInNatively(client).session
            let answer = try await client.post(
                "/v1/session/refresh", json: RefreshRequest(refreshToken: session.refreshToken, attempt: text))
            try answer.expectError(.invalidRequest, 400)
            #expect(answer.text.contains(#""field":"attempt""#))
            #expect(
                try await client.post(
                    "/v1/session/refresh", json: RefreshRequest(refreshToken: session.refreshToken)
                ).status == .ok)
        }
    }

    @Test("An old access token in the header doesn't prevent a refresh or a sign-in")
    func staleHeader() async throws {
        try await withService { client, service in
            let first = try await service.signInNatively(client).session
            service.clock.advance(by: .seconds(601))
            for token in [first.accessToken, "nonsense"] {
                #expect(
                    try await client.post(
                        "/v1/session/refresh", json: RefreshRequest(refreshToken: first.refreshToken), token: token
                    ).status == .ok)
                #expect(
                    try await client.post(
                        "/v1/sign-in/apple", json: try await service.nativeCredential(), token: token
                    ).status == .ok)
            }
            try await account(client, first.accessToken).expectError(.accessTokenExpired, 401)
        }
    }

    @Test("An invalid refresh token is refused", arguments: ["", "x", "ses_00000000000000000000000000.AAAA"])
    func invalidRefreshToken(token: String) async throws {
        try await withService { client, _ in
            let answer = try await client.post("/v1/session/refresh", json: RefreshRequest(refreshToken: token))
            try answer.expectError(.refreshTokenInvalid, 401)
            #expect(answer.headers[.wwwAuthenticate] == "Bearer")
        }
    }

    @Test("Signing out ends the session at once")
    func signOut() async throws {
        try await withService { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            let answer = try await client.send(.delete, "/v1/session", [.authorization: "Bearer \(token)"])
            #expect(answer.status == .noContent)
            #expect(answer.body.readableBytes == 0)
            try await account(client, token).expectError(.sessionEnded, 401)
            try await client.send(.delete, "/v1/session", [.authorization: "Bearer \(token)"])
                .expectError(.sessionEnded, 401)
        }
    }

    @Test("An access token lives ten minutes")
    func expiry() async throws {
        try await withService { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            service.clock.advance(by: .seconds(15 * 60))
            let answer = try await account(client, token)
            try answer.expectError(.accessTokenExpired, 401)
            #expect(answer.headers[.wwwAuthenticate] == #"Bearer error="invalid_token""#)
        }
    }

    @Test(
        "An invalid access token is refused",
        arguments: [
            "Bearer", "Bearer ", "Bearer x", "Bearer a.b.c", "Bearer a b", "Basic dXNlcjpwYXNz", "bearer",
        ]
    )
    func invalidAccessToken(field: String) async throws {
        try await withService { client, _ in
            for (method, path) in [(HTTPRequest.Method.get, "/v1/account"), (.delete, "/v1/session")] {
                let answer = try await client.send(method, path, [.authorization: field])
                try answer.expectError(.accessTokenInvalid, 401)
                #expect(answer.headers[.wwwAuthenticate] == #"Bearer error="invalid_token""#)
            }
        }
    }

    @Test("Two Authorization fields are refused")
    func twoAuthorizations() async throws {
        try await withService { client, service in
            let token = try await service.signInNatively(client).session.accessToken
            var headers = HTTPFields()
            headers.append(HTTPField(name: .authorization, value: "Bearer \(token)"))
            headers.append(HTTPField(name: .authorization, value: "Bearer \(token)"))
            try await client.send(.get, "/v1/account", headers).expectError(.accessTokenInvalid, 401)
        }
    }

    @Test("Access needs a token, and a cookie doesn't replace it")
    func missing() async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            for headers in [[:], [.cookie: cookie], [.accept: "text/html", .cookie: cookie]] as [HTTPFields] {
                for (method, path) in [(HTTPRequest.Method.get, "/v1/account"), (.delete, "/v1/session")] {
                    let answer = try await client.send(method, path, headers)
                    try answer.expectError(.accessTokenMissing, 401)
                    #expect(answer.headers[.wwwAuthenticate] == "Bearer")
                }
            }
        }
    }

    @Test("A browser's cookie isn't accepted as a token, and a token isn't accepted as a cookie")
    func confusion() async throws {
        try await withService { client, service in
            let cookie = try await service.signInWithBrowser(client)
            let value = String(cookie.drop { $0 != "=" }.dropFirst())
            try await account(client, value).expectError(.accessTokenInvalid, 401)
            try await client.post("/v1/session/refresh", json: RefreshRequest(refreshToken: value))
                .expectError(.refreshTokenInvalid, 401)
            let session = try await service.signInNatively(client).session
            for secret in [session.refreshToken, session.accessToken] {
                let answer = try await client.page("/account", cookies: ["__Host-siwa-session=\(secret)"])
                #expect(answer.status == .seeOther)
            }
        }
    }

    private func account(_ client: TestClient, _ token: String) async throws -> TestResponse {
        try await client.send(.get, "/v1/account", [.authorization: "Bearer \(token)"])
    }
}
