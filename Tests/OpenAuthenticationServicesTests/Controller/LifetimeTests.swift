import AuthenticationServicesTesting
import OpenAuthenticationServices
import Testing

@MainActor
@Suite("A controller's life", .timeLimit(.minutes(2)))
struct LifetimeTests {
    /// Says when it goes.
    private final class MortalController: ASAuthorizationController {
        let isGone = AuthorizationSignal()

        deinit { isGone.send() }
    }

    @Test("lasts until its delegate has been called, and no longer")
    func keepsItselfAlive() async {
        let signal = AuthorizationSignal()
        let script = AuthorizationScript(.success(ada).after(signal))
        let delegate = RecordingDelegate()
        weak var seen: MortalController?
        let isGone = await withAuthorizationScript(script) {
            let isGone = performAndForget(telling: delegate, seen: &seen)
            _ = await script.requests(atLeast: 1)
            #expect(seen != nil)
            signal.send()
            await script.allAnswered()
            return isGone
        }
        #expect(delegate.appleIDCredential != nil)
        await isGone.wait()
        #expect(seen == nil)
    }

    private func performAndForget(
        telling delegate: RecordingDelegate, seen: inout MortalController?
    ) -> AuthorizationSignal {
        let controller = MortalController(authorizationRequests: [ASAuthorizationAppleIDProvider().createRequest()])
        controller.delegate = delegate
        seen = controller
        controller.performRequests()
        return controller.isGone
    }

    @Test("goes on when the delegate is gone, and drops the answer")
    func deadDelegate() async {
        let signal = AuthorizationSignal()
        let script = AuthorizationScript(.success(ada).after(signal))
        let controller = ASAuthorizationController(
            authorizationRequests: [ASAuthorizationAppleIDProvider().createRequest()])
        weak var seen: RecordingDelegate?
        await withAuthorizationScript(script) {
            setDelegate(of: controller, seen: &seen)
            controller.performRequests()
            _ = await script.requests(atLeast: 1)
            #expect(seen == nil)
            #expect(controller.delegate == nil)
            signal.send()
            await script.allAnswered()
        }
        #expect(script.answeredCount == 1)
    }

    private func setDelegate(of controller: ASAuthorizationController, seen: inout RecordingDelegate?) {
        let delegate = RecordingDelegate()
        controller.delegate = delegate
        controller.presentationContextProvider = delegate
        seen = delegate
        #expect(controller.delegate === delegate)
        #expect(controller.presentationContextProvider === delegate)
    }

    @Test("reports to the delegate that is set when the answer comes")
    func delegateSetLate() async {
        let signal = AuthorizationSignal()
        let script = AuthorizationScript(.success(ada).after(signal))
        let early = RecordingDelegate()
        let late = RecordingDelegate()
        await withAuthorizationScript(script) {
            let controller = ASAuthorizationController(
                authorizationRequests: [ASAuthorizationAppleIDProvider().createRequest()])
            controller.delegate = early
            controller.performRequests()
            _ = await script.requests(atLeast: 1)
            controller.delegate = late
            signal.send()
            await script.allAnswered()
        }
        #expect(early.outcomes.isEmpty)
        #expect(late.appleIDCredential != nil)
    }

    @Test("needs no presentation context provider")
    func noPresentationContextProvider() async {
        let script = AuthorizationScript(.success(ada))
        let delegate = RecordingDelegate()
        await withAuthorizationScript(script) {
            let controller = ASAuthorizationController(
                authorizationRequests: [ASAuthorizationAppleIDProvider().createRequest()])
            controller.delegate = delegate
            controller.performRequests()
            await script.allAnswered()
        }
        #expect(delegate.appleIDCredential != nil)
        #expect(delegate.anchorsAsked == 0)
    }

    @Test("includes one request for a window when it asks the person")
    func anchorForAsking() async {
        let delegate = await perform(with: AuthorizationScript(.success(ada)))
        #expect(delegate.anchorsAsked == 1)
    }

    @Test("includes no request for a window when it only looks for a credential")
    func noAnchorForLooking() async {
        let delegate = await perform(
            options: .preferImmediatelyAvailableCredentials, with: AuthorizationScript(existing: .appleID(ada)))
        #expect(delegate.appleIDCredential != nil)
        #expect(delegate.anchorsAsked == 0)
    }
}
