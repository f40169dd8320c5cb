import Foundation
public import OpenAuthenticationServices

extension AuthorizationScript {
    /// How this user stands with the app from now on.
    public func setState(_ state: ASAuthorizationAppleIDProvider.CredentialState, forUserID userID: String) {
        content.update { $0.states[userID] = state }
    }

    /// What comes beside every state from now on: the account service cannot be asked, and states are the last known.
    public func setStateError(_ error: (any Error)?) {
        content.update { $0.stateError = error }
    }

    /// The person stops using the app with Apple: their state is `revoked`, and the process is notified of it.
    @MainActor public func revoke(userID: String) {
        setState(.revoked, forUserID: userID)
        NotificationCenter.default.post(
            name: ASAuthorizationAppleIDProvider.credentialRevokedNotification, object: nil)
    }
}
