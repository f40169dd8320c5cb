import AccountAPI
import AppleIDTesting
import AuthenticationServices
import AuthenticationServicesTesting
import Testing

@MainActor
@Suite("Implement Sign In with Apple on iOS, with a backend", .timeLimit(.minutes(1)))
struct ExchangeCodeTests {
    @Test("Implement on iOS › 4.3.2 Handle a successful response › exchanging the code")
    func exchange() async throws {
        try await Backend.run { backend in
            let controller = await SignInViewController(myAPI: .accountService(at: backend))
            try await withAuthorizationScript(AuthorizationScript(.johnny(at: backend.emulator))) {
                await controller.signInButtonPressed()
                guard case .stored(let apiToken) = try await controller.happenings.next() else {
                    Issue.record("no token")
                    return
                }
                #expect(!apiToken.isEmpty)
            }
        }
    }

    @Test("Implement on iOS › 4.3.2 Handle a successful response › a code that the backend refuses")
    func refused() async throws {
        try await Backend.run { backend in
            let controller = await SignInViewController(myAPI: .accountService(at: backend))
            await controller.exchangeCode("no code of Apple's")
            try await controller.happenings.expect(.refused)
        }
    }

    @Test("Implement on iOS › 5. Backend authorization process › what the backend learns")
    func learns() async throws {
        try await Backend.run { backend in
            let apple = try await backend.emulator.authorize(client: Backend.app, native: true)
            let answer = try await BackendAPI.signIn(at: backend, code: try #require(apple.code).rawValue)
            #expect(answer.account.email == "johnny@example.com")
            // The text says that the token holds the name too: it never does.
            #expect(answer.account.name == nil)
        }
    }
}
