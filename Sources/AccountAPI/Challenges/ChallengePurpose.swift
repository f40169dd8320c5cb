/// What a challenge is good for; a server answers ``ErrorCode/invalidRequest`` to a word that it does not know.
public struct ChallengePurpose: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The only purpose that needs no session.
    public static let signIn = Self(rawValue: "sign_in")
    /// Proving again who holds the session.
    public static let reauthenticate = Self(rawValue: "reauthenticate")
    /// Deleting the account of the session.
    public static let delete = Self(rawValue: "delete")
}
