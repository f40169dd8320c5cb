/// The `response_mode` of an authorization request: how the answer travels back.
public struct ResponseMode: AppleWord {
    /// As Apple spells it.
    public let rawValue: String

    /// Not checked: any text is one.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// In the redirect URI's query; never with an identity token.
    public static let query: Self = "query"
    /// In the redirect URI's fragment, which reaches scripts and no server.
    public static let fragment: Self = "fragment"
    /// A cross-site `POST` from the browser; required as soon as a scope is asked for.
    public static let formPost: Self = "form_post"
    /// A message from a popup to the page that opened it, as Apple's script asks for it.
    public static let webMessage: Self = "web_message"
}
