import AccountConnection
import Foundation
import TaskSignals

#if canImport(Darwin)
    import AuthenticationServices

    /// One run of an authorization controller, as an `async` call. It is the controller's delegate, and lives until the
    /// one answer is there.
    @MainActor
    final class ControllerRun: NSObject, ASAuthorizationControllerDelegate {
        private let answer = OneShot<ASAuthorization>()

        static func perform(
            scopes: [ASAuthorization.Scope], nonce: String, state: String
        ) async throws -> AccountCalls.Authorized {
            try await ControllerRun().credential(scopes: scopes, nonce: nonce, state: state)
        }

        private func credential(
            scopes: [ASAuthorization.Scope], nonce: String, state: String
        ) async throws -> AccountCalls.Authorized {
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
                throw AccountClientError.superseded
            } catch {
                throw AccountClientError(authorization: error)
            }
            guard let credential = authorization.credential as? ASAuthorizationAppleIDCredential else {
                throw AccountClientError(.invalidResponse, "the authorization holds no Apple ID credential")
            }
            return AccountCalls.Authorized(
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
#else
    import OpenAuthenticationServices

    extension AuthorizationPerformer {
        /// Performs an authorization as a controller would, without its delegate.
        ///
        /// A controller that is cancelled answers at once. This ends when everything that it began has ended, so a
        /// program that exits then has told the account service that nobody waits any more.
        func authorized(
            scopes: [ASAuthorization.Scope], nonce: String, state: String
        ) async throws(AccountClientError) -> AccountCalls.Authorized {
            performingBegan()
            let result: Result<AppleIDCredentialValues, ASAuthorizationError>
            do throws(ASAuthorizationError) {
                result = .success(
                    try await authorize(AppleIDRequestValues(requestedScopes: scopes, state: state, nonce: nonce)))
            } catch {
                result = .failure(error)
            }
            await MainActor.run { performingEnded() }
            // A credential that comes at the same moment is dropped, as with a controller.
            guard !Task.isCancelled else { throw .superseded }
            do {
                let credential = ASAuthorizationAppleIDCredential(try result.get())
                return AccountCalls.Authorized(
                    credential: AppleCredential(credential, nonce: nil), state: credential.state)
            } catch {
                throw AccountClientError(authorization: error)
            }
        }
    }
#endif
