import AuthenticationServices
import AuthenticationServicesTesting

extension ASAuthorizationAppleIDCredential {
    static let userOfJohnny = "001999.johnny"

    /// Apple's answer at the first sign-in.
    static var firstOfJohnny: ASAuthorizationAppleIDCredential {
        ASAuthorizationAppleIDCredential(
            user: userOfJohnny, email: "johnny@example.com",
            fullName: PersonNameComponents(givenName: "Johnny", familyName: "Appleseed"),
            identityToken: Data("a token".utf8), authorizationCode: Data("a code".utf8))
    }

    /// Apple's answer at all later sign-ins.
    static var laterOfJohnny: ASAuthorizationAppleIDCredential {
        ASAuthorizationAppleIDCredential(
            user: userOfJohnny, identityToken: Data("another token".utf8), authorizationCode: Data("another code".utf8))
    }
}
