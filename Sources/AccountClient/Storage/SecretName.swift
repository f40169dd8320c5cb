/// What one secret is kept under.
public struct SecretName: Hashable, Sendable {
    /// The app, and what else tells its secrets from those of others. Not secret itself.
    public var service: String
    /// Which of the app's secrets it is. Not secret itself.
    public var account: String
    /// Apple's keychain only: the group of apps that share the item.
    public var accessGroup: String?

    public init(service: String, account: String, accessGroup: String? = nil) {
        self.service = service
        self.account = account
        self.accessGroup = accessGroup
    }
}
