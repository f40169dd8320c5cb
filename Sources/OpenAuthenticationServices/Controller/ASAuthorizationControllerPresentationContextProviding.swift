public import Foundation

/// Says over which window a person is asked.
@MainActor
public protocol ASAuthorizationControllerPresentationContextProviding: NSObjectProtocol {
    /// Called only when the person will be asked; what it returns is not used here.
    func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor
}
