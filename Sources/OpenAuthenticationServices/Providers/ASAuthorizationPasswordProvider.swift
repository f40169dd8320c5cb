public import Foundation

/// Makes requests for a kept password.
///
/// Sendable: it stores nothing.
open class ASAuthorizationPasswordProvider: NSObject, ASAuthorizationProvider, @unchecked Sendable {
    // Sendable: it keeps nothing.

    public override init() {}

    open func createRequest() -> ASAuthorizationPasswordRequest {
        ASAuthorizationPasswordRequest(provider: self)
    }
}
