public import Foundation
public import OpenAuthenticationServices

extension ASAuthorizationAppleIDCredential {
    /// A credential as Apple would give it, for a unit test. Nothing in it is checked, the token least of all.
    ///
    /// ```swift
    /// let first = ASAuthorizationAppleIDCredential(
    ///     user: "001999.f2a7", email: "ada@example.com",
    ///     fullName: PersonNameComponents(givenName: "Ada", familyName: "Lovelace"))
    /// let later = ASAuthorizationAppleIDCredential(user: "001999.f2a7")
    /// ```
    ///
    /// - Parameters:
    ///   - state: Nil takes the state of the request that an ``AuthorizationScript`` answers.
    ///   - authorizedScopes: Nil names what is there of name and address.
    public convenience init(
        user: String, email: String? = nil, fullName: PersonNameComponents? = nil, identityToken: Data? = nil,
        authorizationCode: Data? = nil, state: String? = nil, authorizedScopes: [ASAuthorization.Scope]? = nil,
        realUserStatus: ASUserDetectionStatus = .unsupported
    ) {
        var scopes: [ASAuthorization.Scope] = []
        if fullName != nil { scopes.append(.fullName) }
        if email != nil { scopes.append(.email) }
        self.init(
            AppleIDCredentialValues(
                user: user, state: state, authorizedScopes: authorizedScopes ?? scopes,
                authorizationCode: authorizationCode, identityToken: identityToken, email: email, fullName: fullName,
                realUserStatus: realUserStatus))
    }

    /// A copy of a credential with another age range, which only Apple's devices tell.
    public convenience init(_ credential: ASAuthorizationAppleIDCredential, userAgeRange: ASUserAgeRange) {
        var values = credential.values
        values.userAgeRange = userAgeRange
        self.init(values)
    }
}

extension ASAuthorization {
    /// Makes the authorization that a delegate is given, for a unit test that calls the delegate itself.
    public convenience init(credential: ASAuthorizationAppleIDCredential) {
        self.init(provider: ASAuthorizationAppleIDProvider(), credential: credential)
    }

    /// Makes an authorization with a kept password.
    public convenience init(credential: ASPasswordCredential) {
        self.init(provider: ASAuthorizationPasswordProvider(), credential: credential)
    }
}
