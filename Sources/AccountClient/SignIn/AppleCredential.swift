public import Foundation

/// What an authorization gave an app that made the `ASAuthorizationController` itself, for
/// ``AccountClient/signIn(with:)``.
public struct AppleCredential: Sendable {
    /// Apple's identifier of the person.
    public var user: String
    /// The compact token; without it the code must be there.
    public var identityToken: String?
    public var authorizationCode: String?
    /// The raw nonce whose lowercase hexadecimal SHA-256 was the request's `nonce`; nil when the request had none,
    /// which is good for a sign-in by code alone.
    public var nonce: String?
    /// Comes from Apple once.
    public var fullName: PersonNameComponents?
    /// The bundle or Services identifier that Apple gave the code to. Needed when there is no identity token, which
    /// otherwise says it.
    public var clientID: String?

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
