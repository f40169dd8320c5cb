import AccountAPI
public import Foundation

/// How a person ends Apple's side by hand, where the account service holds no token to do it with. Show it to them:
/// Apple asks for that (TN3194).
public struct ManualRemoval: Hashable, Sendable {
    /// For people, in English.
    public let message: String
    /// Where the list of apps is on the web.
    public let url: URL

    init?(_ removal: AccountAPI.ManualRemoval?) {
        guard let removal, let url = URL(string: removal.url) else { return nil }
        message = removal.message
        self.url = url
    }
}
