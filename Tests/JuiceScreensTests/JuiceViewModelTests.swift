import AccountClient
import AuthenticationServicesTesting
import Foundation
import Testing

@testable import JuiceScreens

@MainActor
@Suite("Juice for an app with views", .timeLimit(.minutes(1)))
struct JuiceViewModelTests {
    /// An app whose account service can't be reached.
    private func app() throws -> JuiceViewModel {
        let backend = try #require(URL(string: "https://accounts.example.com"))
        return JuiceViewModel(settings: JuiceSettings(backend: backend), storage: MemoryStorage()) {
            $0.transport = ServiceTransport { _ in throw URLError(.cannotConnectToHost) }
        }
    }

    /// The first page that a view sees on which this is so.
    private func page(of juice: JuiceViewModel, where isSo: (JuicePage) -> Bool) async throws -> JuicePage {
        for await page in juice.pages where isSo(page) { return page }
        throw CancellationError()
    }

    private func notice(_ page: JuicePage) -> LoginNotice? {
        if case .login(let notice) = page.screen { notice } else { nil }
    }

    @Test("looks for an account once, and then shows the login")
    func launch() async throws {
        let juice = try app()
        #expect(juice.page.screen == .looking)
        juice.start()
        juice.start()
        let page = try await page(of: juice) { $0.screen != .looking }
        #expect(page.screen == .login(nil))
        #expect(page.buttons.contains(.signIn))
    }

    @Test("gives every view the present page first")
    func followers() async throws {
        let juice = try app()
        juice.start()
        _ = try await page(of: juice) { $0.screen == .login(nil) }
        juice.press(.createAccount)
        for _ in 0..<2 {
            let page = try await page(of: juice) { _ in true }
            #expect(page.screen == .form(LoginForm(.createAccount)))
        }
    }

    @Test("ends the pages when nobody holds it any more")
    func ends() async throws {
        var juice: JuiceViewModel? = try app()
        let pages = try #require(juice?.pages)
        juice = nil
        var count = 0
        for await _ in pages { count += 1 }
        #expect(count <= 1)
    }

    @Test("says softly that a person has not signed in")
    func cancelled() async throws {
        let juice = try app()
        juice.start()
        _ = try await page(of: juice) { $0.screen == .login(nil) }
        let shown = try await withAuthorizationScript(AuthorizationScript(.cancel)) {
            juice.press(.signIn)
            return try await page(of: juice) { notice($0) != nil }
        }
        #expect(notice(shown) == .cancelled)
    }

    @Test("logs in with the form of the first page, and says what went wrong")
    func logIn() async throws {
        let juice = try app()
        juice.start()
        _ = try await page(of: juice) { $0.screen == .login(nil) }
        juice.logIn(email: "johnny@example.com", password: "a long password")
        #expect(juice.page.screen == .loggingIn)
        let page = try await page(of: juice) { notice($0) != nil }
        #expect(notice(page)?.kind == .problem)
        #expect(page.email == "johnny@example.com")
    }

    @Test("shows the outcome of Apple's button")
    func finish() async throws {
        let juice = try app()
        juice.start()
        _ = try await page(of: juice) { $0.screen == .login(nil) }
        juice.finish(.failure(AccountClientError(.cancelled, "")))
        #expect(notice(juice.page) == .cancelled)
    }

    @Test("opens only links from mails")
    func open() throws {
        let juice = try app()
        #expect(!juice.open(try #require(URL(string: "https://accounts.example.com/account"))))
        #expect(
            juice.open(try #require(URL(string: "https://accounts.example.com/email-links/abcdefghijklmnopqrstuvwx"))))
    }
}
