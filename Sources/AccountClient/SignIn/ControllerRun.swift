#if canImport(Darwin)
    import AuthenticationServices
    import Foundation

    import class OpenAuthenticationServices.Arrival

    /// One run of an authorization controller, as an `async` call. It is the controller's delegate, and lives until the
    /// one answer is there; what might come later finds nobody.
    @MainActor
    final class ControllerRun: NSObject, ASAuthorizationControllerDelegate {
        private let answer = Arrival<ASAuthorization>()

        static func perform(
            scopes: [ASAuthorization.Scope], nonce: String, state: String
        ) async throws -> ClientCore.Authorized {
            try await ControllerRun().credential(scopes: scopes, nonce: nonce, state: state)
        }

        private func credential(
            scopes: [ASAuthorization.Scope], nonce: String, state: String
        ) async throws -> ClientCore.Authorized {
            let request = ASAuthorizationAppleIDProvider().createRequest()
            request.requestedScopes = scopes
            request.nonce = nonce
            request.state = state
            let controller = ASAuthorizationController(authorizationRequests: [request])
            controller.delegate = self
            controller.performRequests()
            let authorization: ASAuthorization
            do {
                authorization = try await answer.value()
            } catch is CancellationError {
                controller.cancel()
                throw AccountClientError(.cancelled, "the sign-in was cancelled, or another one has taken its place")
            } catch {
                throw AccountClientError(authorization: error)
            }
            guard let credential = authorization.credential as? ASAuthorizationAppleIDCredential else {
                throw AccountClientError(.invalidResponse, "the authorization holds no Apple ID credential")
            }
            return ClientCore.Authorized(
                credential: AppleCredential(credential, nonce: nil), state: credential.state)
        }

        func authorizationController(
            controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
        ) {
            answer.deliver(.success(authorization))
        }

        func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
            answer.deliver(.failure(error))
        }
    }
#endif
