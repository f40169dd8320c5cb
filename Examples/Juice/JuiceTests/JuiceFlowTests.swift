import AccountClient
import AuthenticationServicesTesting
import Foundation
import JuiceScreens
import Testing

/// The model as the app's views use it: Apple's sheet is scripted, and no account service is there.
@MainActor
struct JuiceFlowTests {
    private func app(_ backend: String) throws -> JuiceViewModel {
        let settings = try JuiceSettings(info: ["JuiceBackend": backend])
        return JuiceViewModel(settings: settings, storage: MemoryStorage()) {
            $0.transport = ServiceTransport { _ in throw URLError(.cannotConnectToHost) }
        }
    }

    private func page(of juice: JuiceViewModel, where isSo: (JuicePage) -> Bool) async throws -> JuicePage {
        for await page in juice.pages where isSo(page) { return page }
        throw CancellationError()
    }

    @Test("A person who closes Apple's sheet is on the first screen again")
    func cancelled() async throws {
        let juice = try app("https://accounts.example.com")
        juice.start()
        _ = try await page(of: juice) { $0.screen == .login(nil) }
        let end = try await withAuthorizationScript(AuthorizationScript(.cancel)) {
            juice.press(.signIn)
            return try await page(of: juice) { if case .login(.some) = $0.screen { true } else { false } }
        }
        guard case .login(let notice) = end.screen else { return }
        #expect(notice?.kind == .note)
    }

    @Test("Against siwa demo, people sign in through the browser")
    func demo() throws {
        #expect(try app("https://localhost:4000").settings.signsInByBrowser)
        #expect(try !app("https://accounts.example.com").settings.signsInByBrowser)
    }
}
