#if canImport(Darwin)
    import AuthenticationServices
#else
    import OpenAuthenticationServices
#endif

/// The sign-in behind a button that makes its own request: SwiftUI's asks for the request's content at the moment of the press,
/// so the client makes the nonce.
@MainActor
final class ButtonSignIn {
    private let calls: AccountCalls
    /// The nonce and the state of the last press; nil before the first.
    private var pressed: (nonce: Nonce, state: String)?

    init(_ calls: AccountCalls) {
        self.calls = calls
    }

    /// Fills in the request of a press. Each press has a nonce and a state of its own.
    func begin(_ request: ASAuthorizationAppleIDRequest, scopes: [ASAuthorization.Scope]) {
        let nonce = Nonce(calls.environment.randomText(byteCount: 32))
        let state = calls.environment.randomText(byteCount: 32)
        pressed = (nonce, state)
        request.requestedScopes = scopes
        request.nonce = nonce.hash
        request.state = state
    }

    /// Signs in with the result of a press, and returns the account.
    /// - Returns: nil if the person gave up. Then the app shows no message.
    func end(_ result: Result<ASAuthorization, any Error>) async -> Result<Account, AccountClientError>? {
        do throws(AccountClientError) {
            return .success(try await calls.signIn(with: try credential(result)))
        } catch {
            return error.code == .cancelled ? nil : .failure(error)
        }
    }

    private func credential(_ result: Result<ASAuthorization, any Error>) throws(AccountClientError) -> AppleCredential
    {
        let authorization: ASAuthorization
        do {
            authorization = try result.get()
        } catch {
            throw AccountClientError(authorization: error)
        }
        guard let credential = authorization.credential as? ASAuthorizationAppleIDCredential else {
            throw AccountClientError(.invalidResponse, "the authorization holds no Apple ID credential")
        }
        guard let pressed, credential.state == pressed.state else {
            throw AccountClientError(.invalidResponse, "the authorization answers another request")
        }
        return AppleCredential(credential, nonce: pressed.nonce.text)
    }
}
