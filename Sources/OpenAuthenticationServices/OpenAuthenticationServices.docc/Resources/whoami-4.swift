import AuthenticationServices
import CryptoKit

@main
struct Whoami {
    @MainActor
    static func main() async {
        #if !canImport(Darwin)
            if let url = URL(string: "http://localhost:4000") {
                var configuration = AuthenticationServicesConfiguration(backend: url, app: "juice")
                configuration.flow = .device
                configuration.timeout = .seconds(300)
                AuthenticationServicesConfiguration.shared = configuration
            }
        #endif
        let signIn = SignIn()
        do {
            let nonce = UUID().uuidString
            let credential = try await signIn.credential(nonce: nonce)
            print("This is \(credential.user), with \(credential.email ?? "no address").")
            let token = String(decoding: credential.identityToken ?? Data(), as: UTF8.self)
            print("For your server: a token of \(token.count) characters, and the nonce \(nonce).")
        } catch let error as ASAuthorizationError where error.code == .canceled {
            print("Until next time.")
        } catch {
            print(error.localizedDescription)
        }
    }
}

/// Asks the person to sign in, and waits for the answer.
@MainActor
final class SignIn: NSObject, ASAuthorizationControllerDelegate {
    private var waiting: CheckedContinuation<ASAuthorizationAppleIDCredential, any Error>?

    func credential(nonce: String) async throws -> ASAuthorizationAppleIDCredential {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        request.requestedScopes = [.fullName, .email]
        request.nonce = SHA256.hash(data: Data(nonce.utf8)).map { String(format: "%02x", $0) }.joined()
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
