/// What an authorization request, or a client of the migration endpoint, asks for.
public struct Scope: AppleWord {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let name: Self = "name"
    public static let email: Self = "email"
    /// Listed in discovery and tolerated, without any effect.
    public static let openID: Self = "openid"
    /// The one scope of the `client_credentials` grant.
    public static let userMigration: Self = "user.migration"
}
