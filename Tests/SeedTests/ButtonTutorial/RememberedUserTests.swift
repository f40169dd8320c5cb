import AuthenticationServices
import AuthenticationServicesTesting
import Testing

/// One after the other: the snippets share the user defaults.
@MainActor
@Suite("The button tutorial's remembered user", .serialized, .timeLimit(.minutes(1)))
struct RememberedUserTests {
    private let user = ASAuthorizationAppleIDCredential.userOfJohnny
    private let controller = ViewController()

    init() {
        SeedDefaults.clear()
    }

    @Test("Button tutorial › Check if user has logged in before › saving the user")
    func saving() async throws {
        let keeper = UserIDKeeper()
        try await withAuthorizationScript(AuthorizationScript(.success(.firstOfJohnny))) {
            let asking = ASAuthorizationController(
                authorizationRequests: [ASAuthorizationAppleIDProvider().createRequest()])
            asking.delegate = keeper
            asking.performRequests()
            try await keeper.happenings.expect(user)
        }
        #expect(SeedDefaults.own.string(forKey: "userID") == user)
        #expect(UserDefaults.standard.string(forKey: "userID") == nil)
    }

    @Test("Button tutorial › Check if user has logged in before › moving on", arguments: [true, false])
    func moving(isKnown: Bool) async throws {
        if isKnown { SeedDefaults.own.set(user, forKey: "userID") }
        controller.moveToMainViewIfKnown()
        // The next event tells whether something came before.
        controller.appleIDStateRevoked()
        if isKnown {
            try await controller.happenings.expect(.moved(to: "LoginToMainViewSegue", sender: user))
        }
        try await controller.happenings.expect(.loggedOut)
    }

    @Test(
        "Button tutorial › Check if user has logged in before › getCredentialState",
        arguments: [
            (
                ASAuthorizationAppleIDProvider.CredentialState.authorized,
                "user remain logged in, proceed to another view"
            ),
            (.revoked, "user logged in before but revoked"), (.notFound, "user haven't log in before"),
            (.transferred, "unknown state"),
        ])
    func state(state: ASAuthorizationAppleIDProvider.CredentialState, line: String) async throws {
        SeedDefaults.own.set(user, forKey: "userID")
        let printed = Happenings<String>()
        try await Printed.$lines.withValue(printed) {
            try await withAuthorizationScript(AuthorizationScript(states: [user: state])) {
                controller.moveToUserIfStillSignedIn()
                try await printed.expect(line)
            }
        }
        if state == .authorized {
            try await controller.happenings.expect(.moved(to: "LoginToUserSegue", sender: nil))
        }
    }

    @Test("Button tutorial › Apple ID sign in status changes notification › observing")
    func revocation() async throws {
        controller.observeRevocation()
        AuthorizationScript().revoke(userID: user)
        try await controller.happenings.expect(.loggedOut)
    }
}
