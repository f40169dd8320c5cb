public import Foundation

/// Hears how a controller's requests ended: one call of either method for each performing.
///
/// Both have a default that does nothing, since Apple's are optional. The compiler therefore says nothing about a
/// misspelt method, which is then never called.
@MainActor
public protocol ASAuthorizationControllerDelegate: NSObjectProtocol {
    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization)

    /// - Parameter error: An ``ASAuthorizationError``.
    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error)
}

extension ASAuthorizationControllerDelegate {
    public func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {}

    public func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {}
}
