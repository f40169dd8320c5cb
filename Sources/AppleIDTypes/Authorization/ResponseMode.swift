/// The `response_mode` of an authorization request: how the answer travels back.
public struct ResponseMode: AppleWord {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let query: Self = "query"
    public static let fragment: Self = "fragment"
    /// A cross-site `POST` from the browser; required as soon as a scope is asked for.
    public static let formPost: Self = "form_post"
    /// A message from a popup to the page that opened it, as Apple's script asks for it.
    public static let webMessage: Self = "web_message"
}
