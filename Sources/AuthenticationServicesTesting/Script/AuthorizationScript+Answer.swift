public import OpenAuthenticationServices

extension AuthorizationScript {
    /// What the person who is asked does.
    public struct Answer: Sendable {
        let credential: @Sendable (Request) async throws(ASAuthorizationError) -> ASAuthorizationAppleIDCredential

        /// For answers that depend on the request, such as a token with its nonce.
        public init(
            _ credential:
                @escaping @Sendable (Request) async throws(ASAuthorizationError) ->
                ASAuthorizationAppleIDCredential
        ) {
            self.credential = credential
        }

        /// Signs in. A credential without a state gets the request's; one with another state or user than the request's
        /// is refused by the controller, as a real one would be.
        public static func success(_ credential: ASAuthorizationAppleIDCredential) -> Self {
            Self { _ throws(ASAuthorizationError) in credential }
        }

        /// Presses Cancel on Apple's page.
        public static let cancel = failure(.canceled, reason: .cancelledAtApple)

        /// Comes to nothing, with this error.
        public static func failure(_ error: ASAuthorizationError) -> Self {
            Self { _ throws(ASAuthorizationError) in throw error }
        }

        /// Comes to nothing, with this code and the sentences that belong to it.
        public static func failure(
            _ code: ASAuthorizationError.Code, reason: ASAuthorizationError.Reason
        ) -> Self {
            failure(ASAuthorizationError(code, reason: reason))
        }

        /// The same once the test has sent the signal, or the app has cancelled.
        public func after(_ signal: AuthorizationSignal) -> Self {
            Self { request throws(ASAuthorizationError) in
                await signal.wait()
                return try await credential(request)
            }
        }
    }
}
