import AccountClient
import AuthenticationServices

/// The person who is signed in, with Firebase's names.
final class User: Sendable {
    let uid: String
    let displayName: String?
    let email: String?

    private let client: AccountClient
    private let consent: ConsentPrompt?

    init(account: Account, of client: AccountClient, consent: ConsentPrompt?) {
        self.client = client
        self.consent = consent
        uid = account.id
        displayName = account.formattedName
        email = account.email
    }

    // MARK: Proving who is there

    func reauthenticate(
        with credential: OAuthCredential, completion: @escaping @MainActor (AuthDataResult?, Error?) -> Void
    ) {
        Task {
            do {
                await completion(try await reauthenticate(with: credential), nil)
            } catch {
                await completion(nil, error)
            }
        }
    }

    @discardableResult
    func reauthenticate(with credential: OAuthCredential) async throws -> AuthDataResult {
        try await result {
            switch credential {
            case .apple(let apple): try await client.reauthenticate(with: apple)
            case .email(_, let password): try await client.reauthenticate(password: password)
            case .updated, .unknown: throw AuthErrorCode.operationNotAllowed.error
            }
        }
    }

    // MARK: Ways in

    func link(
        with credential: OAuthCredential, completion: @escaping @MainActor (AuthDataResult?, Error?) -> Void
    ) {
        Task {
            do {
                await completion(try await link(with: credential), nil)
            } catch {
                await completion(nil, error)
            }
        }
    }

    @discardableResult
    func link(with credential: OAuthCredential) async throws -> AuthDataResult {
        try await result {
            switch credential {
            case .apple(let apple): try await client.link(with: apple, consent: consent)
            case .email(let address, let password):
                try await client.link(email: address, password: password, consent: consent)
            case .updated, .unknown: throw AuthErrorCode.operationNotAllowed.error
            }
        }
    }

    /// Firebase has one identity of each provider. The account service may have several of Apple's: the session's own stays.
    @discardableResult
    func unlink(fromProvider provider: String) async throws -> User {
        try await result {
            let kind: AccountIdentity.Provider = provider == "apple.com" ? .apple : .email
            let removed = try await client.links().filter { $0.provider == kind && !$0.isCurrent }
            guard !removed.isEmpty else { throw AuthErrorCode.noSuchProvider.error }
            for identity in removed { try await client.unlink(identity, promptingIfNeeded: false) }
        }.user
    }

    /// Asks nobody: the guide has the person sign in again before.
    func delete() async throws {
        _ = try await result { _ = try await client.deleteAccount(promptingIfNeeded: false) }
    }

    private func result(_ change: () async throws -> Void) async throws -> AuthDataResult {
        do {
            try await change()
            return AuthDataResult(user: self)
        } catch {
            throw AuthErrorCode.error(for: error)
        }
    }
}
