import AccountAPI
public import AccountClient

/// The upgrade of a password to Sign in with Apple that the system begins, and not the app.
///
/// iOS offers it where it shows saved passwords, and gives an extension of the app the address and the password. The session
/// that the upgrade needs is kept in memory alone, and ends with it.
public struct PasswordUpgrade: Sendable {
    private let client: AccountClient

    /// Makes an upgrade that has not begun.
    /// - Parameters:
    ///   - settings: the account service.
    ///   - configure: changes how calls travel.
    public init(
        settings: JuiceSettings, configure: (inout AuthenticationServicesConfiguration) -> Void = { _ in }
    ) {
        client = AccountClient(
            backend: settings.backend, app: settings.app, storage: MemoryStorage(), configure: configure)
    }

    /// Proves with the password that the person may do this.
    /// - Returns: the raw nonce of the request to Apple, which gets its lowercase hexadecimal SHA-256.
    public func begin(email: String, password: String) async throws(AccountClientError) -> String {
        try await client.signIn(email: email, password: password)
        do throws(AccountClientError) {
            return try await client.upgradeNonce()
        } catch {
            // The session was for the upgrade alone.
            try await client.signOut()
            throw error
        }
    }

    /// Replaces the password by the credential that Apple has given for the nonce.
    /// - Returns: what became of the password.
    public func finish(with credential: AppleCredential) async throws(AccountClientError) -> Outcome {
        do throws(AccountClientError) {
            try await client.upgradeToApple(with: credential)
        } catch let error where error.code == .refused(.consentRequired) {
            // The system has closed the extension's views by now, so nobody can be asked here.
            try await client.signOut()
            return .consentNeeded
        } catch {
            // The session was for the upgrade alone.
            try await client.signOut()
            throw error
        }
        try await client.signOut()
        return .upgraded
    }

    /// Ends the session of an upgrade that was given up.
    public func cancel() async throws(AccountClientError) {
        try await client.signOut()
    }

    /// The end of an upgrade.
    public enum Outcome: Hashable, Sendable {
        case upgraded
        /// The person hides their address at Apple, so they have to read a text and agree first, in the app.
        case consentNeeded
    }
}
