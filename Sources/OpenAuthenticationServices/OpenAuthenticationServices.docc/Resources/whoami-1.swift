import AuthenticationServices

@main
struct Whoami {
    @MainActor
    static func main() async {
        let signIn = SignIn()
        do {
            let credential = try await signIn.credential()
            print("This is \(credential.user), with \(credential.email ?? "no address").")
        } catch {
            print(error.localizedDescription)
        }
    }
}

/// Asks the person to sign in, and waits for the answer.
@MainActor
final class SignIn: NSObject, ASAuthorizationControllerDelegate {
    private var waiting: CheckedContinuation<ASAuthorizationAppleIDCredential, any Error>?

    func credential() async throws -> ASAuthorizationAppleIDCredential {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = [.fullName, .email]
        let controller = ASAuthorizationController(authorizationRequests: [request])
        controller.delegate = self
        return try await withCheckedThrowingContinuation { continuation in
            waiting = continuation
            controller.performRequests()
        }
    }

    func authorizationController(
        controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
    ) {
        guard let credential = authorization.credential as? ASAuthorizationAppleIDCredential else { return }
        waiting?.resume(returning: credential)
        waiting = nil
    }

    func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
        waiting?.resume(throwing: error)
        waiting = nil
    }
}
