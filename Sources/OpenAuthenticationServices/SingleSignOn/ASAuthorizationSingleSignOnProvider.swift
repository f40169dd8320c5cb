public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Makes requests to an organization's identity provider, which an extension on an Apple device answers.
///
/// There are no such extensions here. A controller skips these requests, and ends with
/// ``ASAuthorizationError/Code/notHandled`` if it has no other.
///
/// Sendable: its one stored property is a constant.
open class ASAuthorizationSingleSignOnProvider: NSObject, ASAuthorizationProvider, @unchecked Sendable {
    // Sendable: set once.
    private let address: URL

    private init(address: URL) {
        self.address = address
    }

    /// Makes a provider for an identity provider.
    ///
    /// - Parameter url: The identity provider's address.
    public convenience init(identityProvider url: URL) {
        self.init(address: url)
    }

    /// The identity provider's address.
    open var url: URL { address }

    /// Always false: no extension answers here.
    open var canPerformAuthorization: Bool { false }

    /// Makes a request to the identity provider.
    open func createRequest() -> ASAuthorizationSingleSignOnRequest {
        ASAuthorizationSingleSignOnRequest(provider: self, content: OpenIDRequestContent(), settings: .init())
    }
}

/// A request to an organization's identity provider. Controllers skip it here.
///
/// Sendable: all that can change is behind a lock.
open class ASAuthorizationSingleSignOnRequest: ASAuthorizationOpenIDRequest, @unchecked Sendable {
    // Sendable: all that changes is behind this lock and the superclass's.
    private let kept: LockedValues<Settings>

    struct Settings: Sendable {
        var authorizationOptions: [URLQueryItem] = []
        var isUserInterfaceEnabled = true
    }

    init(provider: any ASAuthorizationProvider, content: OpenIDRequestContent, settings: Settings) {
        kept = LockedValues(settings)
        super.init(provider: provider, content: content)
    }

    /// Parameters for the identity provider.
    open var authorizationOptions: [URLQueryItem] {
        get { kept.authorizationOptions }
        set { kept.authorizationOptions = newValue }
    }

    /// Whether the extension may show something. True by default.
    open var isUserInterfaceEnabled: Bool {
        get { kept.isUserInterfaceEnabled }
        set { kept.isUserInterfaceEnabled = newValue }
    }

    /// Copies the request with its values.
    open override func copy(with zone: NSZone? = nil) -> Any {
        ASAuthorizationSingleSignOnRequest(provider: provider, content: content, settings: kept.current)
    }

    /// Nil: requests for single sign-on are not archived here.
    public required init?(coder: NSCoder) { nil }
}

/// The credential of an organization's identity provider. Only an extension on an Apple device gives one.
///
/// Sendable: its one stored property is a constant of Sendable values.
open class ASAuthorizationSingleSignOnCredential: NSObject, ASAuthorizationCredential, @unchecked Sendable {
    // Sendable: set once.
    private let values: SingleSignOnValues

    package init(_ values: SingleSignOnValues) {
        self.values = values
    }

    /// The request's own, unchanged.
    open var state: String? { values.state }

    /// The identity provider's access token.
    open var accessToken: Data? { values.accessToken }

    /// The identity provider's identity token, a JWT in UTF-8.
    open var identityToken: Data? { values.identityToken }

    /// The scopes that were granted.
    open var authorizedScopes: [ASAuthorization.Scope] { values.authorizedScopes }

    /// The whole response of the identity provider, if the extension hands it on.
    open var authenticatedResponse: HTTPURLResponse? { values.authenticatedResponse }

    /// Itself, since it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true, as for every credential.
    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing: such credentials are not archived here.
    open func encode(with coder: NSCoder) {}

    /// Nil: such credentials are not archived here.
    public required init?(coder: NSCoder) { nil }
}

/// The values of a credential for single sign-on.
package struct SingleSignOnValues: Sendable {
    package var state: String?
    package var accessToken: Data?
    package var identityToken: Data?
    package var authorizedScopes: [ASAuthorization.Scope]
    package var authenticatedResponse: HTTPURLResponse?

    package init(
        state: String?, accessToken: Data?, identityToken: Data?, authorizedScopes: [ASAuthorization.Scope],
        authenticatedResponse: HTTPURLResponse?
    ) {
        self.state = state
        self.accessToken = accessToken
        self.identityToken = identityToken
        self.authorizedScopes = authorizedScopes
        self.authenticatedResponse = authenticatedResponse
    }
}
