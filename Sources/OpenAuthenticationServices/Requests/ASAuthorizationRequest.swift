public import Foundation

/// What a controller is asked to perform. A provider makes it.
///
/// Sendable: the provider is a constant, and providers store nothing.
open class ASAuthorizationRequest: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Sendable: set once; a provider has no state, and subclasses keep theirs behind a lock.
    private let maker: any ASAuthorizationProvider

    open var provider: any ASAuthorizationProvider { maker }

    package init(provider: any ASAuthorizationProvider) {
        maker = provider
    }

    /// A request of the same kind that says the same; later changes to one are not seen in the other.
    open func copy(with zone: NSZone? = nil) -> Any { ASAuthorizationRequest(provider: maker) }

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {}

    /// Nil: which provider made it is known to the kinds of request alone.
    public required init?(coder: NSCoder) { nil }
}
