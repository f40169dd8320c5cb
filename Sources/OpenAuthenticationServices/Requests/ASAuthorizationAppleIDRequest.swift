public import Foundation

/// Asks a person to sign in with Apple.
///
/// Sendable: it stores nothing of its own; the rest is behind its superclass's lock.
open class ASAuthorizationAppleIDRequest: ASAuthorizationOpenIDRequest, @unchecked Sendable {
    // Sendable: it keeps nothing of its own.

    /// The identifier of the person who must answer, when the app knows who that is; an answer by somebody else fails.
    open var user: String? {
        get { expectedUser }
        set { expectedUser = newValue }
    }

    /// Copies the request with its values.
    open override func copy(with zone: NSZone? = nil) -> Any {
        ASAuthorizationAppleIDRequest(provider: provider, content: content)
    }

    package override init(
        provider: any ASAuthorizationProvider, content: OpenIDRequestContent = OpenIDRequestContent()
    ) {
        super.init(provider: provider, content: content)
    }

    /// Reads a request from an archive.
    public required init?(coder: NSCoder) {
        super.init(provider: ASAuthorizationAppleIDProvider(), content: OpenIDRequestContent(coder: coder))
    }
}

/// The values of an ``ASAuthorizationAppleIDRequest`` when it was performed. Later changes of the request are not seen.
package struct AppleIDRequestValues: Hashable, Sendable {
    /// The scopes, in the caller's order.
    package var requestedScopes: [ASAuthorization.Scope]
    package var state: String?
    /// Goes into the identity token as it is.
    package var nonce: String?
    /// The user who must answer; anybody when nil.
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
