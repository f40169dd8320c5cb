import AuthenticationServices

/// SwiftUI's button without a picture: pressing it asks for the request, performs it and hands on the result.
@MainActor
final class SignInWithAppleButton: NSObject, ASAuthorizationControllerDelegate {
    typealias Label = AuthenticationServices.SignInWithAppleButton.Label
    typealias Style = AuthenticationServices.SignInWithAppleButton.Style

    let title: String
    private let onRequest: (ASAuthorizationAppleIDRequest) -> Void
    private let onCompletion: (Result<ASAuthorization, any Error>) -> Void

    init(
        _ label: Label = .signIn, onRequest: @escaping (ASAuthorizationAppleIDRequest) -> Void,
        onCompletion: @escaping (Result<ASAuthorization, any Error>) -> Void
    ) {
        title = label.title
        self.onRequest = onRequest
        self.onCompletion = onCompletion
    }

    func press() {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        onRequest(request)
        let controller = ASAuthorizationController(authorizationRequests: [request])
        controller.delegate = self
        controller.performRequests()
    }

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        onCompletion(.success(authorization))
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        onCompletion(.failure(error))
    }
}
