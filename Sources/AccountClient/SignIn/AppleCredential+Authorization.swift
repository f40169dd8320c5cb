import Foundation

#if canImport(Darwin)
    public import AuthenticationServices
#else
    public import OpenAuthenticationServices
#endif

extension AppleCredential {
    /// - Parameters:
    ///   - credential: what the controller's delegate was given.
    ///   - nonce: the raw nonce whose lowercase hexadecimal SHA-256 was the request's `nonce`.
    public init(_ credential: ASAuthorizationAppleIDCredential, nonce: String?) {
        self.init(
            user: credential.user, identityToken: credential.identityToken.map { String(decoding: $0, as: UTF8.self) },
            authorizationCode: credential.authorizationCode.map { String(decoding: $0, as: UTF8.self) }, nonce: nonce,
            fullName: credential.fullName)
    }
}
