import AuthenticationServices

/// The request that the guide's comment in `.transferred` speaks of: the code that authenticates, with the saved user
/// identifier in the request.
@MainActor
final class TransferredSignIn: NSObject {
    enum Event: Sendable, Equatable {
        case signedIn(user: String)
        case failed(ASAuthorizationError.Code)
    }

    nonisolated let happenings = Happenings<Event>()

    func authenticate(savedUser: String) {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = [.fullName, .email]
        request.user = savedUser
        let controller = ASAuthorizationController(authorizationRequests: [request])
        controller.delegate = self
        controller.performRequests()
    }
}

extension TransferredSignIn: ASAuthorizationControllerDelegate {
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        guard let credential = authorization.credential as? ASAuthorizationAppleIDCredential else { return }
        happenings.note(.signedIn(user: credential.user))
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: Error) {
        if let error = error as? ASAuthorizationError { happenings.note(.failed(error.code)) }
    }
}
