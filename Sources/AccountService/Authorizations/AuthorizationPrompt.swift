/// What the page says that asks for a click before Apple is asked.
public struct AuthorizationPrompt: Hashable, Sendable {
    public var appName: String
    public var expiresAt: Timestamp
}
