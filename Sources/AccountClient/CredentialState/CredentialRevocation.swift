#if !canImport(Darwin)
    import Foundation
    import OpenAuthenticationServices
#endif

/// Apple's notification, where Apple does not post it.
package enum CredentialRevocation {
    /// On the main actor, without an object, as Apple's is. On Apple's platforms the system posts its own.
    package static func post() {
        #if !canImport(Darwin)
            Task { @MainActor in
                NotificationCenter.default.post(
                    name: ASAuthorizationAppleIDProvider.credentialRevokedNotification, object: nil)
            }
        #endif
    }
}
