import AccountClient
import AuthenticationServices
import AuthenticationServicesTesting
import Testing

@MainActor
@Suite("Juice, Apple's sample", .timeLimit(.minutes(1)))
struct JuiceTests {
    private let login = LoginViewController()
    private let script = AuthorizationScript(.success(.firstOfJohnny))

    @Test("Juice › Add a Sign in with Apple Button › setting it up")
    func button() async throws {
        login.setupProviderLoginView()
        let button = try #require(login.loginProviderStackView.buttons.first)
        #expect(button.title == "Sign in with Apple")
        #expect(button.style == .black)
        try await withAuthorizationScript(script) {
            button.press()
            try await login.happenings.expect(.saved(user: ASAuthorizationAppleIDCredential.userOfJohnny))
        }
    }

    @Test("Juice › Request Authorization with Apple ID › pressing the button")
    func request() async throws {
        await withAuthorizationScript(script) {
            login.handleAuthorizationAppleIDButtonPress()
            await script.allAnswered()
        }
        #expect(script.requests.count == 1)
        #expect(script.requests.first?.requestedScopes == [.fullName, .email])
        #expect(script.requests.first?.isSilent == false)
    }

    @Test("Juice › Request Authorization with Apple ID › the window")
    func anchor() {
        let controller = ASAuthorizationController(authorizationRequests: [])
        #expect(login.presentationAnchor(for: controller) === login.view.window)
    }

    @Test("Juice › Handle User Credentials › success", arguments: [true, false])
    func success(isFirst: Bool) async throws {
        let user = ASAuthorizationAppleIDCredential.userOfJohnny
        try await withAuthorizationScript(AuthorizationScript(.success(isFirst ? .firstOfJohnny : .laterOfJohnny))) {
            login.handleAuthorizationAppleIDButtonPress()
            try await login.happenings.expect(.saved(user: user))
            let name = isFirst ? PersonNameComponents(givenName: "Johnny", familyName: "Appleseed") : nil
            let email = isFirst ? "johnny@example.com" : nil
            try await login.happenings.expect(.shown(user: user, fullName: name, email: email))
        }
        #expect(try login.savedUser.readItem() == user)
    }

    @Test(
        "Juice › Handle User Credentials › failure",
        arguments: [ASAuthorizationError.Code.canceled, .failed, .invalidResponse, .notHandled, .unknown])
    func failure(code: ASAuthorizationError.Code) async throws {
        try await withAuthorizationScript(AuthorizationScript(.failure(ASAuthorizationError(code)))) {
            login.handleAuthorizationAppleIDButtonPress()
            try await login.happenings.expect(.failed(code))
        }
        #expect(throws: KeychainItem.KeychainError.noPassword) { try login.savedUser.readItem() }
    }

    @Test("Juice › Request Existing Credentials › an account with Apple")
    func existingAppleID() async throws {
        script.existing = .appleID(.laterOfJohnny)
        try await withAuthorizationScript(script) {
            login.performExistingAccountSetupFlows()
            try await login.happenings.expect(.saved(user: ASAuthorizationAppleIDCredential.userOfJohnny))
        }
        #expect(script.requests.first?.isSilent == true)
    }

    @Test("Juice › Request Existing Credentials › a kept password")
    func existingPassword() async throws {
        script.existing = .password(ASPasswordCredential(user: "johnny", password: "appleseed"))
        try await withAuthorizationScript(script) {
            login.performExistingAccountSetupFlows()
            try await login.happenings.expect(.alerted(user: "johnny", password: "appleseed"))
        }
        #expect(script.requests.first?.includesPassword == true)
    }

    @Test("Juice › Request Existing Credentials › a password that the client has saved")
    func savedPassword() async throws {
        let backend = try #require(URL(string: "http://localhost:4000"))
        let client = AccountClient(backend: backend, app: "juice", storage: MemoryStorage())
        try await client.savePassword(SavedPassword(email: "johnny@example.com", password: "appleseed"))
        try await CurrentPerformer.$scoped.withValue(AccountServicePerformer(configuration: client.configuration)) {
            login.performExistingAccountSetupFlows()
            try await login.happenings.expect(.alerted(user: "johnny@example.com", password: "appleseed"))
        }
    }

    @Test("Juice › Request Existing Credentials › nothing")
    func existingNothing() async throws {
        try await withAuthorizationScript(script) {
            login.performExistingAccountSetupFlows()
            try await login.happenings.expect(.failed(.canceled))
        }
    }

    @Test(
        "Juice › Check User Credentials at Launch › a user to be shown the login",
        arguments: [ASAuthorizationAppleIDProvider.CredentialState.revoked, .notFound])
    func launchWithoutUser(state: ASAuthorizationAppleIDProvider.CredentialState) async throws {
        let user = state == .revoked ? ASAuthorizationAppleIDCredential.userOfJohnny : ""
        script.setState(state, forUserID: user)
        let shown = try await launch(user: user)
        #expect(shown)
    }

    @Test(
        "Juice › Check User Credentials at Launch › a user who goes on",
        arguments: [ASAuthorizationAppleIDProvider.CredentialState.authorized, .transferred])
    func launchWithUser(state: ASAuthorizationAppleIDProvider.CredentialState) async throws {
        script.setState(state, forUserID: ASAuthorizationAppleIDCredential.userOfJohnny)
        let shown = try await launch(user: ASAuthorizationAppleIDCredential.userOfJohnny)
        #expect(!shown)
    }

    /// Launches the app with this user in the keychain.
    /// - Returns: whether the login came up.
    private func launch(user: String) async throws -> Bool {
        let delegate = AppDelegate()
        try await KeychainItem.$scopedStorage.withValue(MemoryStorage()) {
            if !user.isEmpty {
                let service = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
                try KeychainItem(service: service, account: "userIdentifier").saveItem(user)
            }
            try await withAuthorizationScript(script) {
                let goesOn = delegate.application(AppDelegate.UIApplication(), didFinishLaunchingWithOptions: nil)
                #expect(goesOn)
                try await delegate.answered.next()
            }
        }
        // The snippet's work on the main queue comes before this.
        await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        return delegate.window?.rootViewController?.showsLogin ?? false
    }
}
