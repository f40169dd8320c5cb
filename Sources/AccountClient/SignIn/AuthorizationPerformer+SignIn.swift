#if !canImport(Darwin)
    import OpenAuthenticationServices

    extension AuthorizationPerformer {
        /// What a controller would have performed, without its delegate: a controller that is cancelled answers at
        /// once, while this ends when everything that it began has ended. A program that exits then has told the
        /// account service that nobody waits any more.
        func authorized(
            scopes: [ASAuthorization.Scope], nonce: String, state: String
        ) async throws(AccountClientError) -> ClientCore.Authorized {
            performingBegan()
            let result: Result<AppleIDCredentialValues, ASAuthorizationError>
            do throws(ASAuthorizationError) {
                result = .success(
                    try await authorize(AppleIDRequestValues(requestedScopes: scopes, state: state, nonce: nonce)))
            } catch {
                result = .failure(error)
            }
            await MainActor.run { performingEnded() }
            // As a controller does: a credential that comes at the same moment is nobody's any more.
            guard !Task.isCancelled else {
                throw AccountClientError(.cancelled, "the sign-in was cancelled, or another one has taken its place")
            }
            do {
                let credential = ASAuthorizationAppleIDCredential(try result.get())
                return ClientCore.Authorized(
                    credential: AppleCredential(credential, nonce: nil), state: credential.state)
            } catch {
                throw AccountClientError(authorization: error)
            }
        }
    }
#endif
