import AccountAPI
import AccountConnection
public import Foundation

/// A secret in place of a credential that could not be linked, because its person has another account.
///
/// ``AccountClient/signIn(with:)-(SignInHandle)`` signs in to that account with it: once, in the session that tried the
/// link, and until ``expiresAt``. Its description doesn't show the secret.
public struct SignInHandle: Hashable, Sendable {
    /// The time from which on the handle doesn't work.
    public let expiresAt: Date
    let secret: String
    /// Apple's identifier of the person whose credential it stands for; nil for another provider.
    let user: String?

    /// - Parameter user: Apple's identifier of the person whose credential it stands for; nil for another provider.
    package init(secret: String, user: String?, expiresAt: Date) {
        self.secret = secret
        self.user = user
        self.expiresAt = expiresAt
    }
}

extension SignInHandle: CustomStringConvertible, CustomReflectable {
    /// A fixed text without the secret.
    public var description: String { "SignInHandle" }

    /// The time alone.
    public var customMirror: Mirror { Mirror(self, children: ["expiresAt": expiresAt]) }
}

/// The cause of a refusal of an Apple Account that opens another account.
struct RefusedLink: Error {
    let handle: SignInHandle
}

extension AccountClientError {
    /// The handle that signs in to the other account, with the code `refused(.credentialAlreadyInUse)` of a link; nil with
    /// any other error.
    public var signInHandle: SignInHandle? { (cause as? RefusedLink)?.handle }

    /// This error with the handle that the account service has given, if it has given any.
    /// - Parameter user: Apple's identifier of the person whose credential was refused; nil for another provider.
    func withHandle(for user: String?) -> Self {
        guard code == .refused(.credentialAlreadyInUse), let conflict = (cause as? ServiceError)?.details?.conflict
        else { return self }
        return Self(
            code, reason,
            hint:
                "\(user == nil ? "It" : "This Apple Account") opens another account. signInHandle signs in to that one.",
            cause: RefusedLink(
                handle: SignInHandle(secret: conflict.handle, user: user, expiresAt: conflict.expiresAt.date)),
            file: file, line: line)
    }
}
