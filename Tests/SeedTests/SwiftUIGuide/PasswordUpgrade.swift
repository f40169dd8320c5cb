import AuthenticationServices

/// The upgrade that the guide speaks of and prints no code for, with Apple's own types of iOS 14.
@MainActor
final class PasswordUpgrade: NSObject {
    enum Event: Sendable, Equatable {
        case upgraded(user: String)
        case failed(ASAuthorizationError.Code)
    }

    nonisolated let happenings = Happenings<Event>()

    func upgrade(user: String) {
        let request = ASAccountAuthenticationModificationReplacePasswordWithSignInWithAppleRequest(
            user: user,
            serviceIdentifier: ASCredentialServiceIdentifier(identifier: "example.com", type: .domain), userInfo: nil)
        let controller = ASAccountAuthenticationModificationController()
        controller.delegate = self
        controller.presentationContextProvider = self
        controller.perform(request)
    }
}

extension PasswordUpgrade: ASAccountAuthenticationModificationControllerDelegate {
    func accountAuthenticationModificationController(
        _ controller: ASAccountAuthenticationModificationController,
        didSuccessfullyComplete request: ASAccountAuthenticationModificationRequest, userInfo: [AnyHashable: Any]?
    ) {
        happenings.note(.upgraded(user: request.user))
    }

    func accountAuthenticationModificationController(
        _ controller: ASAccountAuthenticationModificationController,
        didFail request: ASAccountAuthenticationModificationRequest, error: Error
    ) {
        if let error = error as? ASAuthorizationError { happenings.note(.failed(error.code)) }
    }
}

extension PasswordUpgrade: ASAccountAuthenticationModificationControllerPresentationContextProviding {
    func presentationAnchor(for controller: ASAccountAuthenticationModificationController) -> ASPresentationAnchor {
        ASPresentationAnchor()
    }
}
