import OpenAuthenticationServices
import Testing

@Suite("Apple's words and numbers")
struct RawValueTests {
    @Test("are the raw values of scopes and operations")
    func words() {
        #expect(ASAuthorization.Scope.fullName.rawValue == "full_name")
        #expect(ASAuthorization.Scope.email == ASAuthorization.Scope(rawValue: "email"))
        #expect(ASAuthorization.Scope("phone").rawValue == "phone")
        #expect(ASAuthorization.OpenIDOperation.operationImplicit.rawValue == "implicit")
        #expect(ASAuthorization.OpenIDOperation.operationLogin.rawValue == "login")
        #expect(ASAuthorization.OpenIDOperation.operationRefresh.rawValue == "refresh")
        #expect(ASAuthorization.OpenIDOperation.operationLogout == ASAuthorization.OpenIDOperation("logout"))
        #expect(ASAuthorization.OpenIDOperation(rawValue: "login") == .operationLogin)
    }

    @Test("are the raw values of states and statuses")
    func numbers() {
        typealias State = ASAuthorizationAppleIDProvider.CredentialState
        #expect([State.revoked, .authorized, .notFound, .transferred].map(\.rawValue) == [0, 1, 2, 3])
        #expect([ASUserDetectionStatus.unsupported, .unknown, .likelyReal].map(\.rawValue) == [0, 1, 2])
        #expect([ASUserAgeRange.unknown, .child, .notChild].map(\.rawValue) == [0, 1, 2])
        #expect(ASAuthorizationController.RequestOptions.preferImmediatelyAvailableCredentials.rawValue == 1)
        #expect(ASAuthorizationController.RequestOptions().rawValue == 0)
    }

    @Test("are the raw values of the button's types and styles")
    func buttons() {
        typealias Button = ASAuthorizationAppleIDButton
        #expect([Button.ButtonType.signIn, .continue, .signUp].map(\.rawValue) == [0, 1, 2])
        #expect(Button.ButtonType.default == .signIn)
        #expect([Button.Style.white, .whiteOutline, .black].map(\.rawValue) == [0, 1, 2])
    }

    @Test(
        "are the button's titles",
        arguments: [
            (SignInWithAppleButton.Label.signIn, "Sign in with Apple"),
            (.continue, "Continue with Apple"),
            (.signUp, "Sign up with Apple"),
        ])
    func titles(label: SignInWithAppleButton.Label, title: String) {
        #expect(label.title == title)
        #expect(label.buttonType.title == title)
    }

    @Test("are the styles of SwiftUI's button")
    func styles() {
        let styles: [SignInWithAppleButton.Style] = [.white, .whiteOutline, .black]
        #expect(styles.map(\.buttonStyle) == [.white, .whiteOutline, .black])
    }

    @Test("are the name of the notification of a revoked credential")
    func notification() {
        #expect(
            ASAuthorizationAppleIDProvider.credentialRevokedNotification.rawValue
                == "ASAuthorizationAppleIDCredentialRevokedNotification")
    }
}
