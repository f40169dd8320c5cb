import AuthenticationServices

/// A delegate of no actor's, as code has it that was written before Apple's protocol came to the main actor.
final class NonisolatedDelegate: NSObject, ASAuthorizationControllerDelegate {
    nonisolated func authorizationController(
        controller: ASAuthorizationController, didCompleteWithError error: any Error
    ) {
        print(error.localizedDescription)
    }
}

/// A provider that keeps the same promise, by the compiler's word alone.
@MainActor
final class PreconcurrentProvider: NSObject, @preconcurrency ASAuthorizationControllerPresentationContextProviding {
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
        ASPresentationAnchor()
    }
}
