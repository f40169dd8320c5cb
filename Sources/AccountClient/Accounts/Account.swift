public import Foundation

/// Whoever is signed in, as the account service knows them.
public struct Account: Hashable, Sendable, Identifiable {
    /// The account service's identifier; opaque.
    public let id: String
    /// Apple's identifier of the person for this team of developers: `ASAuthorizationAppleIDCredential.user`.
    public let user: String
    /// nil until Apple has told one. Apple tells it once; the account service remembers it.
    public let name: PersonNameComponents?
    /// The name on one line, as the account service puts it together.
    public let formattedName: String?
    /// nil when Apple told none.
    public let email: String?
    public let isEmailVerified: Bool
    /// Whether the address is a relay of Apple's, which forwards to an address that stays hidden.
    public let isPrivateEmail: Bool
    public let createdAt: Date
    /// Whether the account service has answered for this account since the program started. Until it has, this is what
    /// it said last time, and the session may have ended meanwhile.
    public let isConfirmed: Bool
}
