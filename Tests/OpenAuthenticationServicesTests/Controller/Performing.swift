import AuthenticationServicesTesting
import OpenAuthenticationServices

/// Ada, on the first visit.
var ada: ASAuthorizationAppleIDCredential {
    var name = PersonNameComponents()
    name.givenName = "Ada"
    name.familyName = "Lovelace"
    return ASAuthorizationAppleIDCredential(
        user: "001999.ada", email: "ada@example.com", fullName: name, identityToken: Data("token".utf8),
        authorizationCode: Data("code".utf8))
}

/// Performs, waits for the answer, and returns what the delegate heard. Without requests given, one for Apple ID.
@MainActor
func perform(
    _ requests: [ASAuthorizationRequest]? = nil, options: ASAuthorizationController.RequestOptions = [],
    with script: AuthorizationScript
) async -> RecordingDelegate {
    let delegate = RecordingDelegate()
    await withAuthorizationScript(script) {
        let controller = ASAuthorizationController(
            authorizationRequests: requests ?? [ASAuthorizationAppleIDProvider().createRequest()])
        controller.delegate = delegate
        controller.presentationContextProvider = delegate
        controller.performRequests(options: options)
        await script.allAnswered()
    }
    return delegate
}
