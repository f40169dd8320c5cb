public import Foundation
import TaskSignals

/// A request to an OpenID provider.
///
/// Sendable: all that can change is behind a lock.
open class ASAuthorizationOpenIDRequest: ASAuthorizationRequest, @unchecked Sendable {
    // Sendable: all that changes, the subclass's `user` too, is behind this lock.
    private let kept: Lock<OpenIDRequestContent>

    package init(provider: any ASAuthorizationProvider, content: OpenIDRequestContent = OpenIDRequestContent()) {
        kept = Lock(content)
        super.init(provider: provider)
    }

    /// The request's values at this moment.
    package var content: OpenIDRequestContent {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }

    /// Nil and empty both ask for the user identifier alone.
    open var requestedScopes: [ASAuthorization.Scope]? {
        get { content.requestedScopes }
        set { kept.withLock { $0.requestedScopes = newValue } }
    }

    /// A value that comes back in the credential as it is.
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

    /// The user who must answer, for the subclass that lets an app say so.
    package var expectedUser: String? {
        get { content.user }
        set { kept.withLock { $0.user = newValue } }
    }

    /// Copies the request with its values.
    open override func copy(with zone: NSZone? = nil) -> Any {
        ASAuthorizationOpenIDRequest(provider: provider, content: content)
    }

    /// Writes the request to an archive.
    open override func encode(with coder: NSCoder) {
        content.encode(with: coder)
    }

    /// Nil, as for every request whose provider is not known.
    public required init?(coder: NSCoder) { nil }
}

/// The values of a request, in one struct, so that a copy is one assignment.
package struct OpenIDRequestContent: Hashable, Sendable {
    package var requestedScopes: [ASAuthorization.Scope]?
    package var state: String?
    package var nonce: String?
    package var requestedOperation: ASAuthorization.OpenIDOperation = .operationImplicit
    package var user: String?

    package init() {}

    /// The values that a performer is given.
    package var values: AppleIDRequestValues {
        AppleIDRequestValues(
            requestedScopes: requestedScopes ?? [], state: state, nonce: nonce, user: user,
            requestedOperation: requestedOperation)
    }

    init(coder: NSCoder) {
        let scopes = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: Key.requestedScopes) as? [String]
        requestedScopes = scopes?.map { ASAuthorization.Scope($0) }
        state = Self.string(Key.state, in: coder)
        nonce = Self.string(Key.nonce, in: coder)
        user = Self.string(Key.user, in: coder)
        if let operation = Self.string(Key.requestedOperation, in: coder) {
            requestedOperation = ASAuthorization.OpenIDOperation(operation)
        }
    }

    func encode(with coder: NSCoder) {
        coder.encode(requestedScopes.map { $0.map { $0.rawValue as NSString } as NSArray }, forKey: Key.requestedScopes)
        coder.encode(state as NSString?, forKey: Key.state)
        coder.encode(nonce as NSString?, forKey: Key.nonce)
        coder.encode(user as NSString?, forKey: Key.user)
        coder.encode(requestedOperation.rawValue as NSString, forKey: Key.requestedOperation)
    }

    private static func string(_ key: String, in coder: NSCoder) -> String? {
        coder.decodeObject(of: NSString.self, forKey: key) as String?
    }

    private enum Key {
        static let requestedScopes = "requestedScopes"
        static let state = "state"
        static let nonce = "nonce"
        static let user = "user"
        static let requestedOperation = "requestedOperation"
    }
}
