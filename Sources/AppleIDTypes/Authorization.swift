/// A scope: something that an authorization request, or a client of the migration endpoint, asks for.
public struct Scope: AppleWord {
    /// The text as Apple spells it.
    public let rawValue: String

    /// Creates a scope from any text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The person's name, which comes once, beside the first authorization.
    public static let name: Self = "name"
    /// The person's address, real or of Apple's relay.
    public static let email: Self = "email"
    /// The scope of OpenID Connect: Apple lists it in discovery and tolerates it, without any effect.
    public static let openID: Self = "openid"
    /// The one scope of the `client_credentials` grant.
    public static let userMigration: Self = "user.migration"
    /// Permission to read the classes of a school's roster; in the token of a managed account.
    public static let classesRead: Self = "edu.classes.read"
    /// Permission to read the people of a school's roster; in the token of a managed account.
    public static let usersRead: Self = "edu.users.read"
}

/// The `response_type` of an authorization request.
public struct ResponseType: AppleWord {
    /// The text as Apple spells it.
    public let rawValue: String

    /// Creates a response type from any text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Apple answers with a code alone.
    public static let code: Self = "code"
    /// Apple answers with a code and an identity token beside it, in a fragment or a form.
    public static let codeIDToken: Self = "code id_token"
}

/// The `response_mode` of an authorization request: how the answer travels back.
public struct ResponseMode: AppleWord {
    /// The text as Apple spells it.
    public let rawValue: String

    /// Creates a response mode from any text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The answer is in the redirect URI's query; never with an identity token.
    public static let query: Self = "query"
    /// The answer is in the redirect URI's fragment, which reaches scripts and no server.
    public static let fragment: Self = "fragment"
    /// The answer is a cross-site `POST` from the browser; required as soon as a scope is asked for.
    public static let formPost: Self = "form_post"
    /// The answer is a message from a popup to the page that opened it, as Apple's script asks for it.
    public static let webMessage: Self = "web_message"
}

/// An authorization code: redeemable once, within five minutes, by the client that obtained it.
///
/// Printing or mirroring it does not show it.
public struct AuthorizationCode: AppleWord, Redacted {
    /// The code as Apple sent it; a secret until it is redeemed.
    public let rawValue: String

    /// Creates a code from any text; only Apple can say whether it is one.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The type's name, not the code.
    public var description: String { "AuthorizationCode(redacted)" }
}
