public import Foundation
import Synchronization

/// What a request to an OpenID provider asks for.
///
/// Sendable: all that can change is behind a lock.
open class ASAuthorizationOpenIDRequest: ASAuthorizationRequest, @unchecked Sendable {
    // Sendable: all that changes, the subclass's `user` too, is behind this lock.
    private let kept: Mutex<OpenIDRequestContent>

    package init(provider: any ASAuthorizationProvider, content: OpenIDRequestContent = OpenIDRequestContent()) {
        kept = Mutex(content)
        super.init(provider: provider)
    }

    /// What it says at this moment.
    package var content: OpenIDRequestContent {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }

    /// Nil and empty both ask for the user identifier alone.
    open var requestedScopes: [ASAuthorization.Scope]? {
        get { content.requestedScopes }
        set { kept.withLock { $0.requestedScopes = newValue } }
    }

    /// Comes back in the credential as it is.
    open var state: String? {
        get { content.state }
        set { kept.withLock { $0.state = newValue } }
    }

    /// Goes into the identity token as it is: a server that expects a hash must be given one here.
    open var nonce: String? {
        get { content.nonce }
        set { kept.withLock { $0.nonce = newValue } }
    }

    /// ``ASAuthorization/OpenIDOperation/operationImplicit`` unless set.
    open var requestedOperation: ASAuthorization.OpenIDOperation {
        get { content.requestedOperation }
        set { kept.withLock { $0.requestedOperation = newValue } }
    }

    /// Who must answer, for the subclass that lets an app say so.
    package var expectedUser: String? {
        get { content.user }
        set { kept.withLock { $0.user = newValue } }
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        ASAuthorizationOpenIDRequest(provider: provider, content: content)
    }

    open override func encode(with coder: NSCoder) {
        content.encode(with: coder)
    }

    /// Nil, as for every request whose provider is not known.
    public required init?(coder: NSCoder) { nil }
}
