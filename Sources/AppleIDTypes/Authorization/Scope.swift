/// What an authorization request, or a client of the migration endpoint, asks for.
public struct Scope: AppleWord {
    /// As Apple spells it.
    public let rawValue: String

    /// Not checked: any text is one.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The person's name, which comes once, beside the first authorization.
    public static let name: Self = "name"
    /// The person's address, real or of Apple's relay.
    public static let email: Self = "email"
    /// Listed in discovery and tolerated, without any effect.
    public static let openID: Self = "openid"
    /// The one scope of the `client_credentials` grant.
    public static let userMigration: Self = "user.migration"
    /// To read the classes of a school's roster, in the token of a managed account.
    public static let classesRead: Self = "edu.classes.read"
    /// To read the people of a school's roster, in the token of a managed account.
    public static let usersRead: Self = "edu.users.read"
}
