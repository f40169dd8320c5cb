import AuthenticationServices
import AuthenticationServicesTesting
import Testing

@MainActor
@Suite("The SwiftUI guide", .timeLimit(.minutes(1)))
struct SwiftUIGuideTests {
    private let user = ASAuthorizationAppleIDCredential.userOfJohnny
    private let view = SignInView(myNonceString: { "a nonce" }, myStateString: { "a state" })

    @Test("SwiftUI guide › Sign in with Apple button for Swift UI › the view", arguments: [true, false])
    func view(succeeds: Bool) async throws {
        let view = PlainSignInView()
        let button = try #require(view.body.buttons.first)
        #expect(button.title == "Sign in with Apple")
        #expect(button.style == .black)
        try await withAuthorizationScript(AuthorizationScript(succeeds ? .success(.firstOfJohnny) : .cancel)) {
            button.press()
            try await view.happenings.expect(.setUp)
            try await view.happenings.expect(succeeds ? .succeeded : .failed)
        }
    }

    @Test("SwiftUI guide › Request Authorization with Apple ID › onRequest")
    func request() async {
        let script = AuthorizationScript(.success(.firstOfJohnny))
        let button = view.button
        await withAuthorizationScript(script) {
            button.press()
            await script.allAnswered()
        }
        #expect(script.requests.first?.requestedScopes == [.fullName, .email])
        #expect(script.requests.first?.nonce == "a nonce")
        #expect(script.requests.first?.state == "a state")
    }

    @Test("SwiftUI guide › How do we get this data? › onCompletion with a credential", arguments: [true, false])
    func success(isFirst: Bool) async throws {
        let button = view.button
        try await withAuthorizationScript(AuthorizationScript(.success(isFirst ? .firstOfJohnny : .laterOfJohnny))) {
            button.press()
            let expected = SignInView.UserData(
                userId: user, identityToken: Data((isFirst ? "a token" : "another token").utf8),
                authCode: Data((isFirst ? "a code" : "another code").utf8), email: isFirst ? "johnny@example.com" : nil,
                givenName: isFirst ? "Johnny" : nil, familyName: isFirst ? "Appleseed" : nil, state: "a state")
            try await view.happenings.expect(.read(expected))
        }
    }

    @Test("SwiftUI guide › How do we get this data? › onCompletion with an error")
    func failure() async throws {
        let button = view.button
        try await withAuthorizationScript(AuthorizationScript(.failure(ASAuthorizationError(.invalidResponse)))) {
            button.press()
            try await view.happenings.expect(.failed(.invalidResponse))
        }
    }

    @Test("SwiftUI guide › Handling changes › the observer")
    func observer() async throws {
        let handler = RevocationHandler(userIdentifier: user)
        let script = AuthorizationScript(states: [user: .authorized])
        try await withAuthorizationScript(script) {
            handler.observe()
            script.revoke(userID: user)
            try await handler.happenings.wait(for: .signOut)
        }
    }

    @Test(
        "SwiftUI guide › Upgrading users to Sign in with Apple › Apple's request of iOS 14", arguments: [true, false])
    func upgrade(succeeds: Bool) async throws {
        let upgrade = PasswordUpgrade()
        let script = AuthorizationScript()
        script.passwordReplacement = succeeds ? .success : .failure(ASAuthorizationError(.canceled))
        try await withAuthorizationScript(script) {
            upgrade.upgrade(user: "johnny@example.com")
            try await upgrade.happenings.expect(
                succeeds ? .upgraded(user: "johnny@example.com") : .failed(.canceled))
        }
        #expect(script.replacedUsers == ["johnny@example.com"])
    }

    /// Apple writes `transfer_sub` for sixty days after an app has moved.
    private static func token(_ claims: String) -> String {
        "e30." + Data(claims.utf8).base64EncodedString().replacing("=", with: "") + ".c2ln"
    }

    @Test(
        "SwiftUI guide › Handling changes › the request after a transfer",
        arguments: [
            (
                #"{"sub":"001999.new","transfer_sub":"001999.bridge"}"#,
                TransferredSignIn.Event.signedIn(user: "001999.new")
            ),
            (#"{"sub":"001999.new"}"#, .failed(.failed)),
        ])
    func transferred(claims: String, event: TransferredSignIn.Event) async throws {
        let signIn = TransferredSignIn()
        let script = AuthorizationScript(.credential(user: "001999.new", identityToken: Self.token(claims)))
        try await withAuthorizationScript(script) {
            signIn.authenticate(savedUser: user)
            try await signIn.happenings.expect(event)
        }
        #expect(script.requests.first?.user == user)
    }

    @Test(
        "SwiftUI guide › Handling changes › appleIDCredentialRevoked",
        arguments: [
            (ASAuthorizationAppleIDProvider.CredentialState.authorized, RevocationHandler.Event.goOn),
            (.revoked, .signOut), (.notFound, .showLogin), (.transferred, .migrate),
        ])
    func state(state: ASAuthorizationAppleIDProvider.CredentialState, event: RevocationHandler.Event) async throws {
        let handler = RevocationHandler(userIdentifier: user)
        try await withAuthorizationScript(AuthorizationScript(states: [user: state])) {
            handler.appleIDCredentialRevoked(
                Notification(name: ASAuthorizationAppleIDProvider.credentialRevokedNotification))
            try await handler.happenings.expect(event)
        }
    }
}
