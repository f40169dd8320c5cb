public import Foundation

/// A request that a controller performs. A provider makes it.
///
/// Sendable: the provider is a constant, and providers store nothing.
open class ASAuthorizationRequest: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Sendable: set once; a provider has no state, and subclasses keep theirs behind a lock.
    private let maker: any ASAuthorizationProvider

    /// The provider that made the request.
    open var provider: any ASAuthorizationProvider { maker }

    package init(provider: any ASAuthorizationProvider) {
        maker = provider
    }

    /// A request of the same kind that says the same; later changes to one are not seen in the other.
    open func copy(with zone: NSZone? = nil) -> Any { ASAuthorizationRequest(provider: maker) }

    /// Always true: requests are archived securely.
    open class var supportsSecureCoding: Bool { true }

    /// Writes nothing: subclasses write their values.
    open func encode(with coder: NSCoder) {}

    /// Nil: which provider made it is known to the kinds of request alone.
    public required init?(coder: NSCoder) { nil }
}
