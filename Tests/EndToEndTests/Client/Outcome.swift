import Foundation
import OpenAuthenticationServices

/// The outcome of one `performRequests()`.
struct Outcome: Sendable {
    var credential: ASAuthorizationAppleIDCredential?
    var error: ASAuthorizationError?

    /// Asks for name and address as apps do, over an account service.
    @MainActor
    static func perform(
        in configuration: AuthenticationServicesConfiguration,
        edit: (ASAuthorizationAppleIDRequest) -> Void = { _ in }
    ) async -> Outcome {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = [.fullName, .email]
        edit(request)
        let controller = ASAuthorizationController(authorizationRequests: [request])
        let delegate = Delegate()
        controller.delegate = delegate
        CurrentPerformer.$scoped.withValue(AccountServicePerformer(configuration: configuration)) {
            controller.performRequests()
        }
        var outcomes = delegate.outcomes.makeAsyncIterator()
        return await outcomes.next() ?? Outcome()
    }
}

@MainActor
private final class Delegate: NSObject, ASAuthorizationControllerDelegate {
    let (outcomes, told) = AsyncStream.makeStream(of: Outcome.self)

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        told.yield(Outcome(credential: authorization.credential as? ASAuthorizationAppleIDCredential))
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        told.yield(Outcome(error: error as? ASAuthorizationError))
    }
}
