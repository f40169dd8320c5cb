/// How a person ends Apple's side by hand, where Apple may still list the app and the service holds no token to end that with.
public struct ManualRemoval: Hashable, Sendable, Codable {
    /// For people, in English.
    public var message: String
    /// Where the list of apps is on the web.
    public var url: String

    public init(message: String, url: String) {
        self.message = message
        self.url = url
    }

    /// - Parameter app: what people know the app by.
    public static func ofApp(_ app: String) -> Self {
        Self(
            message:
                "Apple still lists \(app) among the apps that use your Apple Account. To remove it, open Settings, "
                + "your name, Sign in with Apple on an iPhone or iPad, or Sign-In and Security on account.apple.com.",
            url: "https://account.apple.com/account/manage")
    }
}
