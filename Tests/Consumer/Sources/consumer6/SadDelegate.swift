import AuthenticationServices

/// A delegate that cares for the other of the two methods, with the five codes that Apple began with.
@MainActor
final class SadDelegate: NSObject {
    var finished: () -> Void = {}
}

extension SadDelegate: ASAuthorizationControllerDelegate {
    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: Error) {
        defer { finished() }
        print("authorization error")
        guard let error = error as? ASAuthorizationError else { return }
        switch error.code {
        case .canceled: print("Canceled")
        case .unknown: print("Unknown")
        case .invalidResponse: print("Invalid response")
        case .notHandled: print("Not handled")
        case .failed: print("Failed")
        @unknown default: print("Default")
        }
    }
}
