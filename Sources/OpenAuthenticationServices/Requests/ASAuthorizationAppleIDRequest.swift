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

    open override func copy(with zone: NSZone? = nil) -> Any {
        ASAuthorizationAppleIDRequest(provider: provider, content: content)
    }

    package override init(
        provider: any ASAuthorizationProvider, content: OpenIDRequestContent = OpenIDRequestContent()
    ) {
        super.init(provider: provider, content: content)
    }

    public required init?(coder: NSCoder) {
        super.init(provider: ASAuthorizationAppleIDProvider(), content: OpenIDRequestContent(coder: coder))
    }
}
