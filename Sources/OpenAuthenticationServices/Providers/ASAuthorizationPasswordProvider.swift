public import Foundation

/// Makes requests for a kept password.
///
/// Sendable: it stores nothing.
open class ASAuthorizationPasswordProvider: NSObject, ASAuthorizationProvider, @unchecked Sendable {
    // Sendable: it keeps nothing.

    /// Makes a provider.
    public override init() {}

    /// Makes a request for a kept password.
    open func createRequest() -> ASAuthorizationPasswordRequest {
        ASAuthorizationPasswordRequest(provider: self)
    }
}

/// Asks for a password that the person has kept for this app. It never brings up a form: without one there is no
/// answer.
///
/// Sendable: it stores nothing of its own.
open class ASAuthorizationPasswordRequest: ASAuthorizationRequest, @unchecked Sendable {
    // Sendable: it keeps nothing of its own.

    /// Copies the request.
    open override func copy(with zone: NSZone? = nil) -> Any {
        ASAuthorizationPasswordRequest(provider: provider)
    }

    package override init(provider: any ASAuthorizationProvider) {
        super.init(provider: provider)
    }

    /// Reads a request from an archive.
    public required init?(coder: NSCoder) {
        super.init(provider: ASAuthorizationPasswordProvider())
    }
}
