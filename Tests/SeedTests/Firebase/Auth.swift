import AccountClient
import AuthenticationServices
import TaskSignals

/// Firebase's sign-in, spoken to an account service instead of Firebase: just what the guide's snippets call.
final class Auth: Sendable {
    private static let current = Lock<Auth?>(nil)

    private let client: AccountClient
    private let consent: ConsentPrompt?
    private let user = Lock<User?>(nil)

    private init(client: AccountClient, consent: ConsentPrompt?) {
        self.client = client
        self.consent = consent
    }

    /// Firebase reads a file of the app's bundle; here the test says where accounts live.
    /// - Parameter consent: asks the person before data are joined. Firebase has no call for that: the app asks by itself.
    static func configure(client: AccountClient, consent: ConsentPrompt? = nil) {
        current.withLock { $0 = Auth(client: client, consent: consent) }
    }

    static func auth() -> Auth {
        guard let auth = current.withLock({ $0 }) else { preconditionFailure("Auth.configure(client:) was not called") }
        return auth
    }

    var currentUser: User? { user.withLock { $0 } }

    func signIn(with credential: OAuthCredential, completion: @escaping @MainActor (AuthDataResult?, Error?) -> Void) {
        Task {
            do {
                await completion(try await signIn(with: credential), nil)
            } catch {
                await completion(nil, error)
            }
        }
    }

    func signIn(with credential: OAuthCredential) async throws -> AuthDataResult {
        do {
            let user = User(account: try await account(of: credential), of: client, consent: consent)
            self.user.withLock { $0 = user }
            return AuthDataResult(user: user)
        } catch {
            throw AuthErrorCode.error(for: error)
        }
    }

    private func account(of credential: OAuthCredential) async throws -> Account {
        switch credential {
        case .apple(let apple): try await client.signIn(with: apple)
        case .email(let address, let password): try await client.signIn(email: address, password: password)
        case .updated(let handle): try await client.signIn(with: handle)
        case .unknown: throw AuthErrorCode.operationNotAllowed.error
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
