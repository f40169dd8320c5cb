import AccountAPI
import AccountService
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("A disabled account", .eachEngine)
struct DisabledAccountTests {
    @Test("has no session any more and takes no sign-in, in apps and browsers, until it is enabled")
    func disabled() async throws {
        try await withService { client, service in
            let app = try await service.signInNatively(client)
            let browser = try await service.signInWithBrowser(client)
            let account = AccountID(rawValue: app.account.id)
            let directory = AccountDirectory(store: service.store, environment: service.domain.environment)
            #expect(try await directory.disable(account) == 2)
            #expect(try await directory.disable(account) == 0)
            try await client.send(.get, "/v1/account", [.authorization: "Bearer \(app.session.accessToken)"])
                .expectError(.sessionEnded, 401)
            try await client.post(
                "/v1/session/refresh", json: RefreshRequest(refreshToken: app.session.refreshToken)
            ).expectError(.refreshTokenInvalid, 401)
            #expect(try await client.page("/account", cookies: [browser]).status == .seeOther)
            try await client.post("/v1/sign-in/apple", json: try await service.nativeCredential())
                .expectError(.accountDisabled, 403)
            try await service.completeSignIn(client).expectErrorPage(403, "closed for now")
            #expect(try await directory.enable(account))
            #expect(try await service.signInNatively(client).account.id == app.account.id)
        }
    }

    @Test("can't be disabled or enabled if it doesn't exist")
    func unknown() async throws {
        try await withService { _, service in
            let directory = AccountDirectory(store: service.store, environment: service.domain.environment)
            let ended = try await directory.disable(AccountID(rawValue: "acc_none"))
            let isEnabled = try await directory.enable(AccountID(rawValue: "acc_none"))
            #expect(ended == nil && !isEnabled)
        }
    }
}
