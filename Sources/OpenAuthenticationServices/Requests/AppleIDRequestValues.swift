/// What an ``ASAuthorizationAppleIDRequest`` said when it was performed; what happens to the request later is not seen.
package struct AppleIDRequestValues: Hashable, Sendable {
    /// In the caller's order.
    package var requestedScopes: [ASAuthorization.Scope]
    package var state: String?
    /// Goes into the identity token as it is.
    package var nonce: String?
    /// Who must answer; anybody when nil.
    package var user: String?
    package var requestedOperation: ASAuthorization.OpenIDOperation

    package init(
        requestedScopes: [ASAuthorization.Scope] = [], state: String? = nil, nonce: String? = nil, user: String? = nil,
        requestedOperation: ASAuthorization.OpenIDOperation = .operationImplicit
    ) {
        self.requestedScopes = requestedScopes
        self.state = state
        self.nonce = nonce
        self.user = user
        self.requestedOperation = requestedOperation
    }
}
