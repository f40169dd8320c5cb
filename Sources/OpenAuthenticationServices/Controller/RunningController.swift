/// A controller on its way to the main actor.
///
/// Sendable: a controller keeps everything behind its lock, and this passes it on to the main actor's own protocols
/// alone.
struct RunningController: @unchecked Sendable {
    private let controller: ASAuthorizationController

    init(_ controller: ASAuthorizationController) {
        self.controller = controller
    }

    /// There is no window to use: apps only expect to be asked.
    @MainActor func askForAnchor() {
        _ = controller.presentationContextProvider?.presentationAnchor(for: controller)
    }

    @MainActor func tell(_ result: Result<ASAuthorization, ASAuthorizationError>) {
        switch result {
        case .success(let authorization):
            controller.delegate?.authorizationController(
                controller: controller, didCompleteWithAuthorization: authorization)
        case .failure(let error):
            controller.delegate?.authorizationController(controller: controller, didCompleteWithError: error)
        }
    }
}
