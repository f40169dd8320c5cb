public import Foundation

/// Tells the system's password managers that an account's credentials have changed.
///
/// There are no such managers here, so every call throws ``ASAuthorizationError/Code/notHandled``. Apple's deprecates
/// the class in iOS 26.2.
public final class ASCredentialUpdater: Sendable {
    /// Makes an updater.
    public init() {}

    /// Reports a password that the account no longer uses.
    ///
    /// - Throws: `ASAuthorizationError` with the code `notHandled`, always.
    public func reportUnusedPasswordCredential(domain: String, userName: String) async throws {
        throw ASAuthorizationError(.notHandled, reason: .unsupportedRequest)
    }

    /// Reports that a passkey has another user name.
    ///
    /// - Throws: `ASAuthorizationError` with the code `notHandled`, always.
    public func reportPublicKeyCredentialUpdate(
        relyingPartyIdentifier: String, userHandle: Data, newName: String
    ) async throws {
        throw ASAuthorizationError(.notHandled, reason: .unsupportedRequest)
    }

    /// Reports that the server does not know a passkey, or no longer accepts it.
    ///
    /// - Throws: `ASAuthorizationError` with the code `notHandled`, always.
    public func reportUnknownPublicKeyCredential(relyingPartyIdentifier: String, credentialID: Data) async throws {
        throw ASAuthorizationError(.notHandled, reason: .unsupportedRequest)
    }

    /// Reports all passkeys that the server accepts for a user.
    ///
    /// - Throws: `ASAuthorizationError` with the code `notHandled`, always.
    public func reportAllAcceptedPublicKeyCredentials(
        relyingPartyIdentifier: String, userHandle: Data, acceptedCredentialIDs: [Data]
    ) async throws {
        throw ASAuthorizationError(.notHandled, reason: .unsupportedRequest)
    }
}
