import OpenAuthenticationServices

/// Keeps what a controller says and asks.
@MainActor
final class RecordingDelegate: NSObject, ASAuthorizationControllerDelegate,
    ASAuthorizationControllerPresentationContextProviding
{
    private(set) var outcomes: [Outcome] = []
    private(set) var anchorsAsked = 0
    /// Called with each outcome.
    var onOutcome: (Outcome) -> Void = { _ in }

    enum Outcome {
        case authorization(ASAuthorization)
        case error(any Error)
    }

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        MainActor.assertIsolated()
        note(.authorization(authorization))
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        MainActor.assertIsolated()
        note(.error(error))
    }

    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        anchorsAsked += 1
        return ASPresentationAnchor()
    }

    private func note(_ outcome: Outcome) {
        outcomes.append(outcome)
        onOutcome(outcome)
    }

    var authorizations: [ASAuthorization] {
        outcomes.compactMap { if case .authorization(let authorization) = $0 { authorization } else { nil } }
    }

    var errors: [ASAuthorizationError] {
        outcomes.compactMap { if case .error(let error) = $0 { error as? ASAuthorizationError } else { nil } }
    }

    /// The credential, when there was one authorization and nothing else.
    var appleIDCredential: ASAuthorizationAppleIDCredential? {
        outcomes.count == 1 ? authorizations.first?.credential as? ASAuthorizationAppleIDCredential : nil
    }

    /// The error, when there was one and nothing else.
    var error: ASAuthorizationError? { outcomes.count == 1 ? errors.first : nil }
}
