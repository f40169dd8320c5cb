public import Foundation

/// Opens the part of Apple's Settings that is about password managers.
///
/// There are no such settings here, so nothing opens, and each call says so.
open class ASSettingsHelper: NSObject {
    // Apple's cannot be made either: a class with an initializer of its own inherits none.
    private init(_: Never) {}

    /// Opens nothing, and tells the handler so.
    ///
    /// - Parameter completionHandler: Called once, on no particular queue, with the error `notHandled`.
    @preconcurrency
    open class func openCredentialProviderAppSettings(
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        refuse(completionHandler)
    }

    /// Opens nothing.
    ///
    /// - Throws: `ASAuthorizationError` with the code `notHandled`, always.
    open class func openCredentialProviderAppSettings() async throws {
        throw ASAuthorizationError(.notHandled, reason: .unsupportedRequest)
    }

    /// Opens nothing, and tells the handler so.
    ///
    /// - Parameter completionHandler: Called once, on no particular queue, with the error `notHandled`.
    @preconcurrency
    open class func openVerificationCodeAppSettings(
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        refuse(completionHandler)
    }

    /// Opens nothing.
    ///
    /// - Throws: `ASAuthorizationError` with the code `notHandled`, always.
    open class func openVerificationCodeAppSettings() async throws {
        throw ASAuthorizationError(.notHandled, reason: .unsupportedRequest)
    }

    /// Asks for nothing, and says that the extension is not turned on.
    ///
    /// - Parameter completionHandler: Called once, on no particular queue, with false.
    @preconcurrency
    open class func requestToTurnOnCredentialProviderExtension(
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        Task { completionHandler(false) }
    }

    /// Asks for nothing.
    ///
    /// - Returns: False, always: there are no such extensions here.
    open class func requestToTurnOnCredentialProviderExtension() async -> Bool { false }

    private class func refuse(_ completionHandler: (@Sendable ((any Error)?) -> Void)?) {
        guard let completionHandler else { return }
        Task { completionHandler(ASAuthorizationError(.notHandled, reason: .unsupportedRequest)) }
    }
}
