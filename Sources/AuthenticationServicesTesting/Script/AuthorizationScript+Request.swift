public import OpenAuthenticationServices

extension AuthorizationScript {
    /// What a controller asked, as it stood when it performed.
    public struct Request: Hashable, Sendable {
        /// In the app's order; empty when it set none.
        public let requestedScopes: [ASAuthorization.Scope]
        public let state: String?
        public let nonce: String?
        public let user: String?
        public let requestedOperation: ASAuthorization.OpenIDOperation
        /// Whether only credentials that need no asking were looked for.
        public let isSilent: Bool
        /// Whether a sign-in with Apple was among the requests; if not, all above it is empty.
        public let includesAppleID: Bool
        public let includesPassword: Bool

        init(asking values: AppleIDRequestValues) {
            self.init(appleID: values, isSilent: false, includesPassword: false)
        }

        init(looking requests: ExistingCredentialRequests) {
            self.init(appleID: requests.appleID, isSilent: true, includesPassword: requests.includesPassword)
        }

        private init(appleID: AppleIDRequestValues?, isSilent: Bool, includesPassword: Bool) {
            let values = appleID ?? AppleIDRequestValues()
            requestedScopes = values.requestedScopes
            state = values.state
            nonce = values.nonce
            user = values.user
            requestedOperation = values.requestedOperation
            self.isSilent = isSilent
            includesAppleID = appleID != nil
            self.includesPassword = includesPassword
        }
    }
}
