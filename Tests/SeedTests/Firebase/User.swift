import AccountClient
import AuthenticationServices

/// Whoever is signed in, with Firebase's names.
final class User: Sendable {
    let uid: String
    let displayName: String?
    let email: String?

    init(account: Account) {
        uid = account.id
        displayName = account.formattedName
        email = account.email
    }

    func reauthenticate(with credential: OAuthCredential, completion: @escaping (AuthDataResult?, Error?) -> Void) {
        completion(nil, AuthErrorCode.notOfferedYet.error)
    }

    func link(with credential: OAuthCredential, completion: @escaping (AuthDataResult?, Error?) -> Void) {
        completion(nil, AuthErrorCode.notOfferedYet.error)
    }

    func delete() async throws {
        throw AuthErrorCode.notOfferedYet.error
    }
}
