import AccountClient
import AuthenticationServices
import JuiceScreens

/// Replaces a saved password by Sign in with Apple, when the person asks for it where the system shows their passwords.
///
/// An upgrade inside the app needs no extension: there `AccountClient.upgradeToApple` does it.
final class AccountModificationViewController: ASAccountAuthenticationModificationViewController {
    override func convertAccountToSignInWithAppleWithoutUserInteraction(
        for serviceIdentifier: ASCredentialServiceIdentifier, existingCredential: ASPasswordCredential,
        userInfo: [AnyHashable: Any]?
    ) {
        let (email, password) = (existingCredential.user, existingCredential.password)
        // A request from inside an app brings no password. Juice makes none.
        guard !password.isEmpty else {
            give(up: "Open Juice, and choose Upgrade to Apple there.")
            return
        }
        Task { await upgrade(email: email, password: password) }
    }

    private func upgrade(email: String, password: String) async {
        do {
            let upgrade = PasswordUpgrade(settings: try JuiceSettings(info: Bundle.main.infoDictionary ?? [:]))
            let nonce = try await upgrade.begin(email: email, password: password)
            let answer: AppleCredential?
            do {
                answer = try await authorization(nonce: nonce)
            } catch {
                try await upgrade.cancel()
                throw error
            }
            guard let credential = answer else {
                try await upgrade.cancel()
                extensionContext.cancelRequest(withError: ASExtensionError(.userCanceled))
                return
            }
            switch try await upgrade.finish(with: credential) {
            case .upgraded: extensionContext.completeUpgradeToSignInWithApple(userInfo: nil)
            case .consentNeeded:
                give(up: "Open Juice, and choose Upgrade to Apple there. It asks for your consent first.")
            }
        } catch let error as AccountClientError {
            give(up: error.reason)
        } catch {
            give(up: "\(error)")
        }
    }

    /// Lets the system ask the person.
    /// - Returns: nil if the person gave up.
    private func authorization(nonce: String) async throws -> AppleCredential? {
        let state = UUID().uuidString
        return try await withCheckedThrowingContinuation { continuation in
            // Sendable, so that the system may call it on any thread.
            extensionContext.getSignInWithAppleUpgradeAuthorization(state: state, nonce: SignInNonce.hash(of: nonce)) {
                @Sendable credential, error in
                if let credential, credential.state == state {
                    continuation.resume(returning: AppleCredential(credential, nonce: nonce))
                } else if (error as? ASExtensionError)?.code == .userCanceled {
                    continuation.resume(returning: nil)
                } else {
                    continuation.resume(throwing: error ?? ASExtensionError(.failed))
                }
            }
        }
    }

    private func give(up reason: String) {
        extensionContext.cancelRequest(
            withError: ASExtensionError(.failed, userInfo: [ASExtensionLocalizedFailureReasonErrorKey: reason]))
    }
}
