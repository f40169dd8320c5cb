/// Whether the person still uses Juice with their Apple Account.
enum AppleState: Hashable, Sendable {
    case authorized
    /// The app has moved to another team of developers; the account stays.
    case transferred
    /// They had it revoked themselves, or their session is about to end.
    case ended
}
