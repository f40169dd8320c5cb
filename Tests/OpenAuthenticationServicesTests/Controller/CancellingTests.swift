import AuthenticationServicesTesting
import OpenAuthenticationServices
import Testing

@MainActor
@Suite("Cancelling", .timeLimit(.minutes(2)))
struct CancellingTests {
    @Test("ends the running request with canceled, once, and cancels its performer")
    func running() async {
        let never = AuthorizationSignal()
        let script = AuthorizationScript(.success(ada).after(never))
        let delegate = RecordingDelegate()
        await withAuthorizationScript(script) {
            let controller = controller(telling: delegate)
            controller.performRequests()
            _ = await script.requests(atLeast: 1)
            controller.cancel()
            controller.cancel()
            await script.allAnswered()
        }
        #expect(delegate.error?.code == .canceled)
        #expect(delegate.error?.reason == .cancelledByApp)
    }

    @Test("stops a waiting performer")
    func stopsThePerformer() async {
        let isStopped = AuthorizationSignal()
        let script = AuthorizationScript(
            AuthorizationScript.Answer { _ throws(ASAuthorizationError) in
                await AuthorizationSignal().wait()
                isStopped.send()
                return ada
            })
        let delegate = RecordingDelegate()
        await withAuthorizationScript(script) {
            let controller = controller(telling: delegate)
            controller.performRequests()
            _ = await script.requests(atLeast: 1)
            controller.cancel()
            await isStopped.wait()
            await script.allAnswered()
        }
        #expect(delegate.error?.reason == .cancelledByApp)
    }

    @Test("before the person was asked ends the request without asking")
    func atOnce() async {
        let script = AuthorizationScript(.success(ada))
        let delegate = RecordingDelegate()
        await withAuthorizationScript(script) {
            let controller = controller(telling: delegate)
            controller.presentationContextProvider = delegate
            controller.performRequests()
            // The anchor is asked for on the main actor, which this test holds: the performing cannot be past it.
            controller.cancel()
            await script.allAnswered()
        }
        #expect(delegate.error?.reason == .cancelledByApp)
        #expect(delegate.anchorsAsked == 0)
        #expect(script.requests.isEmpty)
    }

    @Test("before a request, or after its answer, does nothing")
    func idle() async {
        let script = AuthorizationScript(.success(ada))
        let delegate = RecordingDelegate()
        await withAuthorizationScript(script) {
            let controller = controller(telling: delegate)
            controller.cancel()
            controller.performRequests()
            await script.allAnswered()
            controller.cancel()
            await script.allAnswered()
        }
        #expect(delegate.appleIDCredential != nil)
    }

    @Test("happens to the former request when the controller performs again")
    func superseded() async {
        let never = AuthorizationSignal()
        let script = AuthorizationScript(.success(ada).after(never), .success(ada))
        let delegate = RecordingDelegate()
        await withAuthorizationScript(script) {
            let controller = controller(telling: delegate)
            controller.performRequests()
            _ = await script.requests(atLeast: 1)
            controller.performRequests()
            await script.allAnswered()
        }
        #expect(delegate.errors.map(\.reason) == [.superseded])
        #expect(delegate.authorizations.count == 1)
    }

    @Test("at the moment of the answer gives the delegate exactly one end", arguments: 0..<8)
    func race(_: Int) async {
        let delegate = RecordingDelegate()
        let rounds = 100
        for round in 0..<rounds {
            let signal = AuthorizationSignal()
            let script = AuthorizationScript(.success(ada).after(signal))
            await withAuthorizationScript(script) {
                let controller = controller(telling: delegate)
                controller.performRequests()
                _ = await script.requests(atLeast: 1)
                await finish(by: signal, andCancel: controller, after: round % 16)
                await script.allAnswered()
            }
        }
        #expect(delegate.outcomes.count == rounds)
        #expect(delegate.errors.allSatisfy { $0.code == .canceled && $0.reason == .cancelledByApp })
        #expect(delegate.authorizations.count + delegate.errors.count == rounds)
    }

    @Test("from many threads at once gives one end")
    func manyCancels() async {
        let never = AuthorizationSignal()
        let script = AuthorizationScript(.success(ada).after(never))
        let delegate = RecordingDelegate()
        await withAuthorizationScript(script) {
            // A controller may be called from anywhere, but is not Sendable, as Apple's is not.
            let controller = controller(telling: delegate)
            nonisolated(unsafe) let shared = controller
            controller.performRequests()
            await withTaskGroup { group in
                for _ in 0..<20 { group.addTask { @concurrent in unsafe shared.cancel() } }
            }
            await script.allAnswered()
        }
        #expect(delegate.error?.reason == .cancelledByApp)
    }

    private func controller(telling delegate: RecordingDelegate) -> ASAuthorizationController {
        let controller = ASAuthorizationController(
            authorizationRequests: [ASAuthorizationAppleIDProvider().createRequest()])
        controller.delegate = delegate
        return controller
    }

    /// - Parameter turns: How often the cancel stands back first, so that the answer wins too.
    private func finish(
        by signal: AuthorizationSignal, andCancel controller: ASAuthorizationController, after turns: Int
    ) async {
        nonisolated(unsafe) let controller = controller
        async let finish: Void = Self.send(signal)
        async let cancel: Void = unsafe Self.cancel(controller, after: turns)
        _ = await (finish, cancel)
    }

    @concurrent private nonisolated static func send(_ signal: AuthorizationSignal) async { signal.send() }

    @concurrent private nonisolated static func cancel(
        _ controller: sending ASAuthorizationController, after turns: Int
    ) async {
        for _ in 0..<turns { await Task.yield() }
        controller.cancel()
    }
}
