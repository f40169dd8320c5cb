import AuthenticationServicesTesting
import OpenAuthenticationServices
import Testing

@MainActor
@Suite("An authorization script", .timeLimit(.minutes(2)))
struct AuthorizationScriptTests {
    @Test("gives its answers in order, and repeats the last one")
    func order() async {
        let script = AuthorizationScript(.cancel, .failure(.failed, reason: .refused), .success(ada))
        let delegate = RecordingDelegate()
        await withAuthorizationScript(script) {
            let controller = ASAuthorizationController(
                authorizationRequests: [ASAuthorizationAppleIDProvider().createRequest()])
            controller.delegate = delegate
            for _ in 0..<4 {
                controller.performRequests()
                await script.allAnswered()
            }
        }
        #expect(delegate.errors.map(\.code) == [.canceled, .failed])
        #expect(delegate.errors.map(\.reason) == [.cancelledAtApple, .refused])
        #expect(delegate.authorizations.count == 2)
        #expect(script.answeredCount == 4)
    }

    @Test("can get other answers later")
    func otherAnswers() async {
        let script = AuthorizationScript(.cancel, .cancel)
        script.answer(with: .success(ada))
        #expect(await perform(with: script).appleIDCredential != nil)
    }

    @Test("fails with a clear reason when it has no answer")
    func noAnswer() async throws {
        let error = try #require(await perform(with: AuthorizationScript()).error)
        #expect(error.code == .notHandled)
        #expect((error as NSError).localizedFailureReason == "The script has no answer.")
    }

    @Test("can compute its answer from the request")
    func dependentAnswer() async {
        let script = AuthorizationScript(
            AuthorizationScript.Answer { request throws(ASAuthorizationError) in
                ASAuthorizationAppleIDCredential(
                    user: "001999.ada", identityToken: Data("nonce=\(request.nonce ?? "")".utf8))
            })
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.nonce = "n"
        let delegate = await perform([request], with: script)
        #expect(delegate.appleIDCredential?.identityToken == Data("nonce=n".utf8))
    }

    @Test("holds an answer back until the signal is sent")
    func signal() async {
        let signal = AuthorizationSignal()
        let script = AuthorizationScript(.success(ada).after(signal))
        let delegate = RecordingDelegate()
        await withAuthorizationScript(script) {
            let controller = ASAuthorizationController(
                authorizationRequests: [ASAuthorizationAppleIDProvider().createRequest()])
            controller.delegate = delegate
            controller.performRequests()
            #expect(await script.requests(atLeast: 1).count == 1)
            #expect(delegate.outcomes.isEmpty)
            signal.send()
            await script.allAnswered()
        }
        #expect(delegate.appleIDCredential != nil)
    }

    @Test("is independent of a script in another task")
    func tasks() async {
        let users = await withTaskGroup(of: String?.self) { group in
            for number in 0..<20 {
                group.addTask {
                    await perform(
                        with: AuthorizationScript(.success(ASAuthorizationAppleIDCredential(user: "\(number)")))
                    ).appleIDCredential?.user
                }
            }
            var users: Set<String> = []
            for await case let user? in group { users.insert(user) }
            return users
        }
        #expect(users == Set((0..<20).map { "\($0)" }))
    }

    @Test("can surround synchronous code")
    func synchronous() async {
        let script = AuthorizationScript(.success(ada))
        let delegate = RecordingDelegate()
        func performNow() {
            withAuthorizationScript(script) {
                let controller = ASAuthorizationController(
                    authorizationRequests: [ASAuthorizationAppleIDProvider().createRequest()])
                controller.delegate = delegate
                controller.performRequests()
            }
        }
        performNow()
        await script.allAnswered()
        #expect(delegate.appleIDCredential != nil)
    }

    @Test("returns a configured existing credential without asking")
    func existing() async {
        let script = AuthorizationScript()
        #expect(await look(script).error?.reason == .noStoredCredential)
        script.existing = .appleID(ada)
        #expect(await look(script).appleIDCredential != nil)
        script.existing = .failure(ASAuthorizationError(.failed, reason: .serviceUnavailable))
        #expect(await look(script).error?.reason == .serviceUnavailable)
        script.existing = .password(ASPasswordCredential(user: "ada", password: "engine"))
        #expect(await look(script).error?.reason == .noStoredCredential)
    }

    private func look(_ script: AuthorizationScript) async -> RecordingDelegate {
        await perform(options: .preferImmediatelyAvailableCredentials, with: script)
    }

    @Test("makes credentials with the scopes of their values")
    func makers() {
        #expect(ada.authorizedScopes == [.fullName, .email])
        #expect(ASAuthorizationAppleIDCredential(user: "u", email: "e@example.com").authorizedScopes == [.email])
        #expect(ASAuthorizationAppleIDCredential(user: "u").authorizedScopes == [])
        let bare = ASAuthorizationAppleIDCredential(user: "u", email: "e@example.com", authorizedScopes: [])
        #expect(bare.authorizedScopes == [])
        #expect(ASAuthorization(credential: ada).provider is ASAuthorizationAppleIDProvider)
        let password = ASAuthorization(credential: ASPasswordCredential(user: "ada", password: "engine"))
        #expect(password.provider is ASAuthorizationPasswordProvider)
    }
}
