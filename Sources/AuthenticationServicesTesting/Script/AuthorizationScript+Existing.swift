public import OpenAuthenticationServices

extension AuthorizationScript {
    /// What a look without asking finds.
    public enum Existing: Sendable {
        /// Nothing: the look ends with `canceled` and the reason `noStoredCredential`.
        case none
        case appleID(ASAuthorizationAppleIDCredential)
        /// Found only where a password was asked for.
        case password(ASPasswordCredential)
        case failure(ASAuthorizationError)
    }
}
