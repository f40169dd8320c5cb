import AccountClient
import AuthenticationServices

/// The person who is signed in, with Firebase's names.
final class User: Sendable {
    let uid: String
    let displayName: String?
    let email: String?

    private let client: AccountClient

    init(account: Account, of client: AccountClient) {
        self.client = client
        uid = account.id
        displayName = account.formattedName
        email = account.email
    }

    func reauthenticate(
        with credential: OAuthCredential, completion: @escaping @MainActor (AuthDataResult?, Error?) -> Void
    ) {
        Task {
            do {
                try await client.reauthenticate(with: credential.apple)
                await completion(AuthDataResult(user: self), nil)
            } catch {
                await completion(nil, AuthErrorCode.error(for: error))
            }
        }
    }

    func link(with credential: OAuthCredential, completion: @escaping (AuthDataResult?, Error?) -> Void) {
        completion(nil, AuthErrorCode.notOfferedYet.error)
    }

    /// Asks nobody: the guide has the person sign in again before.
    func delete() async throws {
        do {
            try await client.deleteAccount(promptingIfNeeded: false)
        } catch {
            throw AuthErrorCode.error(for: error)
        }
    }
}
