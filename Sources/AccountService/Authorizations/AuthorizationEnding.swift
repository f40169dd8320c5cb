/// What the last page in the browser says.
public struct AuthorizationEnding: Hashable, Sendable {
    public enum Next: Hashable, Sendable {
        /// ``Authorizations/returnLocation(_:browser:)`` leads back to the app, until then and while nobody has
        /// redeemed what it leads to.
        case returnToApp(until: Timestamp)
        /// The device asks by itself: the page may be closed.
        case returnToDevice
        /// The app has given up meanwhile.
        case withdrawn
        /// The app has what it asked for, or the time is over.
        case over
    }

    public var appName: String
    public var next: Next
    /// Why there is no credential; nil when there is one.
    public var failure: AuthorizationFailure?
}
