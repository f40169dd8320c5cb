public import Foundation

#if canImport(Darwin)
    public import AuthenticationServices
#else
    public import OpenAuthenticationServices
#endif

/// The outcome of an authorization that the app made with its own `ASAuthorizationController`, for
/// `AccountClient.signIn(with:)`.
public struct AppleCredential: Sendable {
    /// Apple's identifier of the person.
    public var user: String
    /// The identity token in its compact form; without it the code must be there.
    public var identityToken: String?
    /// Apple's authorization code; good once, for about five minutes.
    public var authorizationCode: String?
    /// The raw nonce whose lowercase hexadecimal SHA-256 was the request's `nonce`; nil when the request had none,
    /// which is good for a sign-in by code alone.
    public var nonce: String?
    /// The person's name, which Apple gives once.
    public var fullName: PersonNameComponents?
    /// The bundle or Services identifier that Apple gave the code to. Needed when there is no identity token, which
    /// otherwise says it.
    public var clientID: String?

    /// Makes a credential out of its values.
    public init(
        user: String, identityToken: String?, authorizationCode: String?, nonce: String?,
        fullName: PersonNameComponents? = nil, clientID: String? = nil
    ) {
        self.user = user
        self.identityToken = identityToken
        self.authorizationCode = authorizationCode
        self.nonce = nonce
        self.fullName = fullName
        self.clientID = clientID
    }
}

extension AppleCredential {
    /// Makes a credential from the one that the app's controller received.
    /// - Parameters:
    ///   - credential: the credential that the controller's delegate was given.
    ///   - nonce: the raw nonce whose lowercase hexadecimal SHA-256 was the request's `nonce`.
    public init(_ credential: ASAuthorizationAppleIDCredential, nonce: String?) {
        self.init(
            user: credential.user, identityToken: credential.identityToken.map { String(decoding: $0, as: UTF8.self) },
            authorizationCode: credential.authorizationCode.map { String(decoding: $0, as: UTF8.self) }, nonce: nonce,
            fullName: credential.fullName)
    }
}
