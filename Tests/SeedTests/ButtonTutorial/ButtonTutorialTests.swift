import AuthenticationServices
import AuthenticationServicesTesting
import Testing

@MainActor
@Suite("The button tutorial", .timeLimit(.minutes(1)))
struct ButtonTutorialTests {
    private let controller = ViewController()
    private let script = AuthorizationScript(.success(.firstOfJohnny))

    @Test("Button tutorial › Setting up SIWA button UI › viewDidLoad")
    func button() async throws {
        controller.viewDidLoad()
        let button = try #require(controller.view.buttons.first)
        #expect(button.title == "Sign in with Apple")
        try await withAuthorizationScript(script) {
            button.press()
            let user = ASAuthorizationAppleIDCredential.userOfJohnny
            try await controller.happenings.expect(.signedIn(user: user))
        }
    }

    @Test("Button tutorial › Setting up Sign-in with Apple dialog › appleSignInTapped")
    func request() async {
        await withAuthorizationScript(script) {
            controller.appleSignInTapped()
            await script.allAnswered()
        }
        #expect(script.requests.first?.requestedScopes == [.fullName, .email])
    }

    @Test("Button tutorial › Setting up Sign-in with Apple dialog › the presentation context")
    func anchor() {
        let asking = ASAuthorizationController(authorizationRequests: [])
        #expect(controller.presentationAnchor(for: asking) === controller.view.window)
    }

    @Test(
        "Button tutorial › Setting up Sign-in with Apple dialog › errors",
        arguments: [
            (ASAuthorizationError.Code.canceled, "Canceled"), (.unknown, "Unknown"),
            (.invalidResponse, "Invalid Respone"), (.notHandled, "Not handled"), (.failed, "Failed"),
            (.notInteractive, "Default"),
        ])
    func failure(code: ASAuthorizationError.Code, line: String) async throws {
        let printed = Happenings<String>()
        try await Printed.$lines.withValue(printed) {
            try await withAuthorizationScript(AuthorizationScript(.failure(ASAuthorizationError(code)))) {
                controller.appleSignInTapped()
                try await printed.expect("authorization error")
                try await printed.expect(line)
            }
        }
    }

    @Test("Button tutorial › Setting up Sign-in with Apple dialog › success")
    func success() async throws {
        try await withAuthorizationScript(script) {
            controller.appleSignInTapped()
            let user = ASAuthorizationAppleIDCredential.userOfJohnny
            try await controller.happenings.expect(.signedIn(user: user))
        }
    }

    @Test("Button tutorial › Setting up Sign-in with Apple dialog › user data")
    func userData() async throws {
        let read = try await read(.firstOfJohnny)
        #expect(read.email == "johnny@example.com")
        #expect(read.givenName == "Johnny")
        #expect(read.familyName == "Appleseed")
        #expect(read.nickName == nil)
        #expect(read.identityToken == "a token")
        #expect(read.authorizationCode == "a code")
    }

    @Test("Button tutorial › Subsequent sign in › name and email are nil")
    func later() async throws {
        let read = try await read(.laterOfJohnny)
        #expect(read.userID == ASAuthorizationAppleIDCredential.userOfJohnny)
        #expect(read.email == nil)
        #expect(read.givenName == nil)
        #expect(read.familyName == nil)
        #expect(read.identityToken == "another token")
    }

    private func read(_ credential: ASAuthorizationAppleIDCredential) async throws -> UserDataReader.UserData {
        let reader = UserDataReader()
        return try await withAuthorizationScript(AuthorizationScript(.success(credential))) {
            perform(for: reader)
            return try await reader.happenings.next()
        }
    }

    private func perform(for delegate: any ASAuthorizationControllerDelegate) {
        let asking = ASAuthorizationController(authorizationRequests: [ASAuthorizationAppleIDProvider().createRequest()]
        )
        asking.delegate = delegate
        asking.performRequests()
    }
}
