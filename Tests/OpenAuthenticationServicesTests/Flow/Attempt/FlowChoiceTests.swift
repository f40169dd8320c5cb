import AccountAPI
import Foundation
import TaskSignals
import Testing

@testable import OpenAuthenticationServices

@Suite("The flow of a sign-in", .timeLimit(.minutes(2)))
struct FlowChoiceTests {
    private func performer(_ configuration: AuthenticationServicesConfiguration) -> AccountServicePerformer {
        AccountServicePerformer(configuration: configuration, time: VirtualTime().flowTime)
    }

    @Test("The automatic flow takes an available browser")
    func automaticBrowser() async throws {
        let wire = Wire()
        var configuration = wire.configuration()
        configuration.flow = .automatic
        _ = try await performer(configuration).authorize(AppleIDRequestValues())
        #expect(wire.begun?.redirectURI != nil)
    }

    @Test("The automatic flow shows a code if there is no browser")
    func automaticDevice() async throws {
        let wire = Wire()
        _ = try await performer(wire.configuration(.automatic)).authorize(AppleIDRequestValues())
        #expect(wire.begun?.redirectURI == nil)
        #expect(wire.paths == ["/v1/authorizations", "/v1/authorizations/redeem"])
    }

    @Test("The automatic flow goes on with a code if the browser can't be opened")
    func fallback() async throws {
        let wire = Wire()
        var configuration = wire.configuration(.automatic)
        configuration.browser = BrowserPresenter { _ in throw BrowserError.failed(status: 3) }
        let shown = Lock(0)
        configuration.showDeviceCode = { _ in shown.withLock { $0 += 1 } }
        var time = VirtualTime().flowTime
        // The two seconds that telling is given would be over at once, and the code would not wait for it.
        time.sleep = { [sleep = time.sleep] duration in
            guard duration != .seconds(2) else { return try await OneShot<Void>().value() }
            try await sleep(duration)
        }
        _ = try await AccountServicePerformer(configuration: configuration, time: time).authorize(
            AppleIDRequestValues())
        #expect(
            wire.paths == [
                "/v1/authorizations", "/v1/authorizations/cancel", "/v1/authorizations", "/v1/authorizations/redeem",
            ])
    }

    @Test("The browser flow doesn't go on with a code")
    func browserOnly() async throws {
        let wire = Wire()
        var configuration = wire.configuration(.browser)
        configuration.browser = BrowserPresenter { _ in throw BrowserError.failed(status: 3) }
        configuration.showDeviceCode = { _ in Issue.record("a code was shown") }
        let error = await #expect(throws: ASAuthorizationError.self) {
            try await performer(configuration).authorize(AppleIDRequestValues())
        }
        #expect(error?.code == .notInteractive)
        #expect(error?.userInfo[NSUnderlyingErrorKey] as? BrowserError == .failed(status: 3))
    }

    @Test("The code flow opens no browser")
    func deviceOnly() async throws {
        let wire = Wire()
        var configuration = wire.configuration(.device)
        configuration.browser = BrowserPresenter { _ in Issue.record("a browser was opened") }
        _ = try await performer(configuration).authorize(AppleIDRequestValues())
        #expect(wire.begun?.redirectURI == nil)
    }
}
