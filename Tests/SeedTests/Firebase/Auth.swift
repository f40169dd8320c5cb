import AccountClient
import AuthenticationServices
import TaskSignals

/// Firebase's sign-in, spoken to an account service instead of Firebase: just what the guide's snippets call.
final class Auth: Sendable {
    private static let current = Lock<Auth?>(nil)

    private let client: AccountClient
    private let user = Lock<User?>(nil)

    private init(client: AccountClient) {
        self.client = client
    }

    /// Firebase reads a file of the app's bundle; here the test says where accounts live.
    static func configure(client: AccountClient) {
        current.withLock { $0 = Auth(client: client) }
    }

    static func auth() -> Auth {
        guard let auth = current.withLock({ $0 }) else { preconditionFailure("Auth.configure(client:) was not called") }
        return auth
    }

    var currentUser: User? { user.withLock { $0 } }

    func signIn(with credential: OAuthCredential, completion: @escaping @MainActor (AuthDataResult?, Error?) -> Void) {
        Task {
            do {
                let account = try await client.signIn(with: credential.apple)
                let user = User(account: account, of: client)
                self.user.withLock { $0 = user }
                await completion(AuthDataResult(user: user), nil)
            } catch {
                await completion(nil, AuthErrorCode.error(for: error))
            }
        }
    }

    /// The session ends on this device at once, and at the account service when that answers.
    func signOut() throws {
        guard user.withLock({ $0.take() }) != nil else { throw AuthErrorCode.userNotFound.error }
        Task { try await client.signOut() }
    }

    func revokeToken(withAuthorizationCode authorizationCode: String) async throws {
        do {
            try await client.revokeToken(withAuthorizationCode: authorizationCode, nonce: CryptoUtils.latest)
        } catch {
            throw AuthErrorCode.error(for: error)
        }
    }
}
