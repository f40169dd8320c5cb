import AuthenticationServicesTesting
import OpenAuthenticationServices
import Testing

@MainActor
@Suite("Performing requests", .timeLimit(.minutes(2)))
struct PerformingTests {
    @Test("gives the credential to the delegate, once")
    func success() async throws {
        let delegate = await perform(with: AuthorizationScript(.success(ada)))
        let credential = try #require(delegate.appleIDCredential)
        #expect(credential.user == "001999.ada")
        #expect(credential.email == "ada@example.com")
        #expect(credential.fullName?.familyName == "Lovelace")
        #expect(credential.identityToken == Data("token".utf8))
        #expect(credential.authorizationCode == Data("code".utf8))
        #expect(credential.authorizedScopes == [.fullName, .email])
        #expect(credential.realUserStatus == .unsupported)
        #expect(credential.userAgeRange == .unknown)
    }

    @Test("names the credential's provider")
    func provider() async {
        let provider = ASAuthorizationAppleIDProvider()
        let delegate = await perform([provider.createRequest()], with: AuthorizationScript(.success(ada)))
        #expect(delegate.authorizations.first?.provider === provider)
    }

    @Test("gives an error to the delegate, once, as the struct itself")
    func failure() async {
        let delegate = await perform(with: AuthorizationScript(.failure(.invalidResponse, reason: .nonceMismatch)))
        #expect(delegate.error?.code == .invalidResponse)
        #expect(delegate.error?.reason == .nonceMismatch)
    }

    @Test("returns before the delegate hears anything")
    func asynchronous() async {
        let script = AuthorizationScript(.success(ada))
        let delegate = RecordingDelegate()
        await withAuthorizationScript(script) {
            let controller = ASAuthorizationController(authorizationRequests: [])
            controller.delegate = delegate
            controller.performRequests()
            #expect(delegate.outcomes.isEmpty)
            await script.allAnswered()
            #expect(delegate.outcomes.count == 1)
        }
    }

    @Test("passes on scopes in their order, state, nonce and user unchanged")
    func requestValues() async throws {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = [.email, .fullName, ASAuthorization.Scope("phone")]
        request.state = " state&=é "
        request.nonce = "NONCE, not hashed"
        request.user = "001999.ada"
        request.requestedOperation = .operationLogin
        let script = AuthorizationScript(.success(ada))
        _ = await perform([request], with: script)
        let seen = try #require(script.requests.first)
        #expect(seen.requestedScopes == [.email, .fullName, ASAuthorization.Scope("phone")])
        #expect(seen.state == " state&=é ")
        #expect(seen.nonce == "NONCE, not hashed")
        #expect(seen.user == "001999.ada")
        #expect(seen.requestedOperation == .operationLogin)
        #expect(!seen.isSilent)
    }

    @Test("asks for the identifier alone without scopes", arguments: [nil, []] as [[ASAuthorization.Scope]?])
    func noScopes(scopes: [ASAuthorization.Scope]?) async {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = scopes
        let script = AuthorizationScript(.success(ada))
        _ = await perform([request], with: script)
        #expect(script.requests.map(\.requestedScopes) == [[]])
    }

    @Test("uses a copy of a request, which later changes don't affect")
    func copies() async {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.nonce = "before"
        let script = AuthorizationScript(.success(ada))
        let delegate = RecordingDelegate()
        await withAuthorizationScript(script) {
            let controller = ASAuthorizationController(authorizationRequests: [request])
            controller.delegate = delegate
            controller.performRequests()
            request.nonce = "after"
            request.state = "after"
            request.user = "somebody else"
            await script.allAnswered()
        }
        #expect(script.requests.map(\.nonce) == ["before"])
        #expect(delegate.appleIDCredential?.state == nil)
        #expect(delegate.appleIDCredential?.user == "001999.ada")
    }

    @Test("keeps the requests readable for the app")
    func givenRequests() {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        let controller = ASAuthorizationController(authorizationRequests: [request])
        #expect(controller.authorizationRequests == [request])
    }

    @Test("serves the first of several requests of one kind, with one credential")
    func firstOfSeveral() async {
        let requests = ["first", "second"].map { nonce in
            let request = ASAuthorizationAppleIDProvider().createRequest()
            request.nonce = nonce
            return request
        }
        let script = AuthorizationScript(.success(ada))
        let delegate = await perform(requests, with: script)
        #expect(script.requests.map(\.nonce) == ["first"])
        #expect(delegate.outcomes.count == 1)
    }

    @Test("returns the state unchanged", arguments: [nil, "", "ü&= "])
    func state(_ state: String?) async {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.state = state
        let delegate = await perform([request], with: AuthorizationScript(.success(ada)))
        #expect(delegate.appleIDCredential?.state == state)
    }

    @Test("refuses an answer with another state")
    func otherState() async {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.state = "mine"
        let script = AuthorizationScript(
            .success(ASAuthorizationAppleIDCredential(user: "001999.ada", state: "another")))
        let delegate = await perform([request], with: script)
        #expect(delegate.error?.code == .invalidResponse)
        #expect(delegate.error?.reason == .stateMismatch)
    }

    @Test("refuses a credential of another user than the request's")
    func otherUser() async {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.user = "001999.grace"
        let delegate = await perform([request], with: AuthorizationScript(.success(ada)))
        #expect(delegate.error?.code == .failed)
        #expect(delegate.error?.reason == .otherUser)
    }

    @Test("without a request fails with a clear reason")
    func noRequest() async {
        let script = AuthorizationScript(.success(ada))
        let delegate = await perform([], with: script)
        #expect(delegate.error?.code == .notHandled)
        #expect(delegate.error?.reason == .noRequest)
        #expect(script.requests.isEmpty)
    }

    @Test("reports a logout as unsupported, and forgets the existing credential")
    func logout() async {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedOperation = .operationLogout
        let script = AuthorizationScript(.success(ada), existing: .appleID(ada))
        let delegate = await perform([request], with: script)
        #expect(delegate.error?.code == .notHandled)
        #expect(delegate.error?.reason == .unsupportedOperation)
        #expect(script.requests.isEmpty)
        #expect(delegate.anchorsAsked == 0)
        request.requestedOperation = .operationRefresh
        let later = await perform([request], with: script)
        #expect(later.error?.reason == .noStoredCredential)
    }

    @Test("can be done again with the same controller")
    func again() async {
        let script = AuthorizationScript(.cancel, .success(ada))
        let delegate = RecordingDelegate()
        await withAuthorizationScript(script) {
            let controller = ASAuthorizationController(
                authorizationRequests: [ASAuthorizationAppleIDProvider().createRequest()])
            controller.delegate = delegate
            controller.performRequests()
            await script.allAnswered()
            controller.performRequests()
            await script.allAnswered()
        }
        #expect(delegate.errors.map(\.code) == [.canceled])
        #expect(delegate.authorizations.count == 1)
    }

    @Test("works from any thread, and answers on the main actor")
    func anyThread() async {
        let script = AuthorizationScript(.success(ada))
        let delegate = RecordingDelegate()
        await withAuthorizationScript(script) {
            await performElsewhere(telling: delegate)
            await script.allAnswered()
        }
        #expect(delegate.appleIDCredential != nil)
    }

    @concurrent private func performElsewhere(telling delegate: RecordingDelegate) async {
        let controller = ASAuthorizationController(
            authorizationRequests: [ASAuthorizationAppleIDProvider().createRequest()])
        controller.delegate = delegate
        controller.performRequests()
    }
}
