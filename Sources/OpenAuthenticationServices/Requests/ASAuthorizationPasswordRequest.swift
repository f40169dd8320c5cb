public import Foundation

/// Asks for a password that the person has kept for this app. It never brings up a form: without one there is no
/// answer.
///
/// Sendable: it stores nothing of its own.
open class ASAuthorizationPasswordRequest: ASAuthorizationRequest, @unchecked Sendable {
    // Sendable: it keeps nothing of its own.

    open override func copy(with zone: NSZone? = nil) -> Any {
        ASAuthorizationPasswordRequest(provider: provider)
    }

    package override init(provider: any ASAuthorizationProvider) {
        super.init(provider: provider)
    }

    public required init?(coder: NSCoder) {
        super.init(provider: ASAuthorizationPasswordProvider())
    }
}
