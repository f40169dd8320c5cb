public import OpenAuthenticationServices

extension ASAuthorization {
    /// What a delegate is given, for a unit test that calls the delegate itself.
    public convenience init(credential: ASAuthorizationAppleIDCredential) {
        self.init(provider: ASAuthorizationAppleIDProvider(), credential: credential)
    }

    /// The same around a kept password.
    public convenience init(credential: ASPasswordCredential) {
        self.init(provider: ASAuthorizationPasswordProvider(), credential: credential)
    }
}
