import AuthenticationServicesTesting
import OpenAuthenticationServices
import Testing

/// Tests of an app's own code, as its developers would write them.
@MainActor
@Suite("A login screen under test", .timeLimit(.minutes(2)))
struct LoginModelTests {
    private let model = LoginModel(nonce: "raw")

    @Test("welcomes the person, and requests the right scopes")
    func success() async throws {
        let script = AuthorizationScript(.success(ada))
        await withAuthorizationScript(script) {
            model.signIn()
            #expect(model.screen == .signingIn)
            await script.allAnswered()
        }
        #expect(model.screen == .welcome(user: "001999.ada", name: "Ada Lovelace"))
        let request = try #require(script.requests.first)
        #expect(script.requests.count == 1)
        #expect(request.requestedScopes == [.fullName, .email])
        // SHA-256 of the raw nonce.
        #expect(request.nonce == "d7439bee24773bcbfa2d0a97947ee36227b10d1022b1a55847e928965bb6bfde")
    }

    @Test("shows no error after a cancel")
    func cancel() async {
        let script = AuthorizationScript(.cancel)
        await withAuthorizationScript(script) {
            model.signIn()
            await script.allAnswered()
        }
        #expect(model.screen == .login)
    }

    @Test(
        "shows every other error",
        arguments: [
            ASAuthorizationError.unknown, .invalidResponse, .notHandled, .failed, .notInteractive,
        ])
    func failure(code: ASAuthorizationError.Code) async {
        let script = AuthorizationScript(.failure(ASAuthorizationError(code)))
        await withAuthorizationScript(script) {
            model.signIn()
            await script.allAnswered()
        }
        guard case .problem(let text) = model.screen else {
            Issue.record("\(model.screen)")
            return
        }
        #expect(!text.isEmpty)
    }

    @Test("can be tried again after a cancel")
    func secondTry() async {
        let script = AuthorizationScript(.cancel, .success(ada))
        await withAuthorizationScript(script) {
            model.signIn()
            await script.allAnswered()
            model.signIn()
            await script.allAnswered()
        }
        #expect(model.screen == .welcome(user: "001999.ada", name: "Ada Lovelace"))
    }

    @Test("waits while the person is in the browser, and can go back")
    func goBack() async {
        let script = AuthorizationScript(.success(ada).after(AuthorizationSignal()))
        await withAuthorizationScript(script) {
            model.signIn()
            _ = await script.requests(atLeast: 1)
            #expect(model.screen == .signingIn)
            model.goBack()
            await script.allAnswered()
        }
        #expect(model.screen == .login)
    }

    @Test("welcomes at launch a person who signed in before")
    func existing() async {
        let script = AuthorizationScript(existing: .appleID(ASAuthorizationAppleIDCredential(user: "001999.ada")))
        await withAuthorizationScript(script) {
            model.lookForExistingAccount()
            await script.allAnswered()
        }
        #expect(model.screen == .welcome(user: "001999.ada", name: ""))
        #expect(script.requests.map(\.isSilent) == [true])
    }

    @Test("shows the login at launch if nobody signed in before")
    func noneExisting() async {
        let script = AuthorizationScript(.success(ada))
        await withAuthorizationScript(script) {
            model.lookForExistingAccount()
            await script.allAnswered()
        }
        #expect(model.screen == .login)
    }
}
